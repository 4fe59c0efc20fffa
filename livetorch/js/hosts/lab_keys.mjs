/**
 * Keeps JupyterLab's commands from the keys of what runs in a notebook: Lab asks only the focused element whether it
 * wants a key itself. What is pressed with Ctrl or Cmd stays Lab's: a notebook is saved from within a figure too.
 * @param {HTMLElement} box
 */
export function ownKeys(box) {
  /** @param {any} event */
  const own = ({ target, ctrlKey, metaKey }) => target.toggleAttribute("data-lm-suppress-shortcuts", !(ctrlKey || metaKey));
  for (const kind of ["focusin", "keydown", "keyup"]) box.addEventListener(kind, own);
}
