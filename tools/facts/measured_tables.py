"""The tables of book/measured.md: what `make proof` measured, made from benchmarks/results."""

from sources import record, when


def titled(title: str, name: str, head: str, rows: list[str], after: str = "") -> str:
    """Put a table under a headline and a line that says how and when it was measured."""
    made = f"`python benchmarks/{name}.py`, {when(name)}."
    columns = head.count("|") - 1
    ruler = "| --- " + "| ---: " * (columns - 1) + "|"
    return "\n".join([f"## {title}\n", f"{made}\n", head, ruler, *rows, after])


def latency(found: dict) -> str:
    """Tabulate event to frame, figure by figure, beside `interact`."""
    rows = []
    for row in found["figures"]:
        other = row["interact"]
        ratio = f"{other:.0f} | {other / row['median']:.0f}" if other else "- | -"
        times = f"{row['median']:.1f} | {row['p95']:.1f} | {row['budget']:.0f}"
        rows.append(f"| {row['chapter'][:2]} {row['figure']} | {times} | {ratio} |")
    head = "| figure | median ms | p95 ms | budget ms | interact + seaborn ms | times faster |"
    return titled("From a control's event to the painted frame", "live_latency", head, rows)


def pages(found: dict) -> str:
    """Tabulate weight and Lighthouse scores page by page, beside a default Jupyter Book page."""
    rows = []
    for row in [*found["pages"], *found["default"]]:
        name = row["page"].rpartition("/")[2]
        scores = " | ".join(
            str(row[key]) for key in ("performance", "accessibility", "best-practices", "seo")
        )
        rest = f"{row['fcp_ms'] / 1000:.1f} | {len(row['other_hosts'])}"
        rows.append(f"| {name} | {row['kB']} | {scores} | {rest} |")
    kinds = "performance | accessibility | best practices | SEO"
    head = f"| page | kB | {kinds} | first paint, s | other hosts asked |"
    failed = found["default"][0]["other_failed"]
    after = (
        f"\nkB: compressed, all that reading a page to the end loads. The default page's {failed} requests to"
        " other hosts failed here, so its own numbers leave out what those would bring.\n"
    )
    return titled("What a page weighs, and Lighthouse on its mobile profile", "lighthouse", head, rows, after)


def page_cells(found: dict) -> str:
    """Tabulate what the cells of each lesson say in the page's Python, and why the rest does not."""
    kinds = ("cells", "same", "absent", "differs", "error")
    rows = [
        f"| {row['notebook']} | " + " | ".join(str(row[kind]) for kind in kinds) + " |"
        for row in found["notebooks"]
    ]
    rest = [
        f"- {row['notebook']}, cell {row['cell']}: `{row['said'].replace('`', '').splitlines()[0][:120]}`"
        for row in found["rest"]
        if row["said"] != "not reached"
    ]
    after = "\n".join(
        [
            f"\nIn all {found['share']:.1%} of the cells say the same as in PyTorch."
            " The rest, and what stopped it:\n",
            *rest,
            "",
        ]
    )
    head = "| lesson | cells | same text | needs what is not there | other text | other error |"
    return titled("Lessons in the page's own Python", "page_cells", head, rows, after)


def page_start(found: dict) -> str:
    """Tabulate what Python in the page weighs, and what its start and a cell take."""
    rows = [f"| {row['what']} | {row['kB']:,} |" for row in found["parts"]]
    times = [f"| {row['what']} | {row['took']:g} |" for row in found["times"]]
    after = "\n".join(
        [
            "\nOther programs used the machine meanwhile: the clock says more than on a quiet one.\n",
            "| what | took |\n| --- | ---: |",
            *times,
            "",
        ]
    )
    return titled("Python in the page", "page_start", "| file | kB, compressed |", rows, after)


def tables() -> str:
    """Give all tables of what was measured on this book, as they stand on the page."""
    made = {"live_latency": latency, "lighthouse": pages, "page_start": page_start, "page_cells": page_cells}
    return "\n".join(table(found) for name, table in made.items() if (found := record(name)))
