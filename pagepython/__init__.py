"""Python in the pages of a Sphinx book: a lesson's cells are edited and run in the reader's browser.

- `sphinx.py` is the extension: it writes what a page fetches, and puts the switch on the lessons.
- `editing/` is what a reader sees; `worker/` holds Python, and `worker/client.mjs` speaks to it.
- `running/` runs cells, in the worker, in Node and in tests.
- `facade/` is the torch that cells import, over the operators of `livetorch/js/runtime/`; `standins/` are
  packages that only show things; `recorder.py` is what `livetorch.tracing.recorders` asks for in a page.
- `build/` packs all of it.
"""
