// What a visit asks of the live figures of a page. Each gives a list of what is wrong, with the figure that is meant.
globalThis.figureFacts = (faultsOf) => {
  const all = (css, root = document) => [...root.querySelectorAll(css)];
  const box = (e) => e.getBoundingClientRect();
  const figures = () => all("figure.livetorch");
  const named = (name) => document.querySelector(`figure.livetorch[data-name="${name}"]`);
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
  const what = (e) => e.className.baseVal ?? e.className;
  const of = (find) => figures().flatMap((figure) => find(figure).map((fault) => `${figure.dataset.name}: ${fault}`));
  const MOST_HIGH = 740; // pixels of a figure on a phone, unless its main view stays in sight
  const GOES_ALONG = 65; // pixels: a picture that ends no farther above the last control goes with it

  return {
    /** Each view and each control that the figure is made of stands in it. */
    parts: () => of((figure) => {
      const { spec } = figure.livetorch;
      const views = all(".lt-view", figure);
      const fields = spec.controls.filter(({ kind }) => ["slider", "dropdown", "checkbox", "text"].includes(kind));
      const absent = fields.filter(({ name }) => !figure.querySelector(`[id$="-${name}"], [name$="-${name}"]`));
      return [
        views.length === spec.views.length ? [] : `${views.length} views, not ${spec.views.length}`,
        views.filter((view) => box(view).width < 40 || box(view).height < 10).map((view) => `${what(view)} is ${box(view).width} by ${box(view).height}`),
        absent.map(({ name }) => `no control for ${name}`),
        figure.querySelector(".lt-tools") ? [] : "no tools",
      ].flat();
    }),
    overflow() {
      const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      return over > 0 ? [`the page scrolls sideways by ${over} pixels`] : [];
    },
    layout() {
      scrollTo({ top: 0, behavior: "instant" }); // a picture that stays in sight lies over what goes by
      return figures().flatMap(({ dataset: { name } }) => faultsOf(name).map((fault) => `${name}: ${fault}`));
    },
    /** The layout of one figure at settings that were drawn. */
    async layoutAt([name, drawn]) {
      const { set, outputs, reset } = named(name).livetorch;
      scrollTo({ top: 0, behavior: "instant" });
      const found = [];
      for (const settings of drawn) {
        for (const [control, value] of settings) set(control, value);
        outputs();
        await frames();
        found.push(...faultsOf(name).map((fault) => `${name}: ${fault} at ${JSON.stringify(settings)}`.slice(0, 300)));
      }
      reset();
      return found;
    },
    /** Figures that an option of theirs makes higher or lower: the page below would move under the hand. */
    async heights(moving) {
      const near = 8; // names of rows and columns are a little longer or shorter
      const found = [];
      for (const figure of figures()) {
        const { spec, set, reset, outputs } = figure.livetorch;
        const card = figure.querySelector(".lt-card");
        const settled = async () => {
          outputs();
          await frames();
          return card.offsetHeight;
        };
        const own = await settled();
        for (const { name, kind, options } of spec.controls) {
          const values = kind === "dropdown" ? options.map((_, i) => i) : kind === "checkbox" ? [false, true] : [];
          for (const value of values) {
            set(name, value);
            const now = await settled();
            if (Math.abs(own - now) > near && !moving.includes(spec.name)) found.push(`${spec.name}, ${name} ${value}: ${own} pixels become ${now}`);
          }
          if (values.length) reset();
        }
      }
      return found;
    },
    flowNames: () => all(".lt-flow-name").filter((e) => e.textContent.includes("…")).map((e) => `${e.textContent} is cut`),

    /** What a finger is meant for and could miss; a box with words is as large as its label. */
    small: (least) => of((figure) => all("button, input, select, summary, a, .lt-handle-touch, [role=radio]", figure)
      .filter((e) => !e.hidden && seen(e))
      .map((e) => [box(/checkbox|radio/.test(e.type) ? e.closest("label") : e), e])
      .filter(([{ width, height }]) => Math.min(width, height) < least - 0.5)
      .map(([{ width, height }, e]) => `${what(e)} is ${width.toFixed()}x${height.toFixed()}`)),
    /** How far the numbers of neighbouring cells stand apart, in maps that a finger paints. */
    cells(least) {
      const at = (tick, side) => box(tick.querySelector("line"))[side];
      const gaps = (map, axis, side) => all(`${axis} .tick`, map).slice(1).map((tick) => at(tick, side) - at(tick.previousElementSibling, side));
      return of((figure) => all(".lt-editable", figure)
        .map((map) => Math.min(...gaps(map, ".lt-x", "left"), ...gaps(map, ".lt-y", "top")))
        .filter((gap) => gap < least).map((gap) => `cells of ${gap.toFixed(1)} pixels`));
    },
    letters: (smallest) => of((figure) => {
      const found = new Set();
      const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const e = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || e.closest("script, style, .lt-spoken") || !seen(e)) continue;
        if (e.matches("tspan[dy]")) continue; // the q of W_q: as small beside its letter as in a formula
        const drawn = e.getScreenCTM?.(); // of an SVG, which may be shown smaller than it is
        const size = parseFloat(getComputedStyle(e).fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
        if (size < smallest - 0.01) found.add(`${e.getAttribute("class") ?? e.tagName} of ${size.toFixed(1)}`);
      }
      return [...found];
    }),
    /** Controls from which nothing of the picture is seen that they change, in figures taller than the window. */
    async apart(by) {
      const found = [];
      for (const figure of figures()) {
        if (figure.offsetHeight <= innerHeight || by.includes(figure.dataset.name)) continue;
        const led = figure.querySelector(".lt-leading");
        for (const control of all(".lt-control, .lt-run", figure)) {
          if (!control.getClientRects().length) continue;
          control.scrollIntoView({ block: "end", behavior: "instant" });
          await new Promise((done) => requestAnimationFrame(done));
          const { top, bottom } = led ? box(led) : { top: 0, bottom: 0 };
          const own = box(control);
          const in_sight = Math.min(bottom, innerHeight) - Math.max(top, 0);
          const words = `${figure.dataset.name}: ${control.textContent.slice(0, 30)}`;
          if (in_sight < Math.min(100, led?.offsetHeight ?? 100) - 1) found.push(`${words}: ${in_sight} pixels of the picture`);
          else if (own.top < bottom - 1 && own.bottom > top) found.push(`${words} is behind the picture`);
        }
      }
      return found;
    },
    /** Where a leading picture stands below a page's head: whole, or gone by; how much of the screen it keeps, and that it leaves before the last control. */
    stands: (head) => of((figure) => all(".lt-leading", figure).flatMap((row) => {
      const high = row.offsetHeight;
      figure.style.setProperty("--lt-above", `${head}px`);
      row.style.position = "static";
      const from = box(row).top + scrollY;
      const last = all(".lt-controls > *, .lt-run", figure).filter((e) => e.clientHeight).at(-1);
      const room = box(last).top - box(row).bottom - Number.parseFloat(row.style.getPropertyValue("--lt-spare") || 0);
      row.style.position = "";
      const after = (way) => {
        scrollTo({ top: from - head + way, behavior: "instant" });
        return box(row);
      };
      const away = after(40).top - head - (high <= 0.4 * innerHeight ? 0 : -40);
      const share = Math.max(0, after(high).bottom - head) / innerHeight;
      scrollBy({ top: box(last).top - head - high / 2, behavior: "instant" });
      const over = box(row).bottom - box(last).top;
      figure.style.removeProperty("--lt-above");
      const stays = high > 0.4 * innerHeight || room > GOES_ALONG;
      return [...(over > 0.5 ? [`its picture is ${over} pixels over the last control`] : []), ...(stays && Math.abs(away) > 1.5 ? [`its picture is ${away} pixels off`] : []), ...(share > 0.41 ? [`its picture keeps ${share.toFixed(2)} of the screen`] : [])];
    })),
    tooHigh: () => of((figure) => {
      const stuck = all(".lt-row", figure).some((e) => getComputedStyle(e).position === "sticky");
      return box(figure).height > MOST_HIGH && !stuck ? [`${Math.round(box(figure).height)} pixels high`] : [];
    }),
    /** Fields and options that are cut. */
    cut: (wider) => of((figure) => [
      ...all(".lt-cells .lt-scroll, .lt-wide", figure).filter((e) => e.scrollWidth > e.clientWidth && !wider.includes(figure.dataset.name)),
      ...all(".lt-segment span", figure).filter((e) => e.scrollHeight > 46),
    ].map((e) => `${e.textContent.trim().slice(0, 40)} is cut`)),
    /** Maps of which it is said that a tap tells a number, where it switches a cell. */
    promised: () => of((figure) => all(".lt-view:has(.lt-editable) .lt-unwritten", figure).map(() => "promises what a tap does not do")),
    /** What is said of a field's text, too near to its ring. */
    notes: () => of((figure) => all(".lt-text + .lt-note", figure)
      .filter((note) => box(note.previousElementSibling).top - box(note).bottom < 4.5).map((note) => `"${note.textContent}" touches its field`)),
    /** Figures that are for a moment very narrow. */
    async squeeze() {
      for (const width of ["30px", "320px", "40px", ""]) {
        for (const figure of figures()) figure.style.width = width;
        await frames();
      }
      return [];
    },
    unfold: (open) => all("figure details").forEach((fold) => (fold.open = open)),
    names: () => figures().map((figure) => figure.dataset.name),
  };
};
