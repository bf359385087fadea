PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
DATA ?= ../shared/data
BIOGRAPHIES = $(if $(wildcard $(DATA)/factscore-bio),$(DATA))
JUDGES ?= build/judges
TEACHER = $(JUDGES)/all-mpnet-base-v2
PORT ?= 2024
AT_ONCE := --numprocesses 3 --dist loadfile
ERRATA_CORPUS ?= demo/corpus
CURIE := --question "Who was Marie Curie?" --draft demo/drafts/marie-curie.txt
EIFFEL := --question "What is the Eiffel Tower?" --draft demo/drafts/eiffel-tower.txt
APOLLO := --question "What was Apollo 11?" --draft demo/drafts/apollo-11.txt

BOTH := --corpus demo/corpus --search corpus:demo/web

.DEFAULT_GOAL := help
.PHONY: help demo leaderboard test test-fast test-slow test-models test-inspect check format serve image draw lock train train-judges train-t5 test-crash test-ray fuzz bench bench-answers bench-corrections bench-costs bench-detection bench-endurance bench-explanations bench-faults bench-hostile bench-labels bench-models bench-nothing-lost bench-ray bench-retrieval bench-serving bench-speed bench-tables bench-throughput bench-verification

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 20

demo: .venv/demo ## correct three drafts with planted errors, answer three questions
	$(BIN)/errata correct $(CURIE) --corpus demo/corpus --diff
	$(BIN)/errata correct $(EIFFEL) --corpus demo/corpus --unsupported drop --diff
	$(BIN)/errata correct --method reex $(EIFFEL) --corpus demo/corpus --diff
	$(BIN)/errata check $(APOLLO) --corpus demo/corpus
	$(BIN)/errata answer "When was the Eiffel Tower opened?" $(BOTH)
	$(BIN)/errata answer "Who wrote Moby-Dick?" $(BOTH)
	$(BIN)/errata answer "Where did Marie Curie discover polonium?" $(BOTH)

test: .venv/dev ## run the tests
	$(BIN)/python -m pytest -m "not growth" $(AT_ONCE)

test-fast: .venv/dev ## run the tests without the slow ones, under a minute
	$(BIN)/python -m pytest -m "not slow and not growth" $(AT_ONCE)

test-slow: .venv/dev ## run the tests of growth: hostile texts of 1k to 100k characters, time and memory
	$(BIN)/python -m pytest -m growth

test-crash: .venv/dev ## kill every method's run at every step and call, and write docs/results/crash.md (POSTGRES_DSN adds Postgres; half an hour)
	$(BIN)/python -m errata.evals.crashes --out docs/results/crash.md

fuzz: .venv/dev ## run the property tests of tests/fuzz with 5,000 examples each (half an hour)
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest tests/fuzz $(AT_ONCE)

test-models: .venv/models ## run the tests of Hugging Face models in this process (installs 1.4 GB)
	$(BIN)/python -m pytest tests/tools/models/test_huggingface.py tests/tools/models/test_reflection.py tests/tools/judges/test_evaluator.py

test-inspect: build/inspect ## run the tests of inspect_ai's scorer in an environment of its own (its pins differ from ours)
	build/inspect/bin/python -m pytest tests/evals/test_inspect_scorer.py

test-ray: build/ray ## run the tests of batches on a Ray cluster of two nodes of this machine, in an environment of its own (2 min)
	build/ray/bin/python -m pytest tests/batch/test_ray_desk.py tests/batch/test_ray_cluster.py

check: .venv/dev ## check style, types, import contracts, and that generated docs are current
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy docs/generate.py
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check

format: .venv/dev ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

serve: .venv/dev ## serve the graphs on loopback for Studio and clients, state in memory (PORT=2024)
	@$(BIN)/python -m errata.server.ports "$(PORT)"
	ERRATA_AUTH=off ERRATA_CORPUS="$(ERRATA_CORPUS)" \
		$(BIN)/langgraph dev --no-browser --n-jobs-per-worker 16 --port $(PORT)

image: .venv/dev ## write deploy/Dockerfile from langgraph.json
	mkdir -p build/image/errata && cp langgraph.json pyproject.toml build/image/errata
	cd build/image/errata && $(CURDIR)/$(BIN)/langgraph dockerfile ../Dockerfile >/dev/null && cp ../Dockerfile $(CURDIR)/deploy

draw: .venv/dev ## update the generated parts of README.md and docs/
	$(BIN)/python docs/generate.py

lock: .venv/dev ## lock new prompt templates; refuse changed ones
	$(BIN)/python -m errata.prompts.lock

train: .venv/dev ## fit the lexical judges (needs the labelled data in DATA)
	$(BIN)/python -m errata.training.verifier $(DATA) tools/judges/verifier.lexical.json
	$(BIN)/python -m errata.training.evaluator $(DATA) tools/judges/evaluator.lexical.json lexical

train-judges: .venv/neural ## fine-tune the cross-encoder and fit the judges that use it (hours; goes on if stopped)
	test -f $(JUDGES)/plan.jsonl.gz || $(BIN)/python -m errata.training.mixture $(DATA) $(JUDGES)/plan.jsonl.gz
	test -d $(TEACHER) || $(BIN)/python -m errata.training.encoders $(JUDGES)
	test -f $(JUDGES)/teacher/average.pt || $(BIN)/python -m errata.training.stages $(JUDGES)/teacher 4e-5 $(JUDGES)/plan.jsonl.gz --base $(TEACHER)
	$(BIN)/python -m errata.training.teacher $(TEACHER) $(JUDGES)/teacher/average.pt $(JUDGES)/plan.jsonl.gz $(JUDGES)/taught
	test -f $(JUDGES)/first/average.pt || $(BIN)/python -m errata.training.stages $(JUDGES)/first 1.2e-4 $(JUDGES)/taught
	test -f $(JUDGES)/plan2.jsonl.gz || $(BIN)/python -m errata.training.mixture $(DATA) $(JUDGES)/plan2.jsonl.gz 1
	test -f $(JUDGES)/second/average.pt || $(BIN)/python -m errata.training.stages $(JUDGES)/second 1e-4 $(JUDGES)/plan2.jsonl.gz --start $(JUDGES)/first/average.pt
	mkdir -p $(JUDGES)/export && cp $(JUDGES)/second/average.pt $(JUDGES)/export
	$(BIN)/python -m errata.training.export $(JUDGES)/export
	cp $(JUDGES)/export/average.int8.onnx tools/judges/cross_encoder.onnx
	cp $(JUDGES)/export/tokens.json tools/judges/cross_encoder.tokens.json
	$(BIN)/python -m errata.training.verifier $(DATA) tools/judges/verifier.json $(JUDGES)/export/average.int8.onnx docs
	$(BIN)/python -m errata.training.evaluator $(DATA) tools/judges/evaluator.json

train-t5: .venv/neural ## fine-tune T5 as the paper's evaluator: BASE=t5-large ROWS=FILE TARGET=DIR
	$(BIN)/python -m errata.training.t5 $(BASE) $(ROWS) $(TARGET)

bench-answers: .venv/dev ## count right answers of plain RAG, CRAG and local code (MODEL=PROVIDER:NAME)
	$(BIN)/python -m errata.evals.answers $(DATA) --model $(or $(MODEL),local)

bench-models: .venv/dev ## repeat the figures with a capable model from recordings/ (needs the labelled data in DATA)
	$(BIN)/python -m errata.evals.corrections_by_model $(DATA) --model openai:m --replay recordings/rac.jsonl.gz
	$(BIN)/python -m errata.evals.corrections_by_model $(DATA) --model openai:m --replay recordings/rac.jsonl.gz --half dev
	$(BIN)/python -m errata.evals.explanations $(DATA) --model openai:m --replay recordings/reex.jsonl.gz
	$(BIN)/python -m errata.evals.answers $(DATA) --model openai:m --sample report --sets popqa,longtail \
		--systems plain,crag --settings '{"replay": "recordings/crag.jsonl.gz"}'
	$(BIN)/python -m errata.evals.answers $(DATA) --model openai:m --sample report --sets arc,pubhealth --count 10 \
		--systems plain,crag --task --settings '{"replay": "recordings/crag.jsonl.gz", "upper": 0.5, "lower": -0.91}'

leaderboard: .venv/dev ## run every method on every dataset with local fillers (needs the labelled data in DATA)
	$(BIN)/python -m errata.evals.leaderboard $(DATA)

bench-tables: .venv/dev ## repeat docs/results/model.md from recordings/tables.jsonl.gz (needs the labelled data in DATA)
	$(BIN)/errata eval --table re-ex:9 --data $(DATA) --limit 10 --model openai:m --replay recordings/tables.jsonl.gz \
		--out build/tables --format markdown

bench-costs: .venv/dev ## write docs/results/costs.md: what each method asks of a model (OPENAI_BASE_URL, else a simulated one)
	$(BIN)/python -m errata.evals.costs $(BIOGRAPHIES) --drafts 20 --at-once 5 --out docs/results/costs.md

bench-faults: .venv/dev ## write docs/results/faults.md: every fault of the simulated endpoint by every method (8 min)
	$(BIN)/python -m errata.evals.faults --out docs/results/faults.md

bench-nothing-lost: .venv/dev ## write docs/results/nothing_lost.md: 1,000 drafts with faults, killed three times on the way
	$(BIN)/python -m errata.evals.nothing_lost --out docs/results/nothing_lost.md

bench-serving: .venv/dev ## measure what serving costs; with a model at OPENAI_BASE_URL also many runs at once
	$(BIN)/python -m errata.evals.serving

bench-hostile: .venv/dev ## measure 200 runs at once alone and beside a hostile caller (10 min)
	$(BIN)/python -m errata.evals.hostile

bench-endurance: .venv/dev ## measure how a server ends with runs under way, and its memory after 5,000 (30 min)
	$(BIN)/python -m errata.evals.endurance

bench-verification: .venv/dev ## measure the local verifier on other kinds of text (needs the labelled data in DATA)
	$(BIN)/python -m errata.evals.verification $(DATA)

bench-labels: .venv/dev ## measure the local verifier's three labels on labelled sets (needs the labelled data in DATA)
	$(BIN)/python -m errata.evals.labels $(DATA)

bench-ray: build/ray ## measure batches on Ray with one worker and with two, beside the same rows without Ray
	build/ray/bin/python -m errata.evals.throughput_ray

bench-retrieval: .venv/dev ## measure what RAC finds in a corpus (needs the labelled data in DATA)
	$(BIN)/python -m errata.evals.retrieval $(DATA)

bench-throughput: .venv/dev ## write docs/results/throughput.md: drafts a second, memory, a corpus (DRAFTS=48 PASSAGES=20000)
	$(BIN)/python -m errata.evals.throughput $(BIOGRAPHIES) --drafts $(or $(DRAFTS),48) \
		--passages $(or $(PASSAGES),20000) --out docs/results/throughput.md

bench-speed: .venv/models ## time the local judges beside a T5 of the paper's size (installs 1.4 GB)
	$(BIN)/python -m errata.evals.speed $(DATA)

bench-detection: .venv/dev ## measure how RE-EX detects false responses (needs the labelled data in DATA)
	$(BIN)/python -m errata.evals.detection $(DATA)

bench: .venv/dev ## measure what runs add to their bare calls, beside the result kept last (KEEP=--keep keeps this one)
	$(BIN)/python -m errata.evals.bench $(KEEP)

bench-corrections: .venv/dev ## measure corrections of labelled drafts (needs the labelled data in DATA)
	$(BIN)/python -m errata.training.folds $(DATA) build/folds $(wildcard tools/judges/cross_encoder.onnx)
	$(BIN)/python -m errata.evals.corrections $(DATA) build/folds

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "errata needs Python 3.11 or newer; say which with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv

.venv/demo: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

.venv/dev: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[dev]'
	@touch $@ .venv/demo

build/ray: pyproject.toml constraints.txt
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[ray,redis]' pytest pytest-socket starlette uvicorn
	@touch $@

build/inspect: pyproject.toml
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[inspect]' pytest pytest-socket
	@touch $@

.venv/models: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[dev,huggingface]'
	@touch $@ .venv/dev .venv/demo

.venv/neural: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[dev,train-neural]'
	@touch $@ .venv/dev .venv/demo

bench-explanations: .venv/dev ## measure RE-EX with the model MODEL on FactPrompt (needs the labelled data in DATA)
	$(BIN)/python -m errata.evals.explanations $(DATA) --model $(MODEL)
