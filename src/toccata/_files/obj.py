"""Wavefront OBJ files: every `o` and every `g` line starts a part.

Lines of materials, textures, normals, points and curves are skipped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._files.part import Part, Triangles, fans
from toccata._files.text import parsed

_FREE_FORM = {b"curv", b"curv2", b"surf", b"call", b"csh", b"bzp", b"bsp", b"cdc", b"cdp", b"res"}
"""Statements of curved geometry, or of geometry in other files."""


@dataclass(slots=True)
class _Statements:
    """The lines of a file that make its geometry, each list in their order."""

    vertices: list[tuple[int, bytes]] = field(default_factory=list)
    """Line numbers and coordinates."""
    faces: list[tuple[int, bytes]] = field(default_factory=list)
    """Line numbers and corners."""
    before: list[int] = field(default_factory=list)
    """By face: the number of vertices above it."""
    owner: list[int] = field(default_factory=list)
    """By face: its part."""
    names: list[str] = field(default_factory=list)
    """Of all parts, those without faces too."""


def read_obj(path: Path) -> list[Part]:
    """Return the parts of a file that have faces."""
    found = _statements(path)
    if not found.faces:
        raise ValueError("expected a file with faces, got none")
    vertices = _coordinates(found.vertices)
    triangles, owner = _triangles(found, len(vertices))
    order = np.argsort(owner, kind="stable")
    names, starts = np.unique(owner[order], return_index=True)
    return [
        Part(found.names[name], _taken(vertices, triangles[rows]), np.eye(4))
        for name, rows in zip(names, np.split(order, starts[1:]), strict=True)
    ]


def _statements(path: Path) -> _Statements:
    text = path.read_bytes().replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    found, named = _Statements(names=[path.name]), ""
    vertices, faces = found.vertices, found.faces
    for number, line in enumerate(text.splitlines(), 1):
        head, _, rest = line.strip().replace(b"\t", b" ").partition(b" ")
        if head == b"v":
            vertices.append((number, rest))
        elif head in (b"f", b"fo"):
            faces.append((number, rest))
            found.before.append(len(vertices))
            found.owner.append(len(found.names) - 1)
        elif head in (b"o", b"g"):
            name = rest.strip().decode("utf-8", errors="replace")
            if head == b"o":
                named = name
            found.names.append(name or named or path.name)
        elif head in _FREE_FORM:
            raise ValueError(f"line {number}: expected polygons, got {head.decode()!r}")
    return found


def _coordinates(lines: list[tuple[int, bytes]]) -> Floats:
    """Return (n, 3) coordinates; weights and colors may follow them."""
    if not lines:
        raise ValueError("expected vertices, got none")
    widths = np.array([len(rest.split()) for _, rest in lines])
    if short := np.flatnonzero(widths < 3).tolist():
        number, rest = lines[short[0]]
        raise ValueError(f"line {number}: expected three coordinates, got {_shown(rest)}")
    values = _numbers(lines, widths, np.float64)
    starts = np.cumsum(widths) - widths
    return values[starts[:, None] + np.arange(3)]


def _triangles(found: _Statements, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (m, 3) rows of vertices, counted from 0, and the part of each."""
    lines = found.faces
    if any(b"/" in rest for _, rest in lines):
        lines = [(number, _without_textures(rest)) for number, rest in lines]
    widths = np.array([len(rest.split()) for _, rest in lines])
    if short := np.flatnonzero(widths < 3).tolist():
        number, rest = lines[short[0]]
        raise ValueError(f"line {number}: expected at least three corners, got {_shown(rest)}")
    corners = _numbers(lines, widths, np.int64)
    row = np.repeat(np.arange(len(lines)), widths)
    above = np.array(found.before)[row]
    rows = np.where(corners > 0, corners - 1, above + corners)  # -1 is the last one above
    wrong = (corners == 0) | (rows < 0) | (rows >= count)
    if np.any(wrong):
        at = int(np.argmax(wrong))
        raise ValueError(
            f"line {lines[row[at]][0]}: expected a vertex in 1..{count}, got {corners[at]}"
        )
    return fans(rows, widths), np.repeat(np.array(found.owner), widths - 2)


def _without_textures(corners: bytes) -> bytes:
    return b" ".join([corner.partition(b"/")[0] or corner for corner in corners.split()])


def _numbers(lines: list[tuple[int, bytes]], widths: NDArray[Any], kind: Any) -> NDArray[Any]:
    """Return all numbers of the lines."""
    values = parsed(b" ".join([rest for _, rest in lines]), kind)
    if values is not None and len(values) == widths.sum():
        return values
    for number, rest in lines:
        if parsed(rest, kind) is None:
            wanted = "integers" if kind is np.int64 else "numbers"
            raise ValueError(f"line {number}: expected {wanted}, got {_shown(rest)}")
    raise AssertionError("numbers that are none together")


def _taken(vertices: Floats, triangles: NDArray[np.int64]) -> Triangles:
    """Return triangles with their own vertices only, in the order of the file."""
    used = np.unique(triangles)
    if len(used) == len(vertices):
        return Triangles(vertices, triangles)
    return Triangles(vertices[used], np.searchsorted(used, triangles))


def _shown(rest: bytes) -> str:
    return repr(rest[:60].decode("utf-8", errors="replace"))
