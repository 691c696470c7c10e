"""Reader of Wavefront OBJ files: every `o` and every `g` line starts a part.

Materials, textures, normals, points and lines are skipped. Curves and surfaces are errors.
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
    """The geometry statements of a file, without their first words."""

    lines: list[bytes]
    """All lines of the file."""
    vertices: list[bytes] = field(default_factory=list)
    faces: list[bytes] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    """Number of vertices above each face."""
    owner: list[int] = field(default_factory=list)
    """Index of the part of each face."""
    names: list[str] = field(default_factory=list)
    """Names of all parts, including parts without faces."""

    def line(self, words: tuple[bytes, ...], row: int) -> int:
        """Return the line number of statement `row` among the statements with these first words."""
        heads = ((line.split(None, 1) or [b""])[0] for line in self.lines)
        return [number for number, head in enumerate(heads, 1) if head in words][row]


_VERTEX, _FACE = (b"v",), (b"f", b"fo")


def read_obj(path: Path) -> list[Part]:
    """Return the parts with faces of a file."""
    found = _statements(path)
    if not found.faces:
        raise ValueError("expected a file with faces, got none")
    vertices = _coordinates(found)
    triangles, owner = _triangles(found, len(vertices))
    order = np.argsort(owner, kind="stable")
    names, starts = np.unique(owner[order], return_index=True)
    return [
        Part(found.names[name], _taken(vertices, triangles[rows]), np.eye(4))
        for name, rows in zip(names, np.split(order, starts[1:]), strict=True)
    ]


def _statements(path: Path) -> _Statements:
    text = path.read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    found = _Statements(text.replace(b"\\\n", b" ").splitlines(), names=[path.name])
    vertices, faces, before, owner = found.vertices, found.faces, found.before, found.owner
    named, part = "", 0
    for line in found.lines:
        if line[:2] == b"v ":  # the two most frequent statements are tested first, for speed
            vertices.append(line[2:])
            continue
        if line[:2] == b"f ":
            faces.append(line[2:])
            before.append(len(vertices))
            owner.append(part)
            continue
        head, *rest = line.split(None, 1) or [b""]
        words = rest[0].strip() if rest else b""
        if head == b"v":
            vertices.append(words)
        elif head in _FACE:
            faces.append(words)
            before.append(len(vertices))
            owner.append(part)
        elif head in (b"o", b"g"):
            name = words.decode("utf-8", errors="replace")
            if head == b"o":
                named = name
            part = len(found.names)
            found.names.append(name or named or path.name)
        elif head in _FREE_FORM:
            number = found.line((head,), 0)
            raise ValueError(f"line {number}: expected polygons, got {head.decode()!r}")
    return found


def _coordinates(found: _Statements) -> Floats:
    """Return the coordinates of vertices, (n, 3), without weights and colors."""
    if not found.vertices:
        raise ValueError("expected vertices, got none")
    widths = np.array([len(words.split()) for words in found.vertices])
    if short := np.flatnonzero(widths < 3).tolist():
        number, words = found.line(_VERTEX, short[0]), found.vertices[short[0]]
        raise ValueError(f"line {number}: expected three coordinates, got {_shown(words)}")
    values, bad = _numbers(found.vertices, np.float64)
    if bad is not None:
        number, words = found.line(_VERTEX, bad), found.vertices[bad]
        raise ValueError(f"line {number}: expected numbers, got {_shown(words)}")
    if np.all(widths == 3):
        return np.asarray(values.reshape(-1, 3))
    return np.asarray(values[(np.cumsum(widths) - widths)[:, None] + np.arange(3)])


def _triangles(found: _Statements, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the vertex indices of triangles, counted from 0, (m, 3), and the part of each."""
    corners_of = found.faces
    if b"/" in b" ".join(found.faces):
        corners_of = [_without_textures(words) for words in found.faces]
    widths = np.array([len(words.split()) for words in corners_of])
    if short := np.flatnonzero(widths < 3).tolist():
        number, words = found.line(_FACE, short[0]), found.faces[short[0]]
        raise ValueError(f"line {number}: expected at least three corners, got {_shown(words)}")
    corners, bad = _numbers(corners_of, np.int64)
    if bad is not None:
        number, words = found.line(_FACE, bad), found.faces[bad]
        raise ValueError(f"line {number}: expected integers, got {_shown(words)}")
    rows = corners - 1
    if np.any(corners <= 0):
        above = np.repeat(np.array(found.before), widths)
        rows = np.where(corners > 0, rows, above + corners)  # -1 is the last vertex above
    wrong = (corners == 0) | (rows < 0) | (rows >= count)
    if np.any(wrong):
        at = int(np.argmax(wrong))
        number = found.line(_FACE, int(np.searchsorted(np.cumsum(widths), at, side="right")))
        raise ValueError(f"line {number}: expected a vertex in 1..{count}, got {corners[at]}")
    return fans(rows, widths), np.repeat(np.array(found.owner), widths - 2)


def _without_textures(words: bytes) -> bytes:
    return b" ".join([corner.partition(b"/")[0] or corner for corner in words.split()])


def _numbers(lines: list[bytes], kind: type[Any]) -> tuple[NDArray[Any], int | None]:
    """Return all numbers of the lines, or the index of the first line with another word."""
    values = parsed(b" ".join(lines), kind)
    if values is not None:
        return values, None
    return np.zeros(0), next(i for i, words in enumerate(lines) if parsed(words, kind) is None)


def _taken(vertices: Floats, triangles: NDArray[np.int64]) -> Triangles:
    """Return triangles with only the vertices that they use, in the order of the file."""
    if triangles.size < len(vertices) / 8:  # faster if there are many parts
        used = np.unique(triangles)
        return Triangles(vertices[used], np.searchsorted(used, triangles))
    taken = np.zeros(len(vertices), dtype=bool)
    taken[triangles] = True
    if np.all(taken):
        return Triangles(vertices, triangles)
    return Triangles(vertices[taken], (np.cumsum(taken) - 1)[triangles])


def _shown(words: bytes) -> str:
    return repr(words[:60].decode("utf-8", errors="replace"))
