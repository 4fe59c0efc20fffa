"""Write attn_lessons/studies/translation/dates.json: month names, weekday names and date patterns of a few
locales.

Run `python tools/recipes/make_date_names.py` after changing the list of locales. The names come from
babel 2.18.0 (BSD-3-Clause), which takes them from the Unicode CLDR (Unicode License v3).
"""

import json
from pathlib import Path

import babel

LOCALES = ("en", "en_GB", "zh", "ja", "fr", "de", "es", "ru")
TABLE = Path(__file__).parents[2] / "attn_lessons" / "studies" / "translation" / "dates.json"
SOURCE = f"babel {babel.__version__} (BSD-3-Clause), data of the Unicode CLDR (Unicode License v3)"


def locale_names(identifier: str) -> dict:
    """Return names and patterns of one locale; weekdays start on Monday, as `date.weekday` counts them."""
    locale = babel.Locale.parse(identifier)
    months = locale.months["format"]
    return {
        "language": locale.get_display_name("en"),
        "months": list(months["wide"].values()),
        "short_months": list(months["abbreviated"].values()),
        "weekdays": [locale.days["format"]["wide"][day] for day in range(7)],
        # U+202F, a narrow space that no keyboard has, becomes an ordinary space
        "patterns": {
            name: locale.date_formats[name].pattern.replace("\u202f", " ")
            for name in ("full", "long", "medium")
        },
    }


def date_names() -> dict:
    """Return the whole table."""
    return {"source": SOURCE, "locales": {name: locale_names(name) for name in LOCALES}}


if __name__ == "__main__":
    TABLE.write_text(json.dumps(date_names(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
