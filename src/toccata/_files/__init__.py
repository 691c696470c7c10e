"""Strict readers of model files: OBJ, glTF, COLLADA and 3MF; trimesh reads all other formats."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from toccata._arrays import as_number
from toccata._checks import as_path
from toccata._files.collada import read_collada
from toccata._files.gltf import read_gltf
from toccata._files.obj import read_obj
from toccata._files.part import Part, Triangles, as_floats, named_apart
from toccata._files.threemf import read_threemf

__all__ = ["parts_of_trimesh", "read_parts"]

_READERS: dict[str, Callable[[Path], list[Part]]] = {
    ".obj": read_obj,
    ".gltf": read_gltf,
    ".glb": read_gltf,
    ".dae": read_collada,
    ".3mf": read_threemf,
}


def read_parts(path: str | os.PathLike[str], caller: str, scale: float = 1.0) -> list[Part]:
    """Return the parts of a file, at least one, in the order of the file and with unique names.

    Args:
        path: the file.
        caller: public function, for the error message without trimesh.
        scale: factor of all lengths.

    """
    factor = as_number("scale", scale, least=0, open_end=True)
    file = as_path("path", path)
    if not file.is_file():
        raise FileNotFoundError(f"{file}: no such file")
    read = _READERS.get(file.suffix.lower())
    try:
        parts = _by_trimesh(file, caller) if read is None else read(file)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    if not parts:
        raise ValueError(f"{file}: expected triangles, got none")
    scaling = np.diag([factor, factor, factor, 1.0])
    return [
        Part(part.name, part.triangles, part.pose if factor == 1 else scaling @ part.pose)
        for part in named_apart(parts)
    ]


def _by_trimesh(file: Path, caller: str) -> list[Part]:
    try:
        import trimesh
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{caller} needs trimesh: pip install 'toccata[io]'") from error
    try:
        parts = parts_of_trimesh(trimesh.load(os.fspath(file), force="scene", process=False))
        if not parts:
            raise ValueError("no triangles")
        return parts
    except Exception as error:  # readers of trimesh raise errors of many types
        raise ValueError(f"expected a file that trimesh reads ({error})") from error


def parts_of_trimesh(scene: Any) -> list[Part]:
    """Return the nodes with triangles of a trimesh.Scene, with unique names."""
    known: dict[str, Triangles] = {}
    parts = []
    for node in scene.graph.nodes_geometry:
        pose, name = scene.graph[node]
        geometry = scene.geometry[name]
        if len(getattr(geometry, "faces", ())):
            if name not in known:
                known[name] = Triangles(geometry.vertices, geometry.faces)
            parts.append(Part(str(node), known[name], as_floats(pose)))
    return named_apart(parts)
