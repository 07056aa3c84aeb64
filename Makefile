# Every target sets up all it needs: a virtual environment in $(VENV), the tools of pyproject.toml, the Rust module.
# `make` lists the targets; PYTHON=python3.12 chooses the interpreter.

PYTHON ?= python3
VENV ?= .venv
SECONDS ?= 600
FUZZ_SECONDS ?= 60
SEED ?=
PAGES ?=
BIN := $(VENV)/bin
PY := $(BIN)/python
CORE := src/certus/_core.abi3.so
RUST := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)

export PYO3_PYTHON := $(abspath $(PY))
export VIRTUAL_ENV := $(abspath $(VENV))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help build demo test test-engines test-versions test-wheel quick studies search fuzz hunt sklearn-suite peer-suites check lint bench docs pages site demo-data wheel clean

help:
	@echo 'make demo    evaluate the runs and predictions that ship with certus'
	@echo 'make test    build and run the tests'
	@echo 'make test-engines    run the tests that start a browser, Spark or PostgreSQL, where these are installed'
	@echo 'make test-versions   try the wheel on each Python found here, and on the oldest dependencies'
	@echo 'make test-wheel      run the tests against the built wheel in an environment of its own'
	@echo 'make quick   run the tests nearest to what you changed, for at most a minute'
	@echo 'make search  try the tests on new random examples for SECONDS (600)'
	@echo 'make fuzz    try readers, kernels and states on inputs made to break them, each target for FUZZ_SECONDS (60)'
	@echo 'make hunt    measure the coverage of default intervals on a few random settings'
	@echo 'make studies run the coverage studies again and write their pages; PAGES=coverage-means for one; hours'
	@echo 'make sklearn-suite   run the tests of scikit-learn itself against certus.compat.sklearn'
	@echo 'make peer-suites     run the code of ir_measures, BEIR, MTEB, PyTerrier and others, downloaded, on certus.compat'
	@echo 'make check   everything CI runs: tests, format, lint, types, contracts, Rust, docs, licences'
	@echo 'make bench   measure certus against its peers'
	@echo 'make docs    write the generated pages and pictures of docs/ and the metrics of the public modules'
	@echo 'make pages   write again what the examples of the guides print'
	@echo 'make site    build the documentation site into site/html, and follow its links'
	@echo 'make build   build the Rust module into src/certus'
	@echo 'make wheel   build a wheel into dist/'

$(VENV)/.maturin: pyproject.toml
	@echo 'certus: making $(VENV) and installing maturin, which builds the Rust module'
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --upgrade 'pip>=25.1'
	$(PY) -m pip install --quiet --group build
	touch $@

$(CORE): $(VENV)/.maturin $(RUST)
	@echo 'certus: compiling the Rust module and installing what certus needs to run; about two minutes the first time'
	PIP_QUIET=1 $(BIN)/maturin develop --release
	touch $@

$(VENV)/.tools: $(VENV)/.maturin
	@echo 'certus: installing the tools of developers: tests, linters, types'
	$(PY) -m pip install --quiet --group dev
	touch $@

build: $(CORE)

demo: build
	$(BIN)/certus demo

# The suites run in targets of their own: scikit-learn's is long, the others download the packages that hold the tests.
# So do the tests that wait for another program. Each worker takes a half in a row, so that what the tests of a file share
# is made once; who has done takes over from the other. All cores have a worker: numpy and scikit-learn need no threads.
test test-wheel sklearn-suite: export OMP_NUM_THREADS := 1
test test-wheel sklearn-suite: export OPENBLAS_NUM_THREADS := 1
test: build $(VENV)/.tools
	$(PY) -m pytest -n auto --dist worksteal -m 'not engines' --ignore=tests/compat/sklearn_suite --ignore=tests/compat/peer_suites

test-engines: build $(VENV)/.tools
	$(PY) -m pytest -m engines tests/engines tests/report tests/spark

# A clean environment each: self-check, demo and some tests.
test-versions: wheel
	$(PY) tools/versions.py dist/*.whl

# In the default mode of pytest, without the sources: what works there works for whoever installs certus.
test-wheel: wheel
	$(PY) tools/check_wheel.py --suite dist/*.whl

quick: build $(VENV)/.tools
	$(PY) tools/quick.py

# `make test` tries the same examples each time; this tries others.
search: build $(VENV)/.tools
	$(PY) tools/search.py --seconds $(SECONDS) --seed "$(SEED)"

fuzz: build $(VENV)/.tools
	$(PY) tools/fuzz.py --seconds $(FUZZ_SECONDS)

# A small version of docs/coverage-hunt.md, on fixed seeds; it fails where default intervals cover too little.
hunt: build $(VENV)/.tools
	$(PY) bench/coverage/hunt.py --settings 66 --samples 60 --metrics 3 --seed 5 --fail > /dev/null

studies: build $(VENV)/.tools
	$(PY) tools/studies.py $(PAGES)

sklearn-suite: build $(VENV)/.tools
	$(PY) -m pytest tests/compat/sklearn_suite

peer-suites: build $(VENV)/.tools
	$(PY) -m pytest tests/compat/peer_suites

lint: build $(VENV)/.tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PY) -m mypy.stubtest certus._core --mypy-config-file pyproject.toml --allowlist tools/stubtest_allowlist.txt
	$(PY) tools/make_stubs.py --check
	$(PY) tools/make_docs.py --check
	$(PY) tools/make_hit_lists.py --check
	$(PY) tools/make_reference_pages.py --check
	$(PY) tools/make_zhang_su.py --check
	$(PY) tools/reference_items.py --check
	$(PY) tools/check_text.py
	$(PY) tools/check_words.py
	$(PY) tools/check_licences.py
	$(PY) tools/make_licences.py --check
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --release --locked --quiet -- -D warnings
	cargo test --package certus-core --release --locked --quiet

check: test test-engines sklearn-suite peer-suites hunt lint site

docs: build $(VENV)/.tools
	$(PY) tools/make_stubs.py
	$(PY) tools/make_docs.py
	$(PY) tools/make_hit_lists.py
	$(PY) tools/make_reference_pages.py
	$(PY) tools/make_zhang_su.py
	$(PY) tools/reference_items.py
	$(PY) tools/make_pictures.py

pages: build $(VENV)/.tools
	$(PY) tools/refresh_pages.py --write

$(VENV)/.site: $(VENV)/.tools
	$(PY) -m pip install --quiet --group site
	touch $@

# Needs nothing from outside, neither to be built nor to be read: open site/html/index.html.
site: build $(VENV)/.site
	$(PY) tools/make_site.py

$(VENV)/.bench: $(VENV)/.tools
	$(PY) -m pip install --quiet --group bench
	touch $@

bench: build $(VENV)/.bench
	$(PY) bench/inputs.py
	$(PY) bench/inputs_beside.py
	$(PY) bench/retrieval.py
	$(PY) bench/classifiers.py
	$(PY) bench/chance.py
	$(PY) bench/compare.py
	$(PY) bench/multilabel.py
	$(PY) bench/regressors.py
	$(PY) bench/clusterings.py

$(VENV)/.demo-data: $(VENV)/.tools
	$(PY) -m pip install --quiet --group demo
	touch $@

demo-data: $(VENV)/.demo-data
	$(PY) tools/make_demo.py
	$(PY) tools/make_demo_predictions.py

wheel: $(VENV)/.maturin
	$(BIN)/maturin build --release --out dist
	$(BIN)/python tools/strip_bom.py dist/*.whl

clean:
	rm -rf $(VENV) target dist site $(CORE)
