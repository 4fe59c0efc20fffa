// What is wrong with how one live figure stands on the page: texts and controls over each other, cut texts, unseen scrolling. Texts are
// polygons, for those of an SVG may be turned; letters fill the middle of their box.
(name) => {
  const figure = document.querySelector(`figure[data-name="${name}"]`);
  const card = figure.querySelector(".lt-card");
  const faults = [];
  const corners = (x0, y0, x1, y1) => {
    const inset = 0.22 * (y1 - y0);
    return [[x0 + 1, y0 + inset], [x1 - 1, y0 + inset], [x1 - 1, y1 - inset], [x0 + 1, y1 - inset]];
  };
  const polygonsOf = (node) => {
    const text = node.parentElement.closest("svg text");
    if (text) {
      const { x, y, width, height } = text.getBBox();
      const { a, b, c, d, e, f } = text.getScreenCTM();
      return [corners(x, y, x + width, y + height).map(([u, v]) => [a * u + c * v + e, b * u + d * v + f])];
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((box) => box.width > 2)
      .map(({ left, top, right, bottom }) => corners(left, top, right, bottom));
  };
  const clips = (style) => [style.overflowX, style.overflowY].some((how) => how !== "visible");
  const texts = [];
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const own = node.parentElement;
    const words = node.data.trim();
    if (!words || own.closest(".lt-spoken, option, script, [hidden], .katex-mathml")) continue;
    if (!own.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    for (const polygon of polygonsOf(node)) {
      const [xs, ys] = [0, 1].map((d) => polygon.map((point) => point[d]));
      const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      let seen = true;
      for (let e = own; e !== card.parentElement; e = e.parentElement) {
        if (e.closest("svg") && e !== e.closest("svg")) continue;
        const style = getComputedStyle(e);
        if (e !== card && !clips(style)) continue;
        const { left, top, right, bottom } = e.getBoundingClientRect();
        if (box[0] > left - 1.5 && box[2] < right + 1.5 && box[1] > top - 1.5 && box[3] < bottom + 1.5) continue;
        const scrolls = e !== card && /auto|scroll/.test(style.overflowX + style.overflowY);
        if (!scrolls) faults.push(`"${words}" is cut by ${e.className || e.tagName}`);
        else if (!style.backgroundAttachment.includes("local")) faults.push(`${e.className} scrolls without a sign of it`);
        if (scrolls) {
          seen = false;
          break; // what is out of sight lies over nothing
        }
      }
      if (seen) texts.push({ words, polygon, box, own: own.closest("text") ?? own });
    }
  }
  const apart = (p, q) => p.some(([x, y], i) => {
    const [u, v] = p[(i + 1) % p.length];
    const [nx, ny] = [v - y, x - u]; // outwards or inwards, for both alike
    const length = Math.hypot(nx, ny) || 1;
    const along = (polygon) => polygon.map(([s, t]) => (s * nx + t * ny) / length);
    const [ours, theirs] = [along(p), along(q)];
    return Math.max(...ours) <= Math.min(...theirs) + 0.5 || Math.max(...theirs) <= Math.min(...ours) + 0.5;
  });
  texts.forEach((one, i) => {
    for (const other of texts.slice(i + 1)) {
      if (one.own === other.own) continue;
      if (!apart(one.polygon, other.polygon) && !apart(other.polygon, one.polygon)) faults.push(`"${one.words}" lies over "${other.words}"`);
    }
  });
  // What hands use, cut to what is seen of it: it lies over no other and over no words but its own.
  const shownOf = (e) => {
    let { left, top, right, bottom } = e.getBoundingClientRect();
    for (let up = e.parentElement; up !== card.parentElement; up = up.parentElement) {
      if (!clips(getComputedStyle(up))) continue;
      const box = up.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return [left, top, right, bottom];
  };
  const over = (p, q) => Math.min(p[2], q[2]) - Math.max(p[0], q[0]) > 2 && Math.min(p[3], q[3]) - Math.max(p[1], q[1]) > 2;
  const controls = [...card.querySelectorAll("input, select, textarea, button, summary")]
    .filter((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".lt-veil"))
    .map((e) => ({ e, box: shownOf(e), words: e.ariaLabel || e.labels?.[0]?.textContent || e.textContent || e.className }));
  const ofItsNumber = (e, words) => e.value && Math.abs(e.value - words.replace("−", "-")) <= 0.5; // a field over its number, as it is rounded
  controls.forEach(({ e, box, words }, i) => {
    for (const other of controls.slice(i + 1)) if (!e.contains(other.e) && over(box, other.box)) faults.push(`the control "${words}" lies over "${other.words}"`);
    for (const text of texts) if (!e.contains(text.own) && !ofItsNumber(e, text.words) && !text.own.closest("[data-veiled]") && over(box, text.box)) faults.push(`the control "${words}" lies over the words "${text.words}"`);
  });
  const ink = document.createElement("canvas").getContext("2d");
  const ARROW = 14;
  for (const field of card.querySelectorAll("select")) {
    if (!field.checkVisibility()) continue;
    const style = getComputedStyle(field);
    ink.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const words = field.selectedOptions[0]?.text ?? "";
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - ARROW;
    if (ink.measureText(words).width > room + 1 && style.textOverflow !== "ellipsis") faults.push(`"${words}" is cut by its list`);
  }
  return [...new Set(faults)];
}
