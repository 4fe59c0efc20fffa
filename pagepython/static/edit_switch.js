// The switch "Edit and run" of a lesson. Nothing is fetched before it is pressed, but what a link would change.
(() => {
  "use strict";

  const base = new URL("page/", document.currentScript.src).href;
  const main = document.querySelector(".article-header-buttons .edit-switch");
  const read = (key) => {
    try {
      return Object(JSON.parse(localStorage.getItem(`attention-live ${key} ${location.pathname}`) ?? "{}"));
    } catch {
      return {};
    }
  };
  const button = (name, text, work) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", className: name, onclick: work });
    made.append(text);
    return made;
  };

  // What keep.mjs left, and what share.mjs puts into a link.
  const kept = Object.keys(read("edits")).length;
  const sent = location.hash.startsWith("#edits=");
  const note = document.createElement("div");
  note.className = "edit-note";
  const say = (words, ...more) => {
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    said.append(words, ...more);
    note.replaceChildren(said);
    document.body.append(note);
  };

  const label = (words, short) => {
    main.children[1].textContent = main.ariaLabel = words;
    main.lastChild.textContent = short;
  };

  let started = null;
  let open = 0;
  let closed = false;
  const rows = (hidden) => {
    for (const each of document.querySelectorAll(".edit-exercise")) each.hidden = hidden;
  };
  // The editors are there: every switch can be pressed again, and a press on an exercise goes to its cell.
  const turn = async (place) => {
    const editing = await started;
    open = performance.now();
    for (const each of document.querySelectorAll(".edit-switch")) each.disabled = false;
    main.toggleAttribute("data-on", true);
    label("Close editors", "Close");
    rows(true);
    note.remove();
    place ? editing.go(place) : editing.focus();
  };
  const turnOff = () => {
    open = 0;
    closed = true;
    main.toggleAttribute("data-on", false);
    label("Edit and run", "Edit");
    rows(false);
    main.focus({ preventScroll: true });
  };
  const press = async (place) => {
    if (open) {
      if (place) return (await started).go(place); // a figure's "Code"
      // A second press within a second is the end of a double click.
      if (performance.now() - open > 1000) (await started).close();
      return;
    }
    if (closed) {
      (await started).open();
      return turn(place);
    }
    if (location.protocol === "file:") {
      say("Running code needs this page to come over http: run \u201Cmake serve\u201D in the book\u2019s folder, then open http://localhost:8000.");
      return;
    }
    for (const each of document.querySelectorAll(".edit-switch")) each.disabled = true;
    started ??= import(`${base}edit.js?v=${main.dataset.version}`).then(({ start }) =>
      start({
        base,
        lesson: main.dataset.lesson,
        waysIn: `${document.documentElement.dataset.content_root ?? "../"}book/ways_in.html`,
        closed: turnOff,
      }),
    );
    try {
      await started;
      await turn(place);
    } catch (error) {
      started = null;
      for (const each of document.querySelectorAll(".edit-switch")) each.disabled = false;
      say(`The editors did not come: ${error.message}`);
    }
  };

  const words = sent ? "Open the shared code" : kept ? `Edit and run (${kept} ${kept > 1 ? "edits" : "edit"})` : "Edit and run";
  main.addEventListener("click", () => press());
  label(words, sent ? "Open" : "Edit");
  main.toggleAttribute("data-kept", kept > 0 || sent);
  main.disabled = false;

  // Under each exercise a button that leads to its cell, in place of what the book's empty function was told.
  const solved = read("answers");
  for (const code of document.querySelectorAll("[class*=' exercise-']")) {
    const name = /exercise-(\S+)/.exec(code.className)[1];
    const row = document.createElement("p");
    row.className = "edit-exercise";
    const done = `check ${name}` in solved;
    row.append(button("edit-switch", done && kept ? "Show my answer" : "Write and check it here", () => press(Number(code.id.slice(3)))));
    if (done) row.append(" \u2713 solved");
    document.getElementById(code.id.replace("in", "out"))?.setAttribute("hidden", "");
    code.after(row);
  }
  // At a live figure's foot the way to its code, as soon as the figure lives: now, or when its cell has run.
  const offer = (figure, place) => {
    const tools = figure.querySelector(":scope > .lt-card .lt-tools");
    if (tools && !tools.querySelector(".edit-code")) tools.append(button("lt-button edit-code", "Code", () => press(place)));
    return Boolean(tools);
  };
  const offers = (output) => {
    const place = Number(output.id.slice(4));
    for (const figure of output.querySelectorAll("figure.livetorch:not(.lt-question)")) {
      if (offer(figure, place)) continue;
      const mounted = new MutationObserver(() => offer(figure, place) && mounted.disconnect());
      mounted.observe(figure, { attributes: true, attributeFilter: ["class"] });
    }
  };
  for (const output of document.querySelectorAll("[id^='out-']")) {
    if (!document.getElementById(output.id.replace("out", "in")) || !output.querySelector("figure.livetorch:not(.lt-question)")) continue;
    offers(output);
    new MutationObserver(() => offers(output)).observe(output, { childList: true });
  }
  const tell = ({ tell }) => started ?? tell(base, main.dataset.lesson, note, say, button("edit-switch", "Open and run it", () => press()));
  if (sent) import(`${base}sent.js?v=${main.dataset.version}`).then(tell, () => {}); // the switch says it, too
})();
