# Klaveroog: `make demo` shows everything, `make test` checks everything. Nothing is installed outside .venv, but
# for the Debian packages that only the tests need, and those only when run as root.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# What the tests drive from outside: a browser, and the command that makes films.
TEST_COMMANDS := chromium ffmpeg
# A database server that the tests start for themselves. Debian keeps its programs out of the path; without it
# the tests that need it are skipped.
TEST_SERVER := postgresql
TEST_SERVER_PROGRAMS := /usr/lib/postgresql/*/bin/initdb

.PHONY: demo test lint mutants train evaluate screenshots clean

# The page opens at the address that it prints. HEADLESS=1 checks the results and stops.
demo: $(VENV)/.runs
	$(BIN)/klaveroog demo $(if $(HEADLESS),--headless)

test: lint
	$(BIN)/python -m pytest

lint: $(VENV)/.tests .test-commands
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Small mistakes put into rules one by one: does a test notice? All of them take a day; SAMPLE=320 SEED=3 an hour.
mutants: $(VENV)/.tests
	$(BIN)/python -m tests.rules.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

# Making the models again takes some three hours on two cores; models/training/README.md says what it needs.
SHARED ?= ../shared
PACKAGES ?= packages
OUT ?= out
START_WEIGHTS ?= $(SHARED)/weights/yolov8n-coco-warm.pt

# First from drawings alone; then on with real photos, whose corners and suits the first models read off.
train: $(VENV)/.trains
	$(BIN)/python -m models.training.deck_library --shared $(SHARED) --packages $(PACKAGES) --out $(OUT)/decks
	$(BIN)/python -m models.training.finder_data --decks $(OUT)/decks --out $(OUT)/drawn
	$(BIN)/python -m models.training.finder --data $(OUT)/drawn --weights $(START_WEIGHTS) --out $(OUT)/finder-drawn
	$(BIN)/python -m models.training.corners --decks $(OUT)/decks --weights $(START_WEIGHTS) --out $(OUT)/corners
	$(BIN)/python -m models.training.namer --decks $(OUT)/decks --weights $(START_WEIGHTS) --out $(OUT)/namer
	$(BIN)/python -m models.training.publish --out $(OUT)/first \
		--finder $(OUT)/finder-drawn/finder.onnx --corners $(OUT)/corners/corners.onnx --namer $(OUT)/namer/namer.onnx
	$(BIN)/python -m models.training.real_photos --shared $(SHARED) --models $(OUT)/first --out $(OUT)/real
	$(BIN)/python -m models.training.finder --data $(OUT)/drawn --data $(OUT)/real --data $(OUT)/real \
		--weights $(OUT)/finder-drawn/training/weights/last.pt --out $(OUT)/finder --epochs 2 --learning-rate 0.0005
	$(BIN)/python -m models.training.namer --decks $(OUT)/decks --weights $(START_WEIGHTS) --out $(OUT)/namer \
		--resume --photos $(OUT)/real/cards.npz --learning-rate 0.0004 --minutes 7
	$(BIN)/python -m models.training.back_flaw_data 300 $(OUT)/backs
	$(BIN)/python -m models.training.back_flaws --data $(OUT)/backs --out $(OUT)/flaws
	$(BIN)/python -m models.training.publish --finder $(OUT)/finder/finder.onnx \
		--corners $(OUT)/corners/corners.onnx --namer $(OUT)/namer/namer.onnx --flaws $(OUT)/flaws/flaws.onnx

evaluate: $(VENV)/.runs
	$(BIN)/python -m models.training.evaluate --shared $(SHARED) --out $(OUT) \
		$(if $(wildcard $(OUT)/decks),--decks $(OUT)/decks)

# Every page of the dashboard, into dashboard/screenshots and dashboard/PAGES.md.
screenshots: $(VENV)/.tests .test-commands
	$(BIN)/python -m tests.dashboard.evening_screenshots

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .benchmarks build dist

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Klaveroog heeft Python 3.11 of nieuwer nodig / Klaveroog needs Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "Installeer eerst python3-venv: sudo apt install python3-venv / first install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.runs: $(VENV)/.made pyproject.toml
	$(BIN)/pip install -q -e .
	touch $@

$(VENV)/.trains: $(VENV)/.made pyproject.toml
	$(BIN)/pip install -q -e '.[train]'
	touch $@ $(VENV)/.runs

$(VENV)/.tests: $(VENV)/.made pyproject.toml
	$(BIN)/pip install -q -e '.[dev]'
	touch $@ $(VENV)/.runs

# Not a file: whether a command is there can change at any time.
.PHONY: .test-commands
.test-commands:
	@missing=; for command in $(TEST_COMMANDS); do \
		command -v $$command >/dev/null || missing="$$missing $$command"; \
	done; \
	server=; ls $(TEST_SERVER_PROGRAMS) >/dev/null 2>&1 || command -v initdb >/dev/null || server=$(TEST_SERVER); \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ -n "$$missing$$server" ]; then \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing $$server; \
	elif [ -n "$$missing" ]; then \
		echo "Voor de tests ontbreekt:$$missing. Installeer met: sudo apt install$$missing / the tests need these" >&2; exit 1; \
	fi
