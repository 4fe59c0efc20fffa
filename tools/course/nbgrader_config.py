"""nbgrader's settings for this book's homework; copied beside `source/` by tools.course.homework."""

import os
import sys

ROOT = os.environ["ATTENTION_BOOK"]  # the full edition: `make grade` sets it
sys.path.insert(0, ROOT)

from nbgrader.converters.autograde import Autograde  # noqa: E402

from tools.course.screen import OnlyWhatComputes  # noqa: E402

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "attention"
c.ClearSolutions.code_stub = {"python": "..."}
c.ClearSolutions.text_stub = "*Your answer here.*"
c.Autograde.autograde_preprocessors = [
    OnlyWhatComputes,
    *Autograde.autograde_preprocessors.default_args[0],
]
c.Execute.timeout = 60  # for one cell; the checkers stop a call after ten seconds
c.LimitOutput.max_lines = 200
c.IncludeHeaderFooter.header = ""
