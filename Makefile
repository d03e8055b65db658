# Every target installs what it needs, and does nothing twice.
#   make run        builds the program, gets MNIST, learns the ten digits and shows the result
#   make test       runs the tests
#   make test-full  runs the exhaustive tests too; run it before a change is called done
SHELL := /bin/bash
export JOBS ?= $(shell nproc)
SPRIG := build/release/sprig
CTEST := ctest --output-on-failure --no-tests=error --timeout 1200

# OpenCV and the font libraries are not built for the thread sanitizer, which would report their locks as races.
TSAN_OPTIONS := ignore_noninstrumented_modules=1
# Studies that take minutes with it. They start no threads of their own: the lab does, for all studies in the same way.
TSAN_LEFT_OUT := *EveryStudy.ReportsItsHeldOutSet*:*EveryStudy*/pictures:*EveryStudy*/pens:*EveryStudy*/resolutions
# Tests that take long without optimisation and reach no code of their own.
SLOW_TESTS := ^(lab_cli|doc_examples|mpi|mpi_groups|many_classes.*|baselines|structure|consumer|instructions.*|store_hostile)$$

# `make run` builds the program and its example only. A folder that is configured for more stays so.
PRODUCT := -DSPRIG_BUILD_LAB=OFF -DSPRIG_BUILD_TESTS=OFF -DSPRIG_BUILD_BENCHMARKS=OFF
EVERYTHING := -DSPRIG_BUILD_LAB=ON -DSPRIG_BUILD_TESTS=ON -DSPRIG_BUILD_BENCHMARKS=ON

.PHONY: help run page build data engine test test-release test-python test-js test-page test-full wheel bench bench-record bench-build package format format-check tidy clean
.DEFAULT_GOAL := help
.NOTPARALLEL:
.SHELLFLAGS := -o pipefail -c

help: ## show this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

run: ## learn the ten digits class by class, show the result, draw it to out/
	@scripts/install-deps core program
	@scripts/install-deps data & scripts/build release $(if $(wildcard build/release/CMakeCache.txt),,$(PRODUCT)) sprig_cli digits && wait $$!
	@$(SPRIG) data get mnist >&2
	@mkdir -p out
	@echo
	@build/release/examples/digits out
	@echo
	@echo "Try next  $(SPRIG) predict out/digits.sprig YOUR-PICTURE.png"
	@echo "          $(SPRIG) learn shapes.sprig PICTURE.png --label circle"
	@echo "          $(SPRIG) --help        (and README.md)"
	@echo
	@if [ -f web/dist/index.html ]; then \
	    echo "Draw your own shapes in the browser:  $(SPRIG) serve out/shapes.sprig --open"; \
	else \
	    echo "Draw your own shapes in the browser:  make page, then  $(SPRIG) serve out/shapes.sprig --open"; \
	fi

build: ## build the programs, the lab and the tests
	@scripts/install-deps core program data lab tests
	@scripts/build release $(EVERYTHING)

engine: ## build the package for JavaScript into js/dist
	@scripts/install-deps core web
	@scripts/js build

data: build
	@$(SPRIG) data get mnist >&2
	@$(SPRIG) data get fashion-mnist >&2

test: test-release test-python test-js test-page ## run the tests
	@scripts/tidy changed
	@scripts/build release sanitized_tests
	@$(CTEST) --test-dir build/release -j $(JOBS) -C sanitized -R '^sanitized_'

test-release:
	@scripts/install-deps core program data lab characters baselines mpi tests package
	@$(MAKE) --no-print-directory data
	@$(CTEST) --test-dir build/release -j $(JOBS)

test-python: ## build the Python package and run its tests
	@scripts/install-deps core program python
	@scripts/python test

test-js: ## build the package for JavaScript and run its tests
	@scripts/install-deps core program data web
	@$(if $(wildcard build/release/CMakeCache.txt),,scripts/build release $(PRODUCT) sprig_cli)
	@$(SPRIG) data get mnist >&2
	@scripts/js test

test-full: ## run all tests: other compilers, all sanitizers, every image, coverage, fuzzing
	@scripts/install-deps core program data lab characters baselines mpi python tests package web format tidy full
	@$(MAKE) --no-print-directory test-release test-python test-js format-check tidy
	SPRIG_EXHAUSTIVE=1 $(CTEST) --test-dir build/release -j $(JOBS) -R '^(vision|match)$$'
	@scripts/build sanitize
	$(CTEST) --test-dir build/sanitize -j $(JOBS) -E '^(store|store_faults)$$'
	SPRIG_EXHAUSTIVE=1 $(CTEST) --test-dir build/sanitize -j $(JOBS) -R '^(store|store_faults)$$'
	scripts/python sanitize
	scripts/page test-full
	@scripts/build clang
	$(CTEST) --test-dir build/clang -j $(JOBS)
	@scripts/build tsan
	TSAN_OPTIONS=$(TSAN_OPTIONS) GTEST_FILTER='-$(TSAN_LEFT_OUT)' $(CTEST) --test-dir build/tsan -j $(JOBS)
	scripts/test-portable
	SPRIG_EXHAUSTIVE=1 $(CTEST) --test-dir build/release -R '^(serve_kill|mpi_groups)$$'
	scripts/load 10
	scripts/coverage '$(SLOW_TESTS)'
	scripts/fuzz 30

bench: bench-build ## print a table of speed, beside other methods (WORK="NAME...": only these rows)
	@scripts/bench build/release/bench/bench_table $(WORK)
	@scripts/count-start-up $(SPRIG) build/release/bench/empty_program

bench-record: bench-build ## the same, and record it in docs/results.md and bench/history.csv
	@scripts/bench --record build/release/bench/bench_table

bench-build:
	@scripts/install-deps core program data lab baselines tests
	@scripts/build release $(EVERYTHING) sprig_cli bench_table empty_program
	@$(SPRIG) data get mnist >&2

page: ## build the page, in which you draw and teach, into web/dist
	@scripts/install-deps core program data web
	@scripts/page build
	@echo
	@echo "Open it with  $(SPRIG) serve out/shapes.sprig --open"
	@echo "or without a server of ours:  python3 -m http.server --directory web/dist  and  http://localhost:8000"

test-page: ## build the page and test its main path in Chromium
	@scripts/install-deps core program data web
	@scripts/page test

wheel: ## make a wheel of the Python package in dist
	@scripts/install-deps core program python
	@scripts/python wheel

package: ## make Debian packages of the program and of the library in build/packages
	@scripts/install-deps core program package
	@scripts/build release $(if $(wildcard build/release/CMakeCache.txt),,$(PRODUCT)) sprig_cli sprig_pages
	@scripts/package

format: ## format the code with clang-format
	@scripts/install-deps format
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

format-check:
	@git ls-files '*.cpp' '*.h' | grep . | xargs clang-format --dry-run --Werror

tidy: ## run clang-tidy on all files
	@scripts/install-deps core program data lab tests
	@scripts/tidy all

clean: ## remove everything that was built
	rm -rf build out js/dist js/node_modules
