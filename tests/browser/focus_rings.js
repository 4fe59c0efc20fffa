// Of each thing that takes the focus, the box of its ring, held against all around it that cut. The ring of an option in a
// bar is that of its words, the ring of a slider that of its thumb: they lie inside.
() => {
  const found = [];
  const what = "a[href], button, input:not(.lt-segment input, .lt-range), select, textarea, summary, [tabindex='0']";
  const cuts = (style) => style.overflowX !== "visible" || style.overflowY !== "visible" ||
    style.contentVisibility === "auto" || style.contain.includes("paint");
  for (const e of document.querySelectorAll(what)) {
    if (e.disabled || !e.checkVisibility({ visibilityProperty: true }) || !e.getClientRects().length) continue;
    e.focus({ focusVisible: true });
    const style = getComputedStyle(e);
    const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
    if (document.activeElement !== e || style.outlineStyle === "none" || ring <= 0) continue;
    const box = e.getBoundingClientRect();
    const own = { left: -box.left + ring, right: box.right + ring, top: -box.top + ring, bottom: box.bottom + ring };
    const say = (by, sides) => {
      const cut = Object.keys(sides).filter((side) => own[side] > sides[side] + 0.6);
      if (cut.length) found.push(`${e.outerHTML.slice(0, 60)} is cut at its ${cut} by ${by}`);
    };
    for (let p = e.parentElement; p !== document.body && getComputedStyle(p).position !== "fixed"; p = p.parentElement) {
      if (!cuts(getComputedStyle(p))) continue;
      if (p.scrollHeight > p.clientHeight + 1 && getComputedStyle(p).overflowY !== "hidden") break; // it scrolls there
      const { left, top } = p.getBoundingClientRect();
      const [x, y] = [left + p.clientLeft, top + p.clientTop];
      const upright = { top: -y, bottom: y + p.clientHeight };
      const scrolls = p.scrollWidth > p.clientWidth + 1;
      say(p.className || p.tagName, scrolls ? upright : { ...upright, left: -x, right: x + p.clientWidth });
    }
    if (!e.closest("[class*=scroll], .lt-examples")) say("window", { left: 0, right: document.documentElement.clientWidth });
  }
  return [...new Set(found)];
}
