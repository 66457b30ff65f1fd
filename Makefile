# Everything a newcomer, a developer and CI need. `make` alone prints what there is.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
OUT ?= out
ARGS ?=
export PORT

.PHONY: help
help: ## print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | awk -F'\t' '{printf "  make %-14s %s\n", $$1, $$2}'

.PHONY: run
run: $(VENV)/.base ## start the application; prints where to sign in (PORT=8000)
	$(BIN)/python manage.py up

.PHONY: sitemap
sitemap: $(VENV)/.base ## crawl URL=https://… and write its sitemap into OUT=out (ARGS="--max-pages 100 …")
	@test -n "$(URL)" || { echo "say which site: make sitemap URL=https://www.example.com/"; exit 2; }
	$(BIN)/python manage.py crawl "$(URL)" --out "$(OUT)" $(ARGS)

.PHONY: test
test: $(VENV)/.dev servers ## install what tests need, run all tests on SQLite and PostgreSQL
	./tests/servers/with_postgresql $(BIN)/python -m pytest tests/crawls/store tests/crawls/commands
	$(BIN)/python -m pytest

.PHONY: test-fast
test-fast: $(VENV)/.dev ## run the tests that need no server and no subprocess
	$(BIN)/python -m pytest -m "not slow"

.PHONY: lint
lint: $(VENV)/.dev ## format, style, types, architecture, templates, migrations, settings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy config crawls sitemaps tests manage.py bench
	$(BIN)/lint-imports
	$(BIN)/djlint templates --check --quiet
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check --fail-level WARNING

.PHONY: acceptance
acceptance: $(VENV)/.dev ## crawl the handed real sites, cases and hazards (needs ../shared)
	$(BIN)/python bench/acceptance.py

.PHONY: bench
bench: $(VENV)/.dev ## measure against rivals, as ratios (needs ../shared, nginx and wget)
	$(BIN)/python bench/run.py

.PHONY: requirements
requirements: $(VENV)/.dev ## compile requirements/*.in to pinned *.txt
	cd requirements && for name in base dev; do \
	  ../$(BIN)/pip-compile --quiet --strip-extras --no-header --no-emit-index-url --no-emit-trusted-host \
	    --no-emit-find-links $$name.in --output-file $$name.txt; done

.PHONY: servers
servers: # the servers that tests start for themselves, from the distribution
	@./tests/servers/install

.PHONY: clean
clean: ## remove the environment, caches and what tests left; never DATA_DIR
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else f"Python 3.11 or newer is needed, not {sys.version.split()[0]}")'
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv is missing; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }

$(VENV)/.base: requirements/base.txt | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements/base.txt
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.base | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@touch $@
