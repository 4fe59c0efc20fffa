"""Dates in many languages, and strings to copy."""
