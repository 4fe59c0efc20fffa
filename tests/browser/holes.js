// Of each figure the largest rectangle of its views' area in which nothing is drawn, as a share of that area.
() => {
  const STEP = 6; // pixels of the grid on which the area is looked at
  const whole = ".lt-stage, table, .lt-token, .lt-legend-item, .lt-scale-part, .lt-button, .lt-view-title, .lt-readout, .lt-arcs-said, .lt-flow-said";
  const loose = ".lt-view-flow .lt-stage, .lt-view-arcs .lt-stage, .lt-view-number .lt-stage, .lt-number .lt-stage";
  const words = (e) => {
    const range = document.createRange();
    range.selectNodeContents(e);
    return [...range.getClientRects()];
  };
  const drawn = (view) => {
    const rects = [];
    for (const e of view.querySelectorAll(whole)) {
      if (!e.checkVisibility()) continue;
      if (e.matches(loose)) rects.push(...[...e.querySelectorAll("svg :is(rect, text, path, line, circle, image), canvas")].map((shape) => shape.getBoundingClientRect()));
      else if (e.matches(".lt-view-title, .lt-readout, .lt-arcs-said, .lt-flow-said, .lt-button")) rects.push(...words(e));
      else rects.push(e.getBoundingClientRect());
    }
    return rects;
  };
  /** The largest rectangle of empty places: under each row the free columns are a skyline. */
  const largest = (taken, columns, rows) => {
    const high = new Array(columns + 1).fill(0);
    let best = 0;
    for (let row = 0; row < rows; row += 1) {
      const open = [];
      for (let column = 0; column <= columns; column += 1) {
        if (column < columns) high[column] = taken[row * columns + column] ? 0 : high[column] + 1;
        let from = column;
        while (open.length && open.at(-1).high >= high[column]) {
          const last = open.pop();
          best = Math.max(best, last.high * (column - last.from));
          from = last.from;
        }
        open.push({ from, high: high[column] });
      }
    }
    return best;
  };
  return [...document.querySelectorAll("figure.livetorch")].map((figure) => {
    const area = figure.querySelector(".lt-views").getBoundingClientRect();
    const [columns, rows] = [Math.floor(area.width / STEP), Math.floor(area.height / STEP)];
    const taken = new Uint8Array(columns * rows);
    const at = (pixel, most, round) => Math.min(most, Math.max(0, round(pixel / STEP)));
    for (const { left, right, top, bottom } of [...[...figure.querySelectorAll(".lt-views .lt-view")].flatMap(drawn), ...words(figure.querySelector(".lt-views .lt-caption") ?? new Text())]) {
      for (let row = at(top - area.top, rows, Math.floor); row < at(bottom - area.top, rows, Math.ceil); row += 1)
        taken.fill(1, row * columns + at(left - area.left, columns, Math.floor), row * columns + at(right - area.left, columns, Math.ceil));
    }
    const card = figure.querySelector(".lt-card");
    return { name: figure.dataset.name, share: largest(taken, columns, rows) / (columns * rows), width: card.offsetWidth, height: card.offsetHeight };
  });
}
