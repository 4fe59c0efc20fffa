"""Handwritten digits, and the models that read them."""
