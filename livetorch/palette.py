"""The colours of figures and pages (colours.json), for Python, JavaScript and CSS alike.

sequential goes from 0 to 1, diverging from below to above 0. One hue follows the quantity: a score above 0
is violet like the weight that it becomes, one below 0 grey. Steps are even in lightness (OKLab), so that they
hold in grey print. roles mean one thing on every page; begins are the words with which the name of an axis of
a role begins ("key_size", which counts the numbers of a key, and "Weight times value" begin with none).
series are for curves without a role, and take no role's hue.
"""

import json
from pathlib import Path

COLOURS = json.loads(Path(__file__).with_name("colours.json").read_text(encoding="utf-8"))
ROLES: dict[str, str] = COLOURS["roles"]["light"]  # query, key, value, weight, suppressed
