# The front door. Every target sets up what it needs, and does nothing twice.
#   make run        build, get the data, learn MNIST class by class, draw what was learned
#   make test       the tests, within 15 minutes from a clean clone
#   make test-full  the exhaustive ones too; run before a change is called done
SHELL := /bin/bash
export JOBS ?= $(shell nproc)
SPRIG := build/release/sprig
LAB := build/release/sprig-lab
CTEST := ctest --output-on-failure --no-tests=error --timeout 1200

# OpenCV and the font libraries are not built for the thread sanitizer: it would take their locks for races.
TSAN_OPTIONS := ignore_noninstrumented_modules=1

.PHONY: help run build data test test-full bench format format-check tidy clean deps deps-tests deps-full
.DEFAULT_GOAL := help
.NOTPARALLEL:
.SHELLFLAGS := -o pipefail -c

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

deps:
	@scripts/install-deps core program lab tests

deps-tests:
	@scripts/install-deps core program lab baselines mpi tests

deps-full:
	@scripts/install-deps core program lab baselines mpi tests format full

build: deps ## the programs and their tests
	@scripts/build release

data: build
	@$(SPRIG) data get mnist >&2
	@$(SPRIG) data get fashion-mnist >&2

run: data ## learn MNIST class by class, show the result, draw to out/
	@mkdir -p out
	@$(SPRIG) show mnist:train:17 -o out/construction.svg
	@$(LAB) summary mnist:all --filter paper
	@echo
	@$(LAB) run headline --learner both --seeds 0 --out out
	@echo "Now look at out/headline/units-constellation-default.svg: all that was learned; retention-constellation-default.svg:"
	@echo "that it stays; the same of the paper's learner, modeller-best; and out/construction.svg: what both see of an image."

test: deps-tests data ## the tests, within 15 minutes from a clean clone
	@$(CTEST) --test-dir build/release -j $(JOBS)
	@scripts/build sanitize
	@$(CTEST) --test-dir build/sanitize -j $(JOBS)

test-full: deps-full test format-check tidy ## and the exhaustive ones: other compilers, sanitizers, every image, fuzzing
	SPRIG_EXHAUSTIVE=1 $(CTEST) --test-dir build/release -j $(JOBS) -R '^(vision|match)$$'
	SPRIG_EXHAUSTIVE=1 $(CTEST) --test-dir build/sanitize -j $(JOBS) -R '^(store|store_faults)$$'
	@scripts/build sanitize-all
	$(CTEST) --test-dir build/sanitize-all -j $(JOBS)
	@scripts/build clang
	$(CTEST) --test-dir build/clang -j $(JOBS)
	@scripts/build debug
	$(CTEST) --test-dir build/debug -j $(JOBS)
	@scripts/build tsan
	TSAN_OPTIONS=$(TSAN_OPTIONS) $(CTEST) --test-dir build/tsan -j $(JOBS)
	scripts/coverage
	scripts/fuzz 30

bench: data ## speed, as ratios and instructions
	@build/release/bench/bench_front_end
	@scripts/count-instructions build/release/bench/count_front_end 50 250 front-end
	@build/release/bench/bench_modeller
	@scripts/count-instructions build/release/bench/count_modeller 50 450 learn
	@scripts/count-instructions build/release/bench/count_modeller 50 450 predict
	@build/release/bench/bench_constellation
	@scripts/count-instructions build/release/bench/count_constellation 50 450 learn
	@scripts/count-instructions build/release/bench/count_constellation 50 450 decide
	@scripts/count-instructions build/release/bench/count_constellation 50 450 predict
	@build/release/bench/bench_store build
	@scripts/count-instructions build/release/bench/count_store 50 450 constellation
	@scripts/count-instructions build/release/bench/count_store 50 450 modeller
	@build/release/bench/bench_seed

format: ## the code's format, by clang-format
	@scripts/install-deps format
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

format-check:
	@git ls-files '*.cpp' '*.h' | grep . | xargs clang-format --dry-run --Werror

tidy: build
	@scripts/tidy

clean: ## everything that was built
	rm -rf build out
