"""Run every code cell of lessons of each kind in the page's Python, and compare its text with the stored one.

    python benchmarks/page_cells.py [NAME ...]      SAMPLE_SEED=all runs all lessons

At least 90 % of all cells say the same; what does not is listed with the reason.
"""

import argparse
import sys

import report

sys.path.insert(0, str(report.ROOT / "tests" / "pagepython"))

from conformance import run

LEAST = 0.9
SECONDS = 900  # lessons that train


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="the beginning of a lesson's name")
    wanted = parser.parse_args().names
    rows, rest = [], []
    for page in report.chapters() if wanted else report.some_chapters():
        name = page.rpartition("/")[2]
        if wanted and not any(name.startswith(one) for one in wanted):
            continue
        cells = run(report.ROOT / f"{page}.ipynb", seconds=SECONDS)
        kinds = {"same": ["same"], "absent": ["absent", "kept"], "differs": ["differs"], "error": ["error"]}
        count = {kind: sum(cell.outcome in those for cell in cells) for kind, those in kinds.items()}
        rows.append({"notebook": name, "cells": len(cells), **count})
        rest += [
            {"notebook": name, "cell": cell.number, "outcome": cell.outcome, "said": cell.said[:160]}
            for cell in cells
            if cell.outcome != "same"
        ]
        print(rows[-1], flush=True)
    if not rows:
        parser.error(f"no lesson begins with {' or '.join(wanted)}")
    share = sum(row["same"] for row in rows) / sum(row["cells"] for row in rows)
    broken = [] if share >= LEAST else [f"{share:.1%} of the cells say the same, fewer than {LEAST:.0%}"]
    return report.finish(
        "page_cells",
        what="Code cells of lessons of each kind in the page's Python, held against the stored text",
        rules=[f"at least {LEAST:.0%} say the same"],
        rows={"notebooks": rows},
        broken=broken,
        columns={
            "notebook": "notebook",
            "cells": "cells",
            "same": "same",
            "absent": "not in the page",
            "differs": "differs",
            "error": "error",
        },
        share=round(share, 4),
        rest=rest,
    )


if __name__ == "__main__":
    sys.exit(main())
