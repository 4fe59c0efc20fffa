"""One file an exercise."""
