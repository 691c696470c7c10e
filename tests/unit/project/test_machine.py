"""Before a build, one line lists everything that the machine lacks."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "tools" / "check_machine.sh"
PACKAGES = {"python3", "python3-venv", "python3-dev", "g++"}


def python_without(folder, word):
    """Return a Python that fails wherever `word` is mentioned."""
    python = folder / "python"
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *{word}*) exit 1;; esac\nexec {sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    return str(python)


def complaint(python, **environment):
    done = subprocess.run(
        [SCRIPT, python], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert (done.returncode == 0) == (done.stderr == "") and not done.stdout
    return done.stderr


def packages_in(line):
    assert line.count("\n") == 1, line
    return set(line.split("apt install")[1].split())


def test_this_machine_can_build():
    assert complaint(sys.executable) == ""


@pytest.mark.parametrize(
    ("word", "package"), [("ensurepip", "python3-venv"), ("Python.h", "python3-dev")]
)
def test_a_missing_part_of_python_is_named_by_its_package(tmp_path, word, package):
    assert packages_in(complaint(python_without(tmp_path, word))) == {package}


def test_an_old_python_is_named():
    python = "false"  # fails the version check, like an old Python
    assert "3.11 or newer" in complaint(python)


@pytest.mark.parametrize("compiler", ["no-such-compiler", "false"])
def test_a_missing_compiler_is_named_by_its_package(compiler):
    assert packages_in(complaint(sys.executable, CXX=compiler)) == {"g++"}


def test_everything_that_is_missing_is_in_one_line():
    assert packages_in(complaint("no-such-python", CXX="no-such-compiler")) == PACKAGES


def test_the_readme_names_the_same_packages():
    (named,) = re.findall(r"`apt install ([^`]*)`", (ROOT / "README.md").read_text())
    assert set(named.split()) == PACKAGES | {"make"}
