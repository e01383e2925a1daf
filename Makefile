# All the work is done by scripts/; here are the doors to it. PG_CONFIG=… means a PostgreSQL of your own (15 to 18).

MAKEFLAGS += --no-print-directory
PG_CONFIG ?=
export PG_CONFIG

.PHONY: help demo url psql stop test test-core test-pg16 test-pg15 test-pg18 test-llm install installcheck lint bench bench-101 bench-recall bench-facts bench-workers bench-encryption fuzz model clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'With PG_CONFIG=/path/to/pg_config: demo, url, psql, stop, test, install and installcheck use your own PostgreSQL.'

demo: ## build, start a private server and play a conversation; leaves the server running
	@scripts/demo.sh run

url: ## print the connection string of the demo server
	@scripts/demo.sh url

psql: ## open psql on the demo server
	@scripts/demo.sh psql

stop: ## stop the demo server
	@scripts/demo.sh stop

test: ## run every test on private servers (PostgreSQL 16 and 15, or your own)
	@scripts/test.sh $(WITH) core tools $(if $(PG_CONFIG),own,pg16 pg15)

test-core: ## run the tests that need no server
	@scripts/test.sh core tools

test-pg16: ## run the tests on the embedded PostgreSQL 16
	@scripts/test.sh pg16

test-pg15: ## run the tests on Debian's PostgreSQL 15
	@scripts/test.sh pg15

test-pg18: ## run the tests on the embedded PostgreSQL 18
	@scripts/test.sh pg18

test-llm: ## ask a real, tiny LLM on loopback for everything that LLMs are asked for (fetches 130 MB)
	@scripts/test-llm.sh

install: ## build and install into the PostgreSQL of PG_CONFIG
	@scripts/install.sh

installcheck: ## run the regression tests on a running server (PG_CONFIG, PGHOST, PGPORT, PGUSER)
	@scripts/installcheck.sh

lint: ## rustfmt, clippy, pgspot, shellcheck
	@scripts/lint.sh

bench: ## run the benchmarks on a private server (SCALE=0.01 for a quick look, ONLY=conversations or memories)
	@scripts/bench.sh $(ONLY) $(if $(SCALE),--scale $(SCALE))

bench-101: ## 25 facts over 101 turns (NOISE=file: what is said in between)
	@scripts/on_bench_server.sh recall101 bench/recall101.py $(if $(NOISE),--noise "$(abspath $(NOISE))")

bench-recall: ## evidence found in long conversations (DATA=file in the form of LoCoMo)
	@scripts/on_bench_server.sh recall bench/recall.py "$(abspath $(or $(DATA),$(error DATA=file is missing)))" $(if $(PROFILES),--profiles "$(PROFILES)")

bench-facts: ## what learning facts adds to a turn
	@scripts/on_bench_server.sh fact_cost bench/fact_cost.py

bench-workers: ## what workers do to the application while 200 sessions are summarised
	@WORKERS=on scripts/on_bench_server.sh workers bench/workers.py

bench-encryption: ## what encryption adds to a turn, a recall and a context
	@scripts/on_bench_server.sh encryption_cost bench/encryption.py

fuzz: ## run the fuzz targets (SECONDS=60 each)
	@scripts/fuzz.sh $(SECONDS)

model: ## make the built-in model anew (ARGS='--chatbot ko_chatbot.csv …', see models/README.md)
	@scripts/model.sh $(ARGS)

clean: ## stop all private servers and remove what was built
	@scripts/clean.sh
