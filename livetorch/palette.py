"""The colours of figures and pages: scales for weights and scores, roles that mean one thing everywhere."""

import json
from pathlib import Path

COLOURS = json.loads(Path(__file__).with_name("colours.json").read_text(encoding="utf-8"))
ROLES: dict[str, str] = COLOURS["roles"]["light"]  # query, key, value, weight, suppressed
