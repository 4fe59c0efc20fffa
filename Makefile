# The commands of the book. Each sets up what it needs the first time (into .venv-book or .venv).
#
#   make book        build the site from the outputs stored in the notebooks
#   make serve       build it and serve it on http://localhost:8000
#   make zip         build it and pack it for reading offline
#   make lab         open the notebooks in JupyterLab
#   make notebooks   run all notebooks again and store their outputs in normal form
#   make test        everything that CI checks
#   make facts       print the facts of the book from the last `make test`, and write them into the README
#   make proof       the long measurements: Lighthouse, Firefox, slow devices, memory (about 20 minutes)
#   make format      bring the Python code to its form; make lint only says what is not
#   make clean       remove what was built (make distclean: the environments too)
#
# TORCH_INDEX=https://download.pytorch.org/whl/cpu gives the small CPU build of torch on Linux.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
WORKERS ?= 2
VENV := .venv
BOOK_VENV := .venv-book
SITE := _build/html
REPORTS := _build/reports
TORCH_FLAGS := $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
PIP := -m pip --disable-pip-version-check --quiet install

export PATH := $(CURDIR)/$(VENV)/bin:$(CURDIR)/$(BOOK_VENV)/bin:$(PATH)
export OMP_NUM_THREADS := 1

.PHONY: book serve zip lab notebooks test format lint test-js test-python test-exercises test-notebooks facts clean distclean help
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' Makefile

# --- environments ---------------------------------------------------------------------------------

$(BOOK_VENV)/.ready: requirements/book.txt requirements/constraints.txt tools/ensure_node.py
	@echo "Setting up $(BOOK_VENV) (once)"
	@$(PYTHON) -m venv $(BOOK_VENV)
	@$(BOOK_VENV)/bin/python $(PIP) -r requirements/book.txt
	@$(BOOK_VENV)/bin/python tools/ensure_node.py
	@touch $@

$(VENV)/.ready: requirements.txt requirements/book.txt requirements/constraints.txt pyproject.toml
	@echo "Setting up $(VENV) (once; torch is large)"
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python $(PIP) -r requirements.txt $(TORCH_FLAGS)
	@$(VENV)/bin/python $(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.ready-test: $(VENV)/.ready requirements/test.txt tools/ensure_node.py
	@$(VENV)/bin/python $(PIP) -r requirements/test.txt
	@$(VENV)/bin/python tools/ensure_node.py
	@touch $@

node_modules/.ready: package.json package-lock.json $(VENV)/.ready-test
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# Lighthouse is large, and only the long measurements want it.
benchmarks/node_modules/.ready: benchmarks/package.json benchmarks/package-lock.json $(VENV)/.ready-test
	@cd benchmarks && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# --- the book -------------------------------------------------------------------------------------

book: $(BOOK_VENV)/.ready
	@mkdir -p _build
	@$(BOOK_VENV)/bin/jupyter-book build . -n -W --keep-going > _build/book.log 2>&1 \
	  || { cat _build/book.log; rm -rf _build/.doctrees; exit 1; }  # or a second try would hide the warning
	@echo "The book is built. Open $(SITE)/index.html in a browser, or run 'make serve'."

serve: book
	@echo "The book is at http://localhost:$(PORT) (Ctrl-C stops)"
	@$(BOOK_VENV)/bin/python -m http.server $(PORT) --directory $(SITE)

zip: book
	@$(BOOK_VENV)/bin/python tools/zip_site.py $(SITE) _build/attention-live.zip

lab: $(VENV)/.ready
	@$(VENV)/bin/jupyter lab notebooks

notebooks: $(VENV)/.ready
	@$(VENV)/bin/python tools/notebooks.py execute

# --- checks ---------------------------------------------------------------------------------------

# One failing part does not hide the others.
test: $(VENV)/.ready-test
	@$(MAKE) --no-print-directory --keep-going lint test-js test-exercises test-python test-notebooks
	@$(VENV)/bin/python tools/facts.py --check
	@echo "All checks passed."

lint: $(VENV)/.ready-test
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/python tools/notebooks.py check

format: $(VENV)/.ready-test
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .
	@$(VENV)/bin/python tools/notebooks.py write

test-js: node_modules/.ready
	@npm run --silent check
	@mkdir -p $(REPORTS)
	@node --test --test-reporter=dot --test-reporter-destination=stdout \
	  --test-reporter=junit --test-reporter-destination=$(REPORTS)/javascript.xml tests/js/

test-python: node_modules/.ready
	@$(VENV)/bin/python tools/browser.py --install
	@$(VENV)/bin/pytest -n $(WORKERS) --dist loadscope -q --junitxml=$(REPORTS)/python.xml tests

# Prints what each exercise's checker says to each typical wrong answer; fails if one is let through.
test-exercises: $(VENV)/.ready-test
	@$(VENV)/bin/python tools/mutation_table.py

facts: $(VENV)/.ready-test
	@$(VENV)/bin/python tools/facts.py --write

# Every notebook in a fresh kernel, every output compared with the stored one.
test-notebooks: $(VENV)/.ready-test
	@$(VENV)/bin/pytest --nbval --nbval-current-env --nbval-cell-timeout 120 \
	  -n $(WORKERS) --dist loadscope -q --junitxml=$(REPORTS)/notebooks.xml notebooks

# Longer than CI may take; the results are in benchmarks/results. One failing part does not hide the others.
proof: book $(VENV)/.ready-test benchmarks/node_modules/.ready
	@$(VENV)/bin/python tools/browser.py --install
	@$(VENV)/bin/python benchmarks/proof.py

clean:
	rm -rf _build .pytest_cache .ruff_cache .hypothesis

distclean: clean
	rm -rf $(VENV) $(BOOK_VENV) node_modules benchmarks/node_modules
