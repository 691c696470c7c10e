"""Names and prose follow the glossary and the rules that `tools/check_words.py` checks."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "tools/check_words.py"
GLOSSARY = """
| term | meaning | papers | elsewhere | not |
|---|---|---|---|---|
| **pose** | Rotation and translation. | \\|ω\\| | transform | place (noun) |
| **candidate pair**, **pair** | Two bodies. | – | candidate | couple, live pair |
| **window** | A range of time. | – | interval | part (of time) |
| **coherence** | Data that help the next query. | – | warm start | memory (alone) |

| term | meaning | elsewhere |
|---|---|---|
| **mark** | A time to which one may jump. | milestone |
"""


def load() -> ModuleType:
    """Import the script, which is in no package."""
    spec = importlib.util.spec_from_file_location("check_words", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_words"] = module
    spec.loader.exec_module(module)
    return module


words = load()
RULES = words.read_rules(GLOSSARY)


def faults(text: str, name: str, folder: Path) -> list[str]:
    """Return the faults of a file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    found = words.faults_of_file(path, RULES)
    return [f"{line}: {fault}" for line, fault in found]


def test_the_glossary_gives_the_words_and_the_terms_to_use() -> None:
    assert [tuple(rule) for rule in RULES] == [
        ("place", "noun", "pose"),
        ("couple", "", "candidate pair or pair"),
        ("live pair", "", "candidate pair or pair"),
        ("memory", "alone", "coherence"),
    ]


def test_the_glossary_of_the_project_rejects_words() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    found = words.read_rules(text)
    assert len(found) > 20
    assert all(rule.term for rule in found)


@pytest.mark.parametrize(
    "code",
    [
        "couple = 1",
        "class LivePairs: ...",
        "def f(live_pair): ...",
        "def of_couples(): ...",
        "place = 1",
        "def find_place(): ...",
        "def test_the_place_of_a_body(): ...",
        "class Place: ...",
        "_memory = 1",
        "x.place = 1",
        "# Every couple is tested.",
        '"""Return the place of a body."""',
        '"""Of a body."""',
        '"""Whether it is free."""',
        "x = 1  # which is not one",
        "x = 1\n'''What is free.'''",
        "# It doesn't work.",
        "# That's all.",
        "# The bodies, of which two move.",
        "# The time of a body and that of its link.",
        "# The body of a link; there is none.",
        "# The bodies at that place.",
        "# The centre of a body.",
        "find_centre = 1",
        "raise ValueError('q: expected a live pair, got None')",
        "parser.add_argument('--x', help='the couples to test')",
    ],
)
def test_a_fault_in_python_is_found(code: str, tmp_path: Path) -> None:
    assert len(faults(code, "code.py", tmp_path)) == 1


@pytest.mark.parametrize(
    "code",
    [
        "coupled = decoupled = 1",
        "def place_bodies(): ...",
        "def test_a_pose_places_bodies(): ...",
        "in_place = 1",
        "peak_memory = 1",
        "# A pose that places bodies; it is None for others.",
        "part = 1",
        "# The color of two parameters, in centimeters.",
        "couples(x.couple)",  # a name that is used, and defined elsewhere
        "x = 'a couple of files'",
        '"""Place a body where its motion says; see `couple`."""',
        '"""Return which bodies move, and where they come to rest."""',
        "# The user's robot's base.",
        "# The first line, in spite of the pair\n# which is open, is fine.",
        "import couple",
        "#!/usr/bin/env python",
    ],
)
def test_code_without_faults_passes(code: str, tmp_path: Path) -> None:
    assert faults(code, "code.py", tmp_path) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("struct Place { int x; };", ["1: Place: the term is pose"]),
        ("/// Where it is.\nint x;", ['1: starts with "Where"']),
        ("/// Two bodies,\n/// which are free.\nint x;", []),
        ('throw Error("body: no couple");', ['1: "couple", the term is candidate pair or pair']),
        ('#include "couple.hpp"', []),
        ("place(x);", []),
    ],
)
def test_a_fault_in_cpp_is_found(code: str, expected: list[str], tmp_path: Path) -> None:
    assert faults(code, "code.cpp", tmp_path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Every couple moves.", ['1: "couple", the term is candidate pair or pair']),
        ("`couple` and [pairs](couple.md)", []),
        ("```python\ncouple = 1\n```", []),
        ("| a couple |", ['1: "couple", the term is candidate pair or pair']),
        ("# How to", []),
        ("word " * 21, ["1: expected at most 100 columns, got 105"]),
        ("| " + "word " * 21 + "|", []),
    ],
)
def test_a_fault_in_a_page_is_found(text: str, expected: list[str], tmp_path: Path) -> None:
    assert faults(text, "page.md", tmp_path) == expected


def test_words_of_other_fields_are_allowed_for_a_reason(tmp_path: Path) -> None:
    rule = words.Rule("way", "", "motion")
    path = tmp_path / "page.md"
    path.write_text("Its way is long.\n\nOne way or the other.\n")
    assert [line for line, _ in words.faults_of_file(path, [rule])] == [1]


def test_the_command_fails_on_faults(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    for text, code in (("It can't be.", 1), ("It cannot be.", 0)):
        path.write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
