"""Makes bounds wrong on purpose, one at a time, and runs the test that must fail then.

    python tests/mutations.py                 all mutations, with the Python of the environment
    python tests/mutations.py NAME ...        mutations by name, or by the start of their names
    python tests/mutations.py --list          the table in tests/README.md
    python tests/mutations.py --check         only: does each text occur exactly once?

A mutation is a table in a file of `tests/mutations`:

    [name]
    bound = "subject: change, as in the table of tests/README.md"
    file = "path of the file"
    text = "exact text, found once in the file"
    becomes = "its replacement"
    test = "tests/core/NAME.cpp, or what pytest accepts"
    equivalent = "reason, if no test can fail: the script then expects that the test passes"

Mutations are applied to a copy of the sources in `build/mutations`. The copy is compiled as C++
tests without sanitizers, or as the extension of the package, and only as far as the test needs.
Each test must pass before the first mutation. The exit code is 0 if all results are as expected.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "mutations"
TREE = ROOT / "build" / "mutations" / "tree"
BUILD = ROOT / "build" / "mutations" / "build"
COPIED = ("core", "bindings", "src", "tests/core", "CMakeLists.txt")
LONGEST_TEST = 900  # seconds


class UnusableMutationError(Exception):
    """A mutation that does not apply, does not compile, or has no test that runs."""


@dataclass(frozen=True)
class Mutation:
    """A bound made wrong, and the test that must fail."""

    name: str
    bound: str
    file: str
    text: str
    becomes: str
    test: str
    equivalent: str = ""

    def applied(self) -> str:
        """Return the text of the mutated file; refuse a text that is not found exactly once."""
        path = ROOT / self.file
        if not path.is_file():
            raise UnusableMutationError(f"does not apply: no file {self.file}")
        source = path.read_text()
        if (count := source.count(self.text)) != 1:
            raise UnusableMutationError(f"does not apply: text found {count} times in {self.file}")
        return source.replace(self.text, self.becomes)

    @property
    def target(self) -> str:
        """The target of the build that the test needs."""
        return Path(self.test).stem if self.test.endswith(".cpp") else "_core"


def read_all() -> list[Mutation]:
    """Return all mutations, in the order of the table."""
    found: list[Mutation] = []
    for path in sorted(DATA.glob("*.toml")):
        for name, fields in tomllib.loads(path.read_text()).items():
            found.append(Mutation(name, **fields))
    names = [m.name for m in found]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise SystemExit(f"tests/mutations: repeated names {sorted(repeated)}")
    return found


def table(mutations: list[Mutation]) -> str:
    """Return the table of tests/README.md: one row for each subject and test."""
    rows: dict[tuple[str, str], list[str]] = {}
    for m in mutations:
        if not m.equivalent:
            subject, change = m.bound.split(": ", 1)
            rows.setdefault((subject, m.test.removeprefix("tests/")), []).append(change)
    lines = ["| bound | made wrong | caught by |", "|---|---|---|"]
    lines += [f"| {s} | {'; '.join(changes)} | `{test}` |" for (s, test), changes in rows.items()]
    return "\n".join(lines)


def equivalents(mutations: list[Mutation]) -> str:
    """Return the table of the mutations that no test can detect."""
    lines = ["| mutation | reason |", "|---|---|"]
    lines += [f"| {m.bound} | {m.equivalent} |" for m in mutations if m.equivalent]
    return "\n".join(lines)


def run(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options
    )


def copy_sources() -> None:
    """Make the copy equal to the sources. Files that are equal keep their times."""
    wanted = set()
    for top in COPIED:
        for path in [ROOT / top, *(ROOT / top).rglob("*")]:
            if not path.is_file() or path.suffix in (".pyc", ".so"):
                continue
            copy = TREE / path.relative_to(ROOT)
            wanted.add(copy)
            if not copy.is_file() or not filecmp.cmp(path, copy, shallow=False):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    for path in list(TREE.rglob("*")):
        if path.is_file() and path not in wanted and path.suffix not in (".pyc", ".so"):
            path.unlink()


def configure() -> None:
    tools = Path(sys.executable).parent
    done = run(
        *(tools / "cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja"),
        *(f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}", f"-DPython_EXECUTABLE={sys.executable}"),
        *("-DTOCCATA_NATIVE=ON", "-DTOCCATA_TESTS=ON", "-DTOCCATA_SANITIZE=OFF"),
        "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",  # compiles faster, and has the same bits
    )
    if done.returncode:
        raise SystemExit(done.stdout)


def build(target: str) -> None:
    done = run(Path(sys.executable).parent / "cmake", "--build", BUILD, "--target", target)
    if done.returncode:
        raise UnusableMutationError(f"does not compile: {done.stdout[-3000:]}")
    if target == "_core":
        (extension,) = BUILD.glob("_core.*so")
        shutil.copyfile(extension, TREE / "src" / "toccata" / extension.name)


def fails(mutation: Mutation) -> bool:
    """Run the test of a mutation on the last build. Return whether it fails."""
    if mutation.target != "_core":
        command = [BUILD / mutation.target]
    else:
        command = [Path(sys.executable), "-m", "pytest", "-x", "-p", "no:cacheprovider"]
        command += [ROOT / mutation.test]
    # The package is imported from the copy, not from the environment.
    environment = {**os.environ, "PYTHONPATH": str(TREE / "src")}
    try:
        done = run(*command, env=environment, timeout=LONGEST_TEST)
    except subprocess.TimeoutExpired:
        raise UnusableMutationError("the test does not end") from None
    # pytest returns 1 for a failed test, and more if tests did not run.
    if mutation.target == "_core" and done.returncode > 1:
        raise UnusableMutationError(f"the test does not run: {done.stdout[-3000:]}")
    return done.returncode != 0


def check_unmutated(mutations: list[Mutation]) -> None:
    """Run every test once without a mutation. Each must pass."""
    copy_sources()
    configure()
    for m in {m.test: m for m in mutations}.values():
        build(m.target)
        if fails(m):
            raise SystemExit(f"{m.test} fails without a mutation")


def outcome(mutation: Mutation) -> tuple[bool, str]:
    """Apply one mutation, build and test. Return whether the result is as expected, and a word."""
    try:
        mutated = mutation.applied()
        copy_sources()
        (TREE / mutation.file).write_text(mutated)
        build(mutation.target)
        caught = fails(mutation)
    except UnusableMutationError as problem:
        return False, str(problem)
    if mutation.equivalent:
        return not caught, "caught, but said to be equivalent" if caught else "equivalent"
    return caught, "caught" if caught else "NOT caught"


def chosen(names: list[str]) -> list[Mutation]:
    """Return the mutations whose names start with one of `names`; all without names."""
    mutations = read_all()
    for name in names:
        if not any(m.name.startswith(name) for m in mutations):
            raise SystemExit(f"name: expected one of tests/mutations, got {name!r}")
    return [m for m in mutations if not names or m.name.startswith(tuple(names))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", help="mutations to run; default: all")
    parser.add_argument("--list", action="store_true", help="print the tables of tests/README.md")
    parser.add_argument("--check", action="store_true", help="only find the texts to replace")
    parser.add_argument("--trusting", action="store_true", help="do not run tests unmutated first")
    options = parser.parse_args()
    mutations = chosen(options.name)
    if options.list:
        print(table(mutations), equivalents(mutations), sep="\n\n")
        return 0
    for m in mutations:
        try:
            m.applied()
        except UnusableMutationError as problem:
            raise SystemExit(f"{m.name}: {problem}") from None
    if options.check:
        return 0
    if options.trusting:
        copy_sources()
        configure()
    else:
        check_unmutated(mutations)
    # Mutations of one file in a row: the next build restores the file and compiles it once.
    unexpected = 0
    for m in sorted(mutations, key=lambda m: (m.target == "_core", m.file)):
        start = time.monotonic()
        as_expected, word = outcome(m)
        unexpected += not as_expected
        print(f"{m.name}: {word} ({time.monotonic() - start:.0f} s)", flush=True)
    print(f"{len(mutations)} mutations, {unexpected} unexpected")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
