"""The colours of figures and pages: scales for weights and scores, roles that mean one thing everywhere."""

import json
from pathlib import Path

__all__ = ["COLOURS", "ROLES", "axis_colour"]

COLOURS = json.loads(Path(__file__).with_name("colours.json").read_text(encoding="utf-8"))
ROLES: dict[str, str] = COLOURS["roles"]["light"]  # query, key, value, weight, suppressed


def axis_colour(axis: str | None, place: int = 0) -> str:
    """Return the colour of what lies along an axis: of its role (queries, keys, values), else of a series."""
    start = (axis or "").lower()[:3]
    role = next((name for name in ("query", "key", "value") if name[:3] == start), None)
    series = COLOURS["series"]["light"]
    return ROLES[role] if role else series[place % len(series)]
