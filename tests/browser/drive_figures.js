// Moves every control of every live figure of a page as a hand does, then sets all of them at random, and notes after each
// move the settings and the outputs: what torch is then held against. Events of the page itself stand for keys that a browser
// turns into them (an arrow on a slider, a click on an option); real keys are pressed in test_live_page.py.
async ({ settings, steps }) => {
  const plain = (data) => Array.from(data, (x) => (Number.isFinite(x) ? x : String(x)));
  const fire = (element, ...types) => types.forEach((type) => element.dispatchEvent(new Event(type, { bubbles: true })));
  const press = (element, key, more = {}) => {
    element.focus();
    element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  };

  const nudge = (number, by) => () => {
    number.value = String(Number(number.value) + by);
    fire(number, "input", "change");
  };

  /** The moves of one control: what is done, and how. */
  function* moves(figure, control) {
    const { name, kind } = control;
    const field = figure.querySelector(`[id$="-${name}"]`);
    const segments = [...figure.querySelectorAll(`input[type=radio][name$="-${name}"]`)];
    const type = (text) => () => {
      field.value = text;
      fire(field, "input", "change");
    };
    if (control.roll) yield* ["rolled", "rolled again"].map((turn) => [turn, () => field.click()]);
    else if (segments.length) yield* segments.reverse().map((each) => [each.closest("label").textContent, () => each.click()]);
    else if (kind === "slider") {
      const [low, high, step] = [field.min, field.max, field.step].map(Number);
      const places = [Number(field.value) + step, high, (low + high) / 2, low, low + step];
      yield* places.map((place) => [`to ${place}`, type(place)]);
    } else if (kind === "dropdown") {
      const choose = (i) => () => {
        field.selectedIndex = i;
        fire(field, "input", "change");
      };
      yield* control.options.map((_, i) => [`option ${i}`, choose(i)]).reverse();
    } else if (kind === "checkbox") yield* ["other", "back"].map((turn) => [turn, () => field.click()]);
    else if (kind === "text") {
      const [text] = [control.value];
      yield* [text.slice(0, -1), [...text].reverse().join(""), "", text].map((each) => [`"${each}"`, type(each)]);
    } else if (kind === "points") {
      const handles = figure.querySelectorAll(".lt-handle").length;
      for (let i = 0; i < handles; i += 1) yield [`handle ${i}`, () => press(figure.querySelectorAll(".lt-handle")[i], "ArrowRight", { shiftKey: true })];
      const number = figure.querySelector(".lt-points input");
      if (!handles) yield ["number", nudge(number, 0.1)];
    } else if (kind === "matrix") {
      const fields = [...figure.querySelectorAll(".lt-matrix")].find((each) => each.textContent.includes(control.label));
      const number = [...fields.querySelectorAll("input")].at(-1);
      const by = Number(number.step) || 0.1;
      yield* [by, by, -by].map((way) => [`by ${way}`, nudge(number, way)]);
    } else if (kind === "mask") {
      const stage = figure.querySelector(".lt-editable");
      const buttons = figure.querySelectorAll(".lt-mask button");
      const arcs = figure.livetorch.spec.views.some((view) => view.muting?.name === name) && figure.querySelector(".lt-view-arcs .lt-stage");
      // a letter among those that are read
      if (arcs) yield* [["ArrowDown", " "], ["ArrowRight", " "], [" "]].map((keys) => [keys.join(), () => keys.forEach((key) => press(arcs, key))]);
      else if (!stage) yield ["last cell", () => buttons[buttons.length - 1].click()];
      else yield* [["Home", " "], ["ArrowRight", " "], ["ArrowDown", " "]].map((keys) => [keys.join(), () => keys.forEach((key) => press(stage, key))]);
    }
  }

  const found = {};
  for (const fold of document.querySelectorAll("details.deeper")) fold.open = true;
  for (const figure of document.querySelectorAll("figure.livetorch:not(.lt-question)")) {
    await figure.livetorch.ready;
    const { spec, set, reset, state, outputs } = figure.livetorch;
    const tries = [];
    const idle = [];
    const look = (what) => {
      const shown = Object.entries(outputs()).map(([name, { shape, data }]) => [name, { shape: [...shape], data: plain(data) }]);
      const settings = Object.entries(state()).map(([name, value]) => [name, value?.shape ? { carried: plain(value.data) } : value]);
      tries.push([what, Object.fromEntries(settings), Object.fromEntries(shown)]);
      return JSON.stringify(tries.at(-1)[1]);
    };
    reset();
    let before = look("as it opens");
    for (const control of spec.controls) {
      if (control.kind === "state") continue;
      for (const [other, values] of Object.entries(control.when ?? {})) set(other, values[0]); // it is grey until then
      before = look(`${control.name} wakes`);
      let moved = 0;
      for (const [what, move] of moves(figure, control)) {
        move();
        const now = look(`${control.name}: ${what}`);
        moved += now !== before;
        before = now;
      }
      if (!moved) idle.push(control.name);
    }
    for (const [turn, drawn] of (settings[spec.name] ?? []).entries()) {
      for (const [name, value] of drawn) set(name, value);
      look(`random setting ${turn}`);
    }
    const taken = [];
    reset();
    for (let i = 0; spec.carry && i < Math.min(steps, spec.carry.steps); i += 1) {
      const button = [...figure.querySelectorAll("button")].find((each) => each.textContent === "Step");
      button.click();
      look(`step ${i + 1}`);
      taken.push(tries.pop()[2]);
    }
    reset();
    look("the numbers that are told"); // a worker may still compute what was set before: its numbers stand there until then
    const numbers = figure.querySelector("details.lt-numbers");
    numbers.open = true;
    for (let i = 0; i < 500 && !numbers.querySelector("table, .lt-single"); i += 1) await new Promise((done) => setTimeout(done, 20));
    const tables = [...numbers.querySelectorAll("table")].map((table) => ({
      caption: table.caption.textContent, // its inner text is empty where it is far out of sight
      cells: [...table.querySelectorAll("tbody td:not(.lt-sum)")].map((cell) => cell.textContent),
    }));
    const singles = numbers.querySelectorAll(".lt-single").length;
    numbers.open = false;
    const { first, ...rest } = spec;
    found[spec.name] = { tries, taken, tables, singles, idle, shown: tries.pop()[2], spec: rest };
  }
  return found;
}
