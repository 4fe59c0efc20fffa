// Which view of a figure is seen beside its open code: the answer, which stands last, until the code changes another.

/** @typedef {{top: number, bottom: number, scrolls: Element|Window}} Room where a figure is seen, and what scrolls it */

const MOSTLY = 0.6;
const LINE = 24; // pixels: so much less of a view is in sight where it keeps the figure's title there
const BAR = 16; // pixels from the page's bar to where the code beside a figure begins
const PAINTED = 200; // milliseconds until a figure that came, or has another width, has drawn its views

/** Where this script has put what a box of its own shows: a hand that moves it has a wish. @type {WeakMap<object, number>} */
const put = new WeakMap();

/** The views; of a flow, which may be taller than where it is seen, each matrix. */
const viewsOf = (/** @type {Element} */ place) =>
  Array.from(place.querySelectorAll(".lt-view")).flatMap((view) => {
    const matrices = Array.from(view.querySelectorAll(".lt-flow-title"), (title) => title.closest("g") ?? view);
    return matrices.length ? matrices : [view];
  });

/** All that is seen of a view; what is only said comes later. @param {Element} view */
const looks = (view) =>
  [
    new XMLSerializer().serializeToString(view).replace(/ aria-label="[^"]*"/g, ""),
    ...Array.from(view.querySelectorAll("canvas"), (one) => one.toDataURL()),
  ].join();

/** The numbers that its figures show; one that nobody has come to shows none, and is not started for it. @param {Element} place @returns {number[]} */
const numbersOf = (place) =>
  Array.from(place.querySelectorAll("figure.lt-mounted"), (/** @type {any} */ figure) =>
    Object.values(figure.livetorch?.outputs() ?? {}).map(({ data }) => Array.from(data, Number)),
  ).flat(2);

/** Whether numbers are the same but for rounding. @param {number[]} some @param {number[]} others */
const alike = (some, others) =>
  some.length === others.length &&
  some.every((one, at) => Object.is(one, others[at]) || Math.abs(one - others[at]) <= 1e-4 * (1 + Math.abs(one)));

/** Its own box above the code, on a phone, or the window beside it; null: its code is closed, or below. @param {Element} place @returns {Room|null} */
function roomOf(place) {
  const fold = place.closest(".figure-block")?.querySelector(":scope > details.code-fold[open]");
  if (!fold) return null;
  const { top, bottom } = place.getBoundingClientRect();
  if (getComputedStyle(place).maxHeight !== "none") return { top, bottom, scrolls: place };
  const { position, top: below } = getComputedStyle(fold);
  const bar = document.querySelector(".ed-dock")?.getBoundingClientRect().top ?? innerHeight;
  return position === "sticky" ? { top: Number.parseFloat(below), bottom: bar, scrolls: window } : null;
}

/** @param {Element} view @param {Room} room */
function seen(view, room) {
  const { top, bottom } = view.getBoundingClientRect();
  return Math.min(bottom, room.bottom) - Math.max(top, room.top) >= MOSTLY * Math.min(bottom - top, room.bottom - room.top);
}

/** @param {Element|undefined} view @param {Room|null} room @param {Element|null} [title] of its figure */
function reveal(view, room, title) {
  if (!view || !room) return;
  const { top, bottom } = view.getBoundingClientRect();
  const [above, under] = [top - room.top, bottom - room.bottom + 8];
  const by = under > 0 ? Math.min(under, above) : Math.min(above, 0);
  const most = title && room.scrolls === window ? title.getBoundingClientRect().top - room.top + BAR : by;
  room.scrolls.scrollBy({ top: by > most && by - most <= LINE ? most : by, behavior: "instant" });
  if (room.scrolls !== window) put.set(room.scrolls, /** @type {Element} */ (room.scrolls).scrollTop);
}

/** The answer comes into sight, or what lifts the veil over it, and what stands beside it; again when the figure has fitted itself to its new width. @param {Element} place of a figure */
export function answer(place) {
  const bottom = (/** @type {Element} */ view) => view.getBoundingClientRect().bottom;
  const lowest = () =>
    viewsOf(place).reduce((/** @type {Element|undefined} */ one, other) => (one && bottom(one) > bottom(other) ? one : other), undefined);
  const show = () => reveal(place.querySelector(".lt-veil .lt-button") ?? lowest(), roomOf(place), place.querySelector(".lt-head"));
  show();
  setTimeout(show, PAINTED);
}

/** Note what is seen of a figure beside its open code: gives what to do when another has taken its place, and when that one is awake. @param {Element} place */
export function watch(place) {
  if (!roomOf(place)) return null;
  const [before, numbers] = [viewsOf(place).map(looks), numbersOf(place)];
  const stood = place.scrollTop;
  const stay = () => void (place.scrollTop = stood);
  /** What has changed comes into sight, if nothing that has is; above code, where little has room, the first of it, which is what the code draws. */
  const awake = () =>
    setTimeout(() => {
      stay(); // what came first was shorter
      if (alike(numbersOf(place), numbers)) return; // a view may only be drawn later than before
      const changed = viewsOf(place).filter((view, at) => looks(view) !== before[at]);
      const room = roomOf(place);
      if (!room) return;
      const first = room.scrolls === place && put.get(place) === stood;
      const enough = first ? changed.slice(0, 1) : changed;
      if (!enough.some((view) => seen(view, room))) reveal(enough.at(-1), room);
    }, PAINTED);
  return { stay, awake };
}
