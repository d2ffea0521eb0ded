# The two commands of a newcomer are `make demo` and `make test`; each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DATA := $(if $(DEHUSK_DATA),$(abspath $(DEHUSK_DATA)),)
export DEHUSK_DATA := $(DATA)

.PHONY: demo test test-training check bench floors clean

demo: $(READY)
	$(BIN)/dehusk extract tests/pages/layout-tables/source.html

test: check
	$(BIN)/python -m pytest -m "slow and not training"

test-training: $(READY)
	$(BIN)/python -m pytest -m training || test $$? -eq 5  # 5: there is nothing to train yet

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -m "not slow and not training"

bench: $(READY)
	$(BIN)/python benchmarks/stages.py
	$(BIN)/python benchmarks/scaling.py

floors: $(READY)
	$(BIN)/python -m pytest tests/test_floors.py -m slow --raise-floors

clean:
	rm -rf $(VENV) build dist

# The mark is younger than pyproject.toml once everything in it is installed.
$(READY): pyproject.toml
	test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || \
	  { apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv $(VENV); }  # Debian parts it from Python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev,eval,peers]"
	touch $@
