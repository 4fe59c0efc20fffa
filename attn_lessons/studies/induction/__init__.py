"""Repeats, and the two layers that continue them."""
