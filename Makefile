# `make demo` and `make test` need only Python 3.11+ with venv and headers, g++ and make: they create
# an environment in .venv. `make quick` is for daily work.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install -q --no-compile
# Compiles for this processor only; a wheel for all processors takes twice as long.
NATIVE := -C cmake.define.TOCCATA_NATIVE=ON -C build-dir=build/native
SOURCES := $(shell find core bindings src -type f -not -name '*.pyc') CMakeLists.txt pyproject.toml
BENCH := $(shell find benchmarks/src -type f -not -name '*.pyc') benchmarks/pyproject.toml

# Announces a stage; each takes seconds to minutes.
stage = @echo "==> $(1)"

.PHONY: demo test test-browser test-long quick core lint clang arm bench docs docs-links clean

demo: .stamps/package
	$(call stage,Solving one scene of each kind)
	$(BIN)/toccata demo --report report.html

test: lint core .stamps/tools
	$(call stage,Testing the package on all cores (5 to 15 minutes on two))
	$(BIN)/pytest tests --ignore tests/browser -n auto

# Tests the viewer in chromium and saves pictures in build/browser. Drawing without a graphics card
# takes minutes on all cores.
test-browser: .stamps/tools
	$(BIN)/pytest tests/browser

# Runs the tests with ten times as many random cases, on a build for all processors. For a hundred
# times as many: make test-long FUZZ=100
FUZZ ?= 10
test-long: .stamps/tools
	$(call stage,Compiling the package for all processors of this kind)
	$(PIP) --no-build-isolation --no-deps --force-reinstall .
	TOCCATA_FUZZ=$(FUZZ) $(MAKE) test test-browser

quick: lint .stamps/tools
	$(BIN)/pytest tests/unit -m "not slow" -x

lint: .stamps/tools
	$(call stage,Checking style and types)
	$(BIN)/ruff check src tests benchmarks examples tools docs
	$(BIN)/ruff format --check src tests benchmarks examples tools
	$(BIN)/python tools/check_words.py
	$(BIN)/clang-format --dry-run --Werror $$(find core bindings tests -name '*.[ch]pp')
	$(BIN)/mypy
	@PATH="$(abspath $(BIN)):$$PATH" basedpyright --verifytypes toccata --ignoreexternal \
	  > build/types.log || { grep -B2 -A3 error build/types.log; exit 1; }

# Runs the C++ tests with AddressSanitizer and UBSan; with all of their checks in the long tests.
core: .stamps/environment
	$(call stage,Compiling the C++ tests with sanitizers (3 to 6 minutes on two cores))
	$(BIN)/cmake -S . -B build/checked -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DTOCCATA_PYTHON=OFF -DTOCCATA_TESTS=ON -DTOCCATA_SANITIZE_ALL=$(if $(TOCCATA_FUZZ),ON,OFF) \
	  > build/checked.log 2>&1 || (cat build/checked.log; exit 1)
	$(BIN)/cmake --build build/checked
	$(call stage,Running the C++ tests)
	cd build/checked && ../../$(BIN)/ctest -j $$(nproc) --output-on-failure \
	  $(if $(TOCCATA_FUZZ),--timeout 86400)

# Builds the C++ tests and the extension with clang; answers must be equal bit by bit.
clang: .stamps/tools
	@command -v clang++ > /dev/null || { echo "make clang: needs clang++ (apt install clang)"; exit 1; }
	$(BIN)/cmake -S . -B build/clang -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DCMAKE_CXX_COMPILER=clang++ -DPython_EXECUTABLE=$(abspath $(BIN))/python \
	  -DTOCCATA_TESTS=ON -DTOCCATA_SANITIZE=OFF > build/clang.log 2>&1 || (cat build/clang.log; exit 1)
	$(BIN)/cmake --build build/clang
	cd build/clang && ../../$(BIN)/ctest --output-on-failure
	TOCCATA_OTHER_BUILD=$(abspath build/clang) $(BIN)/pytest tests/unit/project/test_native.py

# Runs the C++ tests for 64-bit ARM in an emulator.
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

# Builds the site from docs/ and the docstrings in build/site; a warning or a dead link is an error.
docs: .stamps/docs
	$(BIN)/sphinx-build -W --keep-going -q docs build/site
	@echo "build/site/index.html"

# Checks links to other sites; needs a network.
docs-links: .stamps/docs
	$(BIN)/sphinx-build -q -b linkcheck docs build/links

.stamps/environment:
	@tools/check_machine.sh $(PYTHON)
	$(call stage,Creating an environment in $(VENV))
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	$(PIP) "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.26" ninja
	mkdir -p .stamps build && touch $@

.stamps/package: .stamps/environment $(SOURCES)
	$(call stage,Compiling the package (2 to 3 minutes on two cores))
	$(PIP) --no-build-isolation $(NATIVE) ".[io,view]"
	touch $@

.stamps/bench: $(BENCH) | .stamps/package
	$(PIP) --no-build-isolation ./benchmarks
	touch $@

.stamps/tools: .stamps/package .stamps/bench
	$(call stage,Installing the packages that tests need)
	$(PIP) --no-build-isolation $(NATIVE) ".[test]"
	touch $@

.stamps/docs: .stamps/package
	$(PIP) --no-build-isolation $(NATIVE) ".[docs]"
	touch $@

clean:
	rm -rf build .stamps $(VENV) report.html
