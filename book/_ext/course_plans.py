"""Write the plans for teachers, ``{syllabi}`` and ``{lesson-plans}``, from plans.yml and the lessons."""

import html

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from tools.course import lessons as read
from tools.course import plans


def cell(text: str) -> str:
    """Give text that may stand in a cell of a table, or in a line."""
    return " ".join(text.replace("|", "\\|").split())


def link(lesson: read.Lesson) -> str:
    """Link a lesson by its number."""
    return f"[{lesson.number}](../notebooks/{lesson.name}.ipynb)"


def syllabus(plan: dict) -> list[str]:
    """Write one syllabus as a table, with what the lessons take that are read before."""
    lines = [f"**{plan['title']}.** {plan['about']}", ""]
    heads = ["minutes", "what", "lessons", "to read before", "elsewhere"]
    heads = heads if any(elsewhere for *_, elsewhere in plan["sessions"]) else heads[:-1]
    lines += [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for minutes, what, places, elsewhere in plan["sessions"]:
        found = plans.named(places)
        reading = sum(plans.counted(lesson)["reading"] for lesson in found)
        links = ", ".join(map(link, found))
        cells = [str(minutes), cell(what), links, f"{reading} minutes", cell(elsewhere)]
        lines.append(f"| {' | '.join(cells[: len(heads)])} |")
    return [*lines, ""]


def plan(lesson: read.Lesson, needs: str) -> list[str]:
    """Write a lesson's plan as a list."""
    took = plans.counted(lesson)
    question, _ = lesson.opening
    parts = ", ".join(f"{what} {number}" for what, number in took.items())
    address = html.escape(f"../{plans.opening_link(lesson)}")
    lines = [
        f"- **Needs:** {needs}",
        f"- **Minutes:** {parts}; {sum(took.values())} in all",
        f'- **Open with** (<a href="{address}">the figure</a>): {cell(question["question"])}',
        "- **Wrong answers to expect**, and what to say:",
    ]
    lines += [
        f"  - *{cell(asked)}* {cell(wrong).rstrip('.')}. **Say:** {cell(say)}"
        for asked, wrong, say in plans.stumbles(lesson)
    ]
    return lines


class Syllabi(SphinxDirective):
    """The directive ``syllabi``."""

    def parsed(self, lines: list[str]) -> list[nodes.Node]:
        """Parse Markdown that was written here."""
        self.env.note_dependency(str(read.DATA / "plans.yml"))
        for name in read.lessons():
            self.env.note_dependency(self.env.doc2path(f"notebooks/{name}"))
        box = nodes.container()
        self.state.nested_parse(StringList(lines, "plans.yml"), 0, box)
        return box.children

    def run(self) -> list[nodes.Node]:
        """Give a table for each syllabus."""
        return self.parsed([line for one in plans.syllabi() for line in syllabus(one)])


class LessonPlans(Syllabi):
    """The directive ``lesson-plans``."""

    def run(self) -> list[nodes.Node]:
        """Give a fold for each lesson."""
        import lesson_head
        from chapter_map import parse

        text = (read.ROOT / f"{lesson_head.MAP}.md").read_text(encoding="utf-8")
        self.env.note_dependency(self.env.doc2path(lesson_head.MAP))
        needs = {
            number: found
            for number, (_, _, found) in parse(lesson_head.LINES.search(text)[1].splitlines()).items()
        }
        made: list[nodes.Node] = []
        for lesson in read.lessons().values():
            before = plans.named(needs.get(lesson.name.partition("_")[0], []))
            head = f"{lesson.number}. {lesson.title}"
            made.append(nodes.raw("", f"<details><summary>{html.escape(head)}</summary>", format="html"))
            aim = [f"{plans.aim(lesson)} ({link(lesson)})", ""]
            made += self.parsed([*aim, *plan(lesson, ", ".join(map(link, before)) or "no other lesson")])
            made.append(nodes.raw("", "</details>", format="html"))
        return made


def setup(app) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("syllabi", Syllabi)
    app.add_directive("lesson-plans", LessonPlans)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
