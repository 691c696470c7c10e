# `make demo` and `make test` need only Python 3.11+ with venv and headers, g++ and make: they create
# their own environment in .venv. `make quick` is for daily work.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find core bindings src -type f -not -name '*.pyc') CMakeLists.txt pyproject.toml
BENCH := $(shell find benchmarks/src -type f -not -name '*.pyc') benchmarks/pyproject.toml

.PHONY: demo test test-browser test-long quick core lint clang arm bench docs docs-links clean

demo: .stamps/package
	$(BIN)/toccata demo --out report.html

test: lint core .stamps/tools
	$(BIN)/pytest tests

# The pages of the viewer in chromium, as a person would look at them; pictures in build/browser.
test-browser: .stamps/tools
	$(BIN)/pytest tests/browser

# The same tests with ten times as many random cases; another number: make test-long FUZZ=100
FUZZ ?= 10
test-long: export TOCCATA_FUZZ = $(FUZZ)
test-long: test

quick: lint .stamps/tools
	$(BIN)/pytest tests/unit -m "not slow" -x

lint: .stamps/tools
	$(BIN)/ruff check src tests benchmarks examples tools docs
	$(BIN)/ruff format --check src tests benchmarks examples tools
	$(BIN)/clang-format --dry-run --Werror $$(find core bindings tests -name '*.[ch]pp')
	$(BIN)/mypy

# The C++ tests, with AddressSanitizer and UBSan.
core: .stamps/environment
	$(BIN)/cmake -S . -B build/checked -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DTOCCATA_PYTHON=OFF -DTOCCATA_TESTS=ON > build/checked.log 2>&1 || (cat build/checked.log; exit 1)
	$(BIN)/cmake --build build/checked
	cd build/checked && ../../$(BIN)/ctest --output-on-failure $(if $(TOCCATA_FUZZ),--timeout 86400)

# The C++ tests and the extension by clang, which has to give the same answers, bit by bit.
clang: .stamps/tools
	@command -v clang++ > /dev/null || { echo "make clang: needs clang++ (apt install clang)"; exit 1; }
	$(BIN)/cmake -S . -B build/clang -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DCMAKE_CXX_COMPILER=clang++ -DPython_EXECUTABLE=$(abspath $(BIN))/python \
	  -DTOCCATA_TESTS=ON -DTOCCATA_SANITIZE=OFF > build/clang.log 2>&1 || (cat build/clang.log; exit 1)
	$(BIN)/cmake --build build/clang
	cd build/clang && ../../$(BIN)/ctest --output-on-failure
	TOCCATA_OTHER_BUILD=$(abspath build/clang) $(BIN)/pytest tests/unit/test_native.py

# The C++ tests for 64-bit ARM, in an emulator.
ARM := aarch64-linux-gnu
arm: .stamps/environment
	@command -v $(ARM)-g++ > /dev/null && command -v qemu-aarch64 > /dev/null || \
	  { echo "make arm: needs a cross compiler and qemu (apt install g++-$(ARM) qemu-user)"; exit 1; }
	$(BIN)/cmake -S . -B build/arm -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=$(ARM)-g++ \
	  "-DCMAKE_CROSSCOMPILING_EMULATOR=env;TOCCATA_EMULATED=1;qemu-aarch64;-L;/usr/$(ARM)" -DTOCCATA_PYTHON=OFF \
	  -DTOCCATA_TESTS=ON -DTOCCATA_SANITIZE=OFF > build/arm.log 2>&1 || (cat build/arm.log; exit 1)
	$(BIN)/cmake --build build/arm
	cd build/arm && ../../$(BIN)/ctest --output-on-failure

bench: .stamps/package
	$(BIN)/pip install -q "./benchmarks[peers]"
	$(BIN)/toccata bench rigid
	$(BIN)/toccata bench deforming
	$(BIN)/toccata bench robots
	$(BIN)/toccata bench dynamics
	$(BIN)/toccata bench adaptive
	$(BIN)/toccata bench scale
	$(BIN)/toccata bench view

# The site of docs/ and the docstrings, in build/site; a warning or a dead link ends it.
docs: .stamps/docs
	$(BIN)/sphinx-build -W --keep-going -q docs build/site
	@echo "build/site/index.html"

# Links to other sites, which needs a network.
docs-links: .stamps/docs
	$(BIN)/sphinx-build -q -b linkcheck docs build/links

.stamps/environment:
	@tools/check_machine.sh $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --upgrade pip
	$(BIN)/pip install -q "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.26" ninja
	mkdir -p .stamps build && touch $@

.stamps/package: .stamps/environment $(SOURCES)
	$(BIN)/pip install -q --no-build-isolation ".[io,view]"
	touch $@

.stamps/bench: $(BENCH) | .stamps/package
	$(BIN)/pip install -q --no-build-isolation ./benchmarks
	touch $@

.stamps/tools: .stamps/package .stamps/bench
	$(BIN)/pip install -q --no-build-isolation ".[test]"
	touch $@

.stamps/docs: .stamps/package
	$(BIN)/pip install -q --no-build-isolation ".[docs]"
	touch $@

clean:
	rm -rf build .stamps $(VENV) report.html
