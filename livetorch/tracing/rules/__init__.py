"""Operators that are taken apart by hand."""
