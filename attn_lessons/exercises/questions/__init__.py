"""Questions that a page answers."""
