"""The order of the core's folders is its architecture: an include never points upward."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ORDER = (
    "base",
    "math",
    "geometry",
    "motion",
    "bvh",
    "robot",
    "narrow",
    "walk",
    "broad",
    "query",
    "dynamics",
)
ROOMS: dict[str, dict[str, tuple[str, ...]]] = {
    "query": {
        "setting": (),
        "first_contact": ("setting",),
        "robot_first_contact": ("setting",),
        "clearance": ("setting", "first_contact", "robot_first_contact"),
        "path": ("setting", "robot_first_contact", "clearance"),
        "deforming": (),
        "": ("setting", "first_contact"),
    },
    "dynamics": {
        "body": (),
        "articulated": ("body",),
        "solver": ("body",),
        "certify": ("body",),
        "hand": ("body", "solver", "certify"),
        "world": ("body", "articulated", "solver", "certify"),
    },
}
"""Rooms of a floor, and the other rooms of the same floor that each one may include. The empty name
stands for the files of the floor that are in no room."""
ROOT = Path(__file__).parents[3]
CORE, BINDINGS = ROOT / "core", ROOT / "bindings"

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PYTHON = re.compile(r"^(nanobind|pybind11|numpy)/|^(Python|pyconfig)\.h$")
PRINTING_HEADERS = ("iostream", "ostream", "print", "syncstream")
PRINTING = re.compile(
    r"\bstd::(cout|cerr|clog|print|println)\b"
    r"|\b(printf|vprintf|fprintf|vfprintf|puts|fputs|putchar|fputc|putc|fwrite|perror)\s*\("
    r"|\b(stdout|stderr)\b"
)


def includes(code: str) -> list[tuple[str, str]]:
    """Return the quote and the target of every include."""
    return [(quote, target) for quote, target in INCLUDE.findall(COMMENT.sub("", code))]


def faults_of_core(path: str, code: str) -> Iterator[str]:
    """Yield the faults of a file in a folder of the core, such as "base" or "query/path"."""
    folder = path.split("/")[0]
    for quote, target in includes(code):
        own = target.startswith("toccata/")
        if PYTHON.search(target):
            yield f"includes Python: {target}"
        elif target in PRINTING_HEADERS:
            yield f"can print: {target}"
        elif (quote == '"') != own:
            yield f'expected "toccata/..." or <standard>, got {target}'
        elif own and not is_allowed(folder, target.split("/")[1]):
            yield f"{folder} includes upward: {target}"
        elif is_beside(path, target):
            yield f"{path} includes a folder beside it: {target}"
    yield from (f"prints: {found[0]}" for found in PRINTING.finditer(COMMENT.sub("", code)))


def is_allowed(folder: str, included: str) -> bool:
    return included in ORDER[: ORDER.index(folder) + 1]


def is_beside(path: str, target: str) -> bool:
    """Return whether a file includes a room of its own floor that it may not know."""
    floor, here, *_ = [*path.split("/"), ""]
    _, below, there, *_ = [*target.split("/"), "", ""]
    rooms = ROOMS.get(floor, {})
    return floor == below and there in rooms and there not in (here, *rooms.get(here, ()))


def faults_of_bindings(code: str) -> Iterator[str]:
    """Yield the forbidden includes of a binding."""
    for quote, target in includes(code):
        in_core = target.startswith("toccata/") and (CORE / target).is_file()
        beside = "/" not in target and (BINDINGS / target).is_file()
        if quote == '"' and not (in_core or beside):
            yield f'expected "toccata/..." or a neighbor, got {target}'
        if quote == "<" and target.startswith("toccata"):
            yield f"expected quotes around {target}"


def folder_of(path: Path) -> str:
    return path.parent.relative_to(CORE / "toccata").as_posix()


def sources(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp", ".h", ".cc"))


CORE_FILES = sources(CORE)


def test_every_file_of_the_core_has_a_folder_in_the_order() -> None:
    assert len(CORE_FILES) > 20
    for path in CORE_FILES:
        top, folder, *rest = path.relative_to(CORE).parts
        assert top == "toccata" and folder in ORDER and rest, path


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda p: str(p.relative_to(CORE)))
def test_the_core_keeps_its_order(path: Path) -> None:
    assert list(faults_of_core(folder_of(path), path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", sources(BINDINGS), ids=lambda p: p.name)
def test_bindings_include_the_core_by_its_name(path: Path) -> None:
    assert list(faults_of_bindings(path.read_text(encoding="utf-8"))) == []


# Types and words that depend on the compiler or the processor.
UNPORTABLE = re.compile(
    r"\blong double\b|__builtin_shuffle\b|\b_mm\d*_|mmintrin|arm_neon"
    r"|\b__(clang|GNUC|clang_major|AVX\d*|SSE\d*|ARM_NEON|SANITIZE_ADDRESS)_*\b"
)
SHIM = CORE / "toccata" / "math" / "simd.hpp"


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda p: str(p.relative_to(CORE)))
def test_one_header_depends_on_compilers_and_instruction_sets(path: Path) -> None:
    found = UNPORTABLE.findall(COMMENT.sub("", path.read_text(encoding="utf-8")))
    assert (found != []) == (path == SHIM)


def test_included_files_exist() -> None:
    for path in CORE_FILES:
        for quote, target in includes(path.read_text(encoding="utf-8")):
            assert quote == "<" or (CORE / target).is_file(), f"{path}: {target}"


# The tests above can fail: files with one fault each.


@pytest.mark.parametrize(
    ("folder", "code"),
    [
        ("base", '#include "toccata/math/vec3.hpp"'),
        ("math", '#include "toccata/walk/options.hpp"'),
        ("motion", '  #  include "toccata/bvh/mesh.hpp"  // just this once'),
        ("bvh", '#include <vector>\n#include "toccata/narrow/advancement/approach.hpp"\n'),
        ("narrow", '#include "toccata/walk/contact.hpp"'),
        ("narrow/linear", '#include "toccata/walk/expand.hpp"'),
        ("walk", '#include "toccata/broad/body_set.hpp"'),
        ("query/path", '#include "toccata/dynamics/world/world.hpp"'),
        ("query/setting", '#include "toccata/query/first_contact/hca.hpp"'),
        ("query/first_contact", '#include "toccata/query/clearance/search.hpp"'),
        ("query/deforming", '#include "toccata/query/setting/setting.hpp"'),
        ("query/deforming/clusters", '#include "toccata/query/first_contact/methods.hpp"'),
        ("bvh", '#include "toccata/robot/robot.hpp"'),
        ("broad", '#include "toccata/query/robot_first_contact/first_contact.hpp"'),
        ("dynamics/body", '#include "toccata/dynamics/solver/projection.hpp"'),
        ("dynamics/hand", '#include "toccata/dynamics/world/world.hpp"'),
        ("query", '#include "toccata/elsewhere/thing.hpp"'),
        ("query", '#include "pair.hpp"'),
        ("query", '#include "../bvh/mesh.hpp"'),
        ("query", "#include <toccata/bvh/mesh.hpp>"),
        ("query", "#include <nanobind/nanobind.h>"),
        ("query", "#include <Python.h>"),
        ("query", "#include <iostream>"),
        ("base", 'void f() { std::printf("%d", 1); }'),
        ("base", 'void f() { fprintf (stream, "here"); }'),
        ("base", 'void f() { std::cerr << "here"; }'),
        ("base", 'void f() { std::println("here"); }'),
        ("base", "FILE* f() { return stderr; }"),
    ],
)
def test_a_fault_in_the_core_is_found(folder: str, code: str) -> None:
    assert len(list(faults_of_core(folder, code))) == 1


@pytest.mark.parametrize(
    ("folder", "code"),
    [
        ("query", '#include "toccata/base/index.hpp"\n#include "toccata/walk/contact.hpp"'),
        (
            "query/path",
            '#include "toccata/walk/pair.hpp"\n#include "toccata/query/clearance/search.hpp"',
        ),
        ("query/deforming/clusters", '#include "toccata/query/deforming/features.hpp"'),
        ("dynamics", '#include "toccata/query/scene.hpp"'),
        ("dynamics/world", '#include "toccata/dynamics/solver/projection.hpp"'),
        ("robot/poses", '#include "toccata/robot/robot.hpp"'),
        ("base", '// #include "toccata/walk/contact.hpp"\n/* std::cout */ int printed;'),
        ("base", 'void f(char* s) { std::snprintf(s, 1, "a"); }'),
        ("math", "#include <immintrin.h>\n#include <cstdio>"),
    ],
)
def test_allowed_code_has_no_faults(folder: str, code: str) -> None:
    assert list(faults_of_core(folder, code)) == []


@pytest.mark.parametrize(
    "code",
    [
        '#include "../core/toccata/bvh/mesh.hpp"',
        '#include "bvh/mesh.hpp"',
        '#include "toccata/nothing.hpp"',
        "#include <toccata/bvh/mesh.hpp>",
    ],
)
def test_a_fault_in_a_binding_is_found(code: str) -> None:
    assert len(list(faults_of_bindings(code))) == 1


def test_a_type_of_the_core_has_one_definition() -> None:
    """Two types of one name in one namespace break the one-definition rule without an error."""
    anonymous = re.compile(r"^namespace \{$.*?^\}  // namespace$", re.MULTILINE | re.DOTALL)
    defined = re.compile(r"^(?:struct|class|enum class) (\w+)\b(?!::| *;)[^;\n]*\{", re.MULTILINE)
    files: dict[str, list[str]] = {}
    for path in CORE_FILES:
        for name in defined.findall(anonymous.sub("", path.read_text(encoding="utf-8"))):
            files.setdefault(name, []).append(path.name)
    assert len(files) > 50
    assert {name: found for name, found in files.items() if len(found) > 1} == {}
