"""Attention, Live: the helper package of the book."""
