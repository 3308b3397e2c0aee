# Every target sets up its own virtual environment, and again when pyproject.toml changes.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WARM := $(VENV)/.warm
BENCH_READY := $(VENV)/.bench-ready
DEMO_READY := $(VENV)/.demo-ready
STRUCTURE := $(patsubst %,tests/unit/test_%.py,import_arrows parity doctests)

# The parts of `test` and `check` run two at a time, the longest first.
MAKEFLAGS += --jobs=2

# Tests start hundreds of processes, each of which would compile pystream again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-spark test-connectors test-unit test-behaviour test-typing test-structure check lint mypy pyright fuzz faults \
	test-faults bench bench-full bench-unbounded nexmark soak clean

$(READY): pyproject.toml
	@echo 'Installing pystream and its development tools into $(VENV); this takes some minutes.'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(READY)

# Dozens of processes of the tests start Java, each in half the time with an archive of Spark's classes.
$(WARM): $(READY)
	-@$(BIN)/python -m pystream warm-up
	@touch $(WARM)

$(DEMO_READY): pyproject.toml
	@echo 'Installing pystream, PySpark and a Java into $(VENV), about 1 GB; the demo follows.'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --disable-pip-version-check -e '.[demo]'
	@touch $(DEMO_READY)

demo: $(DEMO_READY)  ## a typed pipeline over 336,776 flights
	@$(BIN)/python examples/flights.py

test: test-spark test-connectors test-behaviour test-unit test-faults test-typing test-structure  ## all tests; one part shares a Spark session

test-spark: $(WARM)
	$(BIN)/python -m pytest -m spark --ignore tests/unit --ignore tests/typing

test-connectors: $(WARM)  ## with real servers; without those that the machine cannot have
	$(BIN)/python -m pytest -m "not spark" tests/connectors

test-unit: $(READY)
	$(BIN)/python -m pytest tests/unit $(STRUCTURE:%=--ignore %)

test-behaviour: $(WARM)
	$(BIN)/python -m pytest -m "not spark" --ignore tests/unit --ignore tests/typing --ignore tests/connectors

test-typing: $(READY)
	$(BIN)/python -m pytest tests/typing

test-structure: $(READY)
	$(BIN)/python -m pytest $(STRUCTURE)

check: lint mypy pyright test-structure  ## linters, type checkers, import arrows, parity table, examples of docstrings

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

mypy: $(READY)
	$(BIN)/mypy

pyright: $(READY)
	$(BIN)/pyright --pythonpath $(BIN)/python

fuzz: $(READY)  ## 10,000 random programs against simple models, and 10,000 that crash; prints seeds of failures
	$(BIN)/python -m tests.simulation.fuzz 10000
	$(BIN)/python -m tests.simulation.fuzz unbounded 10000
	$(BIN)/python -m tests.simulation.fuzz lateness 300
	$(BIN)/python -m tests.simulation.fuzz hosts 30
	$(BIN)/python -m tests.simulation.fuzz queries 3000
	$(BIN)/python -m tests.simulation.fuzz api 3000

FAULTS ?= 20
faults: $(READY)  ## unbounded jobs, killed and disturbed; prints the seeds; FAULTS=200 for more of them
	$(BIN)/python -m tests.faults $(FAULTS)
	$(BIN)/python -m tests.faults --connectors $(FAULTS)
	$(BIN)/python -m tests.faults --lost $(FAULTS)
	$(BIN)/python -m tests.faults --lost --connectors $(FAULTS)
	$(BIN)/python -m tests.faults --signals $(FAULTS)

test-faults: $(WARM)  ## a selection of them with short input, within minutes
	timeout --foreground 900 $(BIN)/python -m tests.faults --selection

$(BENCH_READY): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@touch $(BENCH_READY)

bench: $(BENCH_READY)  ## paths against PySpark, PyFlink and Bytewax, in 10 minutes; results in benchmarks/results
	$(BIN)/python benchmarks/build.py
	$(BIN)/python -m benchmarks.suite

bench-full: $(BENCH_READY)  ## every operator over every shape of records, start-up, batches, other keyed work
	$(BIN)/python benchmarks/build.py
	$(BIN)/python -m benchmarks.suite --full --turns 5 --seconds 1 --minutes 40
	$(BIN)/python benchmarks/startup.py
	PYFLINK_PYTHON=$${PYFLINK_PYTHON:-benchmarks/.venvs/pyflink/bin/python} $(BIN)/python benchmarks/keyed.py
	$(BIN)/python benchmarks/lifting.py
	$(BIN)/python benchmarks/typing_time.py
	$(BIN)/python benchmarks/vectorised.py
	$(BIN)/python benchmarks/message_formats.py --lines 1000000

bench-unbounded: $(BENCH_READY)  ## unbounded jobs against PySpark and PyFlink, in an hour; results in benchmarks/results
	$(BIN)/python -m benchmarks.unbounded

NEXMARK ?= --queries q0 q2 q4 q7 q17
nexmark: $(BENCH_READY)  ## NEXMark beside PyFlink and plain Spark; NEXMARK="--queries all --events 200000" for other runs
	$(BIN)/python -m benchmarks.nexmark $(NEXMARK)

MINUTES ?= 30
soak: $(READY)  ## whether memory and checkpoints of an unbounded job stay flat; MINUTES=5 for a short one
	$(BIN)/python -m benchmarks.unbounded.soak $(MINUTES)

clean:
	rm -rf $(VENV) benchmarks/.venvs build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
