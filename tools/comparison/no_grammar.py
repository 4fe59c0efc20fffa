"""Imported before nbformat, which reads a grammar for three seconds, for addresses that no notebook has."""

import sys

sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # jsonschema does without
