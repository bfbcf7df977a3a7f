# What a developer and the CI run; `make` alone lists it.

SWIFT ?= swift
# What `make demo` imports.
INDEX ?= /var/lib/dpkg/status
SOURCES = Sources Tests Examples $(wildcard Soak Benchmarks) Package.swift
# Options for `make bench`, such as --quick or --only fetch.
BENCH ?=

# Options for every build, such as -Xswiftc -gline-tables-only.
FLAGS ?=

# Tests that run at once. Many wait for threads of their own; of hundreds at once each takes minutes.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

# A value from outside would choose other tests than those a target names.
unexport CAULDRON_TESTS

.PHONY: help setup demo test bench check scripts docs format symbols thread address

help:
	@echo "make demo     run the two examples"
	@echo "make test     run the tests"
	@echo "make bench    compare with the C API and GRDB, in release; BENCH=--quick for a look"
	@echo "make docs     make the documentation, in .build/docs"
	@echo "make check    look at structure, style, public symbols and documentation, and run the tests under"
	@echo "              ThreadSanitizer and AddressSanitizer"
	@echo "make format   format the sources"
	@echo "make symbols  record the public symbols as they are now"
	@echo "make setup    install what the build needs (done by the others as well)"

setup:
	@Scripts/setup "$(SWIFT)"

# Debug builds: quick to make, and fast enough for this.
demo: setup
	$(SWIFT) run QuickStart
	$(SWIFT) run PackageIndex "$(INDEX)"

# Package.swift reads CAULDRON_TESTS, and tells why the macros have a run of their own.
test: setup
	CAULDRON_TESTS=macros SWIFT="$(SWIFT)" Scripts/test $(FLAGS)
	SWIFT="$(SWIFT)" Scripts/test $(FLAGS)

# Writes .build/bench.json and .build/bench.svg as well.
bench: setup
	$(SWIFT) run -c release --package-path Benchmarks --scratch-path .build/bench Compare $(BENCH)

# The quick checks first.
check: scripts
	Scripts/house
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	$(SWIFT) build --explicit-target-dependency-import-check error $(FLAGS)
	SWIFT="$(SWIFT)" Scripts/symbols --check --skip-build
	SWIFT="$(SWIFT)" Scripts/docs --skip-build
	SWIFT="$(SWIFT)" FLAGS="$(FLAGS)" Scripts/plugin
	$(MAKE) thread
	$(MAKE) address

# The tests of the scripts.
scripts:
	@Scripts/setup "$(SWIFT)" python3
	Scripts/house --test

# A sanitizer looks at every access, so that a short stress tells as much as a long one.
SHORTER = CAULDRON_TEST_SLACK=5 CAULDRON_STRESS_SECONDS=5 CAULDRON_TRUTH_RUNS=40 CAULDRON_MODEL_STEPS=100 \
  CAULDRON_FORMAT_TEXTS=10000

REPORTS = $(CURDIR)/.build/report

# One folder for both, so that packages are built once. The CI names the folder of the plain build, which
# has them already; a developer's next plain build would have to make the library anew there.
SANITIZED_PATH ?= .build/sanitized
SANITIZED = --scratch-path "$(SANITIZED_PATH)" $(FLAGS)

# There is no file of suppressions: whatever is reported is a defect.
thread: setup
	@rm -f $(REPORTS).*
	CAULDRON_TESTS=thread TSAN_OPTIONS=log_path=$(REPORTS) REPORTS=$(REPORTS) \
	  SWIFT="$(SWIFT)" $(SHORTER) Scripts/test $(SANITIZED)

# Leaks are not looked for, because Foundation keeps what it makes once for ever.
address: setup
	@rm -f $(REPORTS).*
	CAULDRON_TESTS=address ASAN_OPTIONS=detect_leaks=0:log_path=$(REPORTS) REPORTS=$(REPORTS) \
	  SWIFT="$(SWIFT)" $(SHORTER) Scripts/test $(SANITIZED)

# A server of files shows it: python3 -m http.server --directory .build/docs, and then
# http://localhost:8000/documentation/cauldron.
docs:
	@Scripts/setup "$(SWIFT)" python3
	SWIFT="$(SWIFT)" Scripts/docs

symbols:
	@Scripts/setup "$(SWIFT)" python3
	SWIFT="$(SWIFT)" Scripts/symbols --write

format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)
