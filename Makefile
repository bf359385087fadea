PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
DATA ?= ../shared/data
JUDGES ?= build/judges
ENCODER = $(JUDGES)/all-mpnet-base-v2
HUGE_PAGES = glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=8589934592:glibc.malloc.trim_threshold=17179869184
PORT ?= 2024
BASELINES := packages/errata-baselines
AT_ONCE := --numprocesses 3 --dist loadfile
ERRATA_CORPUS ?= demo/corpus
# Compiled once, the code starts faster in each of the many processes of the tests.
export PYTHONDONTWRITEBYTECODE :=
CURIE := --question "Who was Marie Curie?" --draft demo/drafts/marie-curie.txt
EIFFEL := --question "What is the Eiffel Tower?" --draft demo/drafts/eiffel-tower.txt
APOLLO := --question "What was Apollo 11?" --draft demo/drafts/apollo-11.txt

BOTH := --corpus demo/corpus --search corpus:demo/web

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-slow test-models test-ray check format serve image draw site dist lock train train-judges fuzz bench folds

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 20

demo: .venv/demo ## correct three drafts with planted errors, answer three questions
	$(BIN)/errata correct $(CURIE) --corpus demo/corpus --cite numbers --diff
	@echo "The same by a language model, whose replies were recorded (recordings/README.md):"
	$(BIN)/errata correct $(CURIE) --corpus demo/corpus --model openai:reader --replay recordings/demo.jsonl.gz --diff
	$(BIN)/errata correct $(EIFFEL) --corpus demo/corpus --unsupported drop --diff
	$(BIN)/errata correct --method reex $(EIFFEL) --corpus demo/corpus --diff
	$(BIN)/errata check $(APOLLO) --corpus demo/corpus
	$(BIN)/errata cite demo/drafts/towers.md --documents demo/corpus
	$(BIN)/errata answer "When was the Eiffel Tower opened?" $(BOTH)
	$(BIN)/errata answer "Who wrote Moby-Dick?" $(BOTH)
	$(BIN)/errata answer "What ore did Marie Curie extract polonium from?" $(BOTH)

test: .venv/dev ## run the tests
	$(BIN)/python -m pytest -m "not growth" $(AT_ONCE)

test-fast: .venv/dev ## run the tests without the slow ones, under a minute
	$(BIN)/python -m pytest -m "not slow and not growth" $(AT_ONCE)

test-slow: .venv/dev ## run the tests of growth (hostile texts of 1k to 100k characters, time and memory) and larger samples of labelled data
	$(BIN)/python -m pytest -m growth

fuzz: .venv/dev ## run the property tests of tests/fuzz with 5,000 examples each (half an hour)
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest tests/fuzz $(AT_ONCE)

test-models: .venv/models ## run the tests of Hugging Face models in this process (installs 1.4 GB)
	$(BIN)/python -m pytest tests/tools/models/test_huggingface.py tests/tools/judges/test_evaluators.py tests/tools/judges/test_hub.py

test-ray: build/ray ## run the tests of batches on a Ray cluster of two nodes of this machine, in an environment of its own (2 min)
	build/ray/bin/python -m pytest tests/batch/test_ray.py tests/batch/test_ray_cluster.py

check: .venv/dev ## check style, types, import contracts, budgets, and that generated docs are current
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy docs/generate.py
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check
	$(BIN)/python docs/weigh.py

format: .venv/dev ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

serve: .venv/dev ## serve the graphs on loopback for Studio and clients, state in memory (PORT=2024)
	ERRATA_AUTH=off ERRATA_CORPUS="$(ERRATA_CORPUS)" \
		$(BIN)/langgraph dev --no-browser --n-jobs-per-worker 16 --port $(PORT)

image: .venv/dev ## write deploy/Dockerfile from langgraph.json
	mkdir -p build/image/errata && cp langgraph.json pyproject.toml build/image/errata
	cd build/image/errata && $(CURDIR)/$(BIN)/langgraph dockerfile ../Dockerfile >/dev/null && cp ../Dockerfile $(CURDIR)/deploy

draw: .venv/dev ## update the generated parts of README.md and docs/
	$(BIN)/python docs/generate.py

site: .venv/dev ## build the site of README.md and docs/ in build/site; a broken link is an error
	$(BIN)/python -m sphinx -EW --keep-going -q -c docs/site -d build/doctrees . build/site

dist: build/dist ## build wheel and sdist in dist/, check them, list what the wheel brings along (SBOM)
	rm -rf dist build/sbom
	build/dist/bin/python -m build
	build/dist/bin/python -m twine check --strict dist/*
	build/dist/bin/check-wheel-contents dist/*.whl
	$(PYTHON) -m venv --without-pip build/sbom
	build/dist/bin/python -m pip --python build/sbom/bin/python install --quiet --disable-pip-version-check --constraint constraints.txt dist/*.whl
	build/sbom/bin/errata correct $(EIFFEL) --corpus demo/corpus
	build/dist/bin/cyclonedx-py environment --output-reproducible --mc-type library --pyproject pyproject.toml --output-file dist/errata.cdx.json build/sbom/bin/python

lock: .venv/dev ## lock new prompt templates; refuse changed ones
	$(BIN)/python -m errata.prompts.lock prompts $(BASELINES)/errata_baselines/prompts

train: .venv/dev ## fit the judges by the shipped cross-encoder (needs the labelled data in DATA)
	$(BIN)/python -m errata.training.verifier $(DATA) tools/judges/verifier.json
	$(BIN)/python -m errata.training.evaluator $(DATA) tools/judges/evaluator.json

train-judges: .venv/neural ## fine-tune the cross-encoder and fit the judges (hours; goes on if stopped)
	test -f $(JUDGES)/plan.jsonl.gz || $(BIN)/python -m errata.training.mixture $(DATA) $(JUDGES)/plan.jsonl.gz
	test -d $(ENCODER) || $(BIN)/python -m errata.training.encoders $(JUDGES)
	test -f $(JUDGES)/twelve/final.pt || GLIBC_TUNABLES=$(HUGE_PAGES) $(BIN)/python -m errata.training.stages $(JUDGES)/twelve 3e-5 $(JUDGES)/plan.jsonl.gz --base $(ENCODER) --layers 12 --frozen 2 --start runs/twelve_layers.npz
	$(BIN)/python -m errata.training.export $(JUDGES)/twelve/final.pt $(ENCODER) 12
	cp $(JUDGES)/twelve/cross_encoder.* tools/judges
	$(MAKE) train

bench: .venv/dev ## run a benchmark: NAME=costs ARGS="--help"; without NAME the list of them (data in DATA)
	$(BIN)/python -m errata.evals.benches $(if $(NAME),$(NAME) --data $(DATA) $(ARGS))

folds: .venv/dev ## fit the verifiers that `make bench NAME=corrections` needs, each on one half of the people
	$(BIN)/python -m errata.training.folds $(DATA) build/folds

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "errata needs Python 3.11 or newer; say which with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv

.venv/demo: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

.venv/dev: pyproject.toml constraints.txt $(BASELINES)/pyproject.toml | $(BIN)/python
	$(INSTALL) --editable '.[dev]' --editable $(BASELINES)
	@touch $@ .venv/demo

build/ray: pyproject.toml constraints.txt $(BASELINES)/pyproject.toml
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[ray]' --editable $(BASELINES) pytest pytest-socket pytest-xdist hypothesis starlette uvicorn
	@touch $@

build/dist: constraints.txt
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt build twine check-wheel-contents cyclonedx-bom
	@touch $@

.venv/models: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[dev,huggingface]' --editable $(BASELINES)
	@touch $@ .venv/dev .venv/demo

.venv/neural: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[dev,train-neural]' --editable $(BASELINES)
	@touch $@ .venv/dev .venv/demo
