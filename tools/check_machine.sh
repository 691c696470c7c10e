#!/bin/sh
# check_machine.sh PYTHON: checks that this machine can build the package. Prints all missing
# programs in one line, with the Debian packages that contain them.
python=$1
missing= packages=

lacks() {  # WHAT PACKAGE
  missing="${missing:+$missing, }$1"
  packages="$packages $2"
}

has() { "$python" -c "$1" >/dev/null 2>&1; }

compiles() {
  compiler=${CXX:-$(command -v c++ || command -v g++ || command -v clang++)}
  # Unquoted, because CXX may have several words, such as "ccache g++".
  printf '#include <bit>\n#include <concepts>\n#include <span>\nstd::integral auto x = 1;\n' |
    ${compiler:-false} -std=c++20 -fsyntax-only -x c++ - 2>/dev/null
}

if ! command -v "$python" >/dev/null 2>&1; then
  lacks "Python ($python)" "python3 python3-venv python3-dev"
elif ! has 'import sys; assert sys.version_info >= (3, 11)'; then
  echo "make: $("$python" --version) is too old, 3.11 or newer is needed;" \
    "choose another: make PYTHON=python3.11" >&2
  exit 1
else
  has 'import ensurepip, venv' || lacks "Python's venv" python3-venv
  has 'import os, sysconfig as s; os.stat(s.get_path("include") + "/Python.h")' ||
    lacks "Python's headers" python3-dev
fi
compiles || lacks "a compiler for C++20 (${CXX:-c++})" g++

[ -z "$missing" ] && exit
echo "make: missing $missing; on Debian: apt install$packages" >&2
exit 1
