"""Reader of 3MF files: every mesh in the build is a part, with the name of its item or object.

The unit of the file is not applied to coordinates.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element
from zipfile import BadZipFile, ZipFile

import numpy as np

from toccata._arrays import Floats
from toccata._files.part import Part, Triangles
from toccata._files.text import parsed, read_tree

_MOST_PARTS = 1_000_000
"""Most parts of a file, because nested components can multiply a few lines beyond all memory."""
_MOST_BYTES = 2**32
"""Largest size of an unpacked model in bytes."""


def read_threemf(path: Path) -> list[Part]:
    """Return the parts of a file, in the order of its build."""
    try:
        with ZipFile(path) as archive:
            return _Package(archive).parts()
    except (BadZipFile, EOFError, OSError, RuntimeError, zlib.error) as error:
        raise ValueError(f"expected a 3MF file ({error})") from error


class _Package:
    """The models of an archive and their objects by id."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._files = {name.lstrip("/").lower(): name for name in archive.namelist()}
        self._models: dict[str, tuple[Element, dict[str | None, Element]]] = {}
        self._known: dict[int, Triangles] = {}
        self._count = 0

    def parts(self) -> list[Part]:
        root = self._root()
        result: list[Part] = []
        for item in self._model(root)[0].findall("build/item"):
            self._place(result, root, item, np.eye(4), ())
        return result

    def _root(self) -> str:
        """Return the name of the root model."""
        if "_rels/.rels" in self._files:
            links = read_tree(self._archive.read(self._files["_rels/.rels"]), "relationships")
            for link in links.iter("Relationship"):
                if link.get("Type", "").endswith("/3dmodel"):
                    return link.get("Target", "").lstrip("/").lower()
        return "3d/3dmodel.model"

    def _model(self, name: str) -> tuple[Element, dict[str | None, Element]]:
        if name not in self._models:
            if name not in self._files:
                raise ValueError(f"the archive has no model {name!r}")
            size = self._archive.getinfo(self._files[name]).file_size
            if size > _MOST_BYTES:
                raise ValueError(f"{name}: expected at most {_MOST_BYTES} bytes, got {size}")
            tree = read_tree(self._archive.read(self._files[name]), "a model")
            self._models[name] = tree, {o.get("id"): o for o in tree.findall("resources/object")}
        return self._models[name]

    def _place(
        self,
        result: list[Part],
        model: str,
        link: Element,
        above: Floats,
        around: tuple[int, ...],
    ) -> None:
        """Add the parts of an item or a component; `around` has the ids of its outer objects."""
        other = next((v for k, v in link.attrib.items() if k.rpartition(":")[2] == "path"), None)
        model = model if other is None else other.lstrip("/").lower()
        found = self._model(model)[1].get(link.get("objectid"))
        if found is None:
            raise ValueError(f"<{link.tag}>: expected an object, got {link.get('objectid')!r}")
        self._count += 1
        if id(found) in around or self._count > _MOST_PARTS:
            raise ValueError(
                f"object {found.get('id')!r}: expected a tree of at most {_MOST_PARTS} objects, "
                "got a cycle or more objects"
            )
        pose = above @ _pose(link)
        mesh = found.find("mesh")
        if mesh is not None and mesh.find("triangles/triangle") is not None:
            number = link.get("partnumber") if link.tag == "item" else None
            name = number or found.get("name") or f"{found.get('id')}"
            result.append(Part(name, self._triangles(found, mesh), pose))
        for inner in found.findall("components/component"):
            self._place(result, model, inner, pose, (*around, id(found)))

    def _triangles(self, owner: Element, mesh: Element) -> Triangles:
        if id(owner) not in self._known:
            vertices = _attributes(mesh, "vertices/vertex", ("x", "y", "z"), np.float64)
            faces = _attributes(mesh, "triangles/triangle", ("v1", "v2", "v3"), np.int64)
            self._known[id(owner)] = Triangles(vertices, faces)
        return self._known[id(owner)]


def _attributes(mesh: Element, path: str, names: tuple[str, ...], kind: type[Any]) -> Any:
    """Return three attributes of all elements of a path as numbers, (n, 3)."""
    rows = [[each.get(name, "") for name in names] for each in mesh.iterfind(path)]
    values = parsed(" ".join([" ".join(row) for row in rows]), kind)
    if values is None or len(values) != 3 * len(rows):
        bad = next((row for row in rows if _broken(row, kind)), [])
        raise ValueError(f"<{path.rpartition('/')[2]}>: expected three numbers, got {bad}")
    return values.reshape(-1, 3)


def _broken(row: list[str], kind: type[Any]) -> bool:
    values = parsed(" ".join(row), kind)
    return values is None or len(values) != 3


def _pose(link: Element) -> Floats:
    """Return the matrix of a transform, (4, 4); the file has its transpose."""
    text = link.get("transform")
    if text is None:
        return np.eye(4)
    values = parsed(text, np.float64)
    if values is None or len(values) != 12 or not np.all(np.isfinite(values)):
        raise ValueError(f"transform: expected 12 numbers, got {text[:100]!r}")
    pose = np.eye(4)
    pose[:3] = values.reshape(4, 3).T
    return pose
