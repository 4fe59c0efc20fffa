// When bars and numbers glide to what is new: after a press or a key, never while a hand holds something.

/**
 * Mark a card with `lt-glide` while what it shows may glide.
 * @param {HTMLElement} card
 * @param {() => boolean} reducedMotion
 */
export function watchHands(card, reducedMotion) {
  const show = (/** @type {boolean} */ glides) => card.classList.toggle("lt-glide", glides && !reducedMotion());
  const released = () => show(true);
  card.addEventListener("pointerdown", () => {
    show(false);
    for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, released, { once: true, capture: true });
  });
  card.addEventListener("keydown", released);
}
