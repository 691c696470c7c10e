"""The data of a view for the player: JSON, with all arrays in one block of bytes."""

from __future__ import annotations

import base64
import gzip
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata.report._normals import smooth_mesh
from toccata.view._camera import camera_of
from toccata.view._items import Arrows, Body, Camera, Item, Label, Points, View
from toccata.view._turns import as_wxyz

_TYPES = {"f": "<f4", "b": "u1", "i": "<u4"}


def packed(view: View) -> dict[str, Any]:
    """Return the data of a view that change over time or are drawn in space.

    Positions are relative to the target of the camera, and vertices to the center of their mesh.
    Therefore single precision is sufficient at any distance from the origin.
    """
    camera = camera_of(view)
    pack = _Pack(camera.target)
    items = [pack.item(view, item) for item in view.items]
    marks = [(mark.time, mark.camera and pack.camera(mark.camera)) for mark in view.marks]
    return {
        "times": view.times.tolist(),
        "seconds": view.seconds,
        "unit": view.unit,
        "camera": pack.camera(camera),
        "marks": [{"time": time, "camera": close} for time, close in marks],
        "plots": [
            {
                "times": None if plot.times is None else plot.times.tolist(),
                "series": [
                    [float(f"{x:.6g}") if np.isfinite(x) else None for x in values]
                    for values in plot.series.values()
                ],
            }
            for plot in view.plots
        ],
        "meshes": pack.meshes,
        "items": items,
        "data": base64.b64encode(gzip.compress(bytes(pack.bytes), 6, mtime=0)).decode("ascii"),
    }


class _Pack:
    """Concatenated arrays. The entry of an array is [type, offset, row length, row count]."""

    def __init__(self, origin: Floats) -> None:
        self.bytes = bytearray()
        self.meshes: list[dict[str, Any]] = []
        self._origin = origin
        self._known: dict[tuple[int, int], int] = {}
        self._centers: list[Floats] = []

    def camera(self, camera: Camera) -> dict[str, list[float]]:
        """Return a camera for the player."""
        return {
            "position": (camera.position - self._origin).tolist(),
            "target": (camera.target - self._origin).tolist(),
            "up": np.asarray(camera.up, dtype=np.float64).tolist(),
        }

    def item(self, view: View, item: Item) -> dict[str, Any]:
        """Return an item for the player, with entries for its arrays."""
        rows = view.rows(item)
        found: dict[str, Any] = {"first": rows.start, "count": len(rows), "group": item.group}
        found["color"] = self.add(np.atleast_2d(np.asarray(item.color)), "b")
        if isinstance(item, Body):
            return found | self._body(item)
        if isinstance(item, Points):
            positions = self._rows(item.positions, 2) - self._origin
            return found | {"kind": "points", "size": item.size, "at": self.add(positions)}
        if isinstance(item, Arrows):
            both = np.stack(np.broadcast_arrays(item.start, item.end), axis=-2) - self._origin
            kind = "arrows" if item.heads else "lines"
            return found | {"kind": kind, "size": item.size, "at": self.add(self._rows(both, 3))}
        assert isinstance(item, Label)
        position = self._rows(np.asarray(item.position), 1) - self._origin
        return found | {"kind": "label", "text": item.text, "at": self.add(position)}

    def _body(self, item: Body) -> dict[str, Any]:
        mesh = self._mesh(item)
        poses = self._rows(item.pose, 2)
        positions = poses[:, :3, :3] @ self._centers[mesh] + poses[:, :3, 3] - self._origin
        return {
            "kind": "body",
            "ghost": item.is_ghost,
            "opacity": item.opacity,
            "mesh": mesh,
            "at": self.add(positions),
            "turn": self.add(as_wxyz(poses)),
        }

    def _mesh(self, item: Body) -> int:
        key = id(item.vertices), id(item.faces)
        if key not in self._known:
            rows = self._rows(np.asarray(item.vertices), 2)
            _, faces, source = smooth_mesh(rows[0], np.asarray(item.faces))
            used = rows[0][source] if len(source) else np.zeros((1, 3))
            center = (used.min(axis=0) + used.max(axis=0)) / 2
            self._known[key] = len(self.meshes)
            self._centers.append(center)
            vertices = self.add(rows[:, source] - center)
            self.meshes.append({"vertices": vertices, "faces": self.add(faces[None], "i")})
        return self._known[key]

    @staticmethod
    def _rows(array: Floats, axes: int) -> Floats:
        """Return an array with a first axis for times."""
        return array if array.ndim > axes else array[None]

    def add(self, rows: Any, kind: str = "f") -> tuple[str, int, int, int]:
        """Append an array with one row, or a row for each time. Return its entry."""
        array = np.ascontiguousarray(rows, dtype=_TYPES[kind])
        self.bytes += bytes(-len(self.bytes) % 4)
        entry = kind, len(self.bytes), int(np.prod(array.shape[1:])), len(array)
        self.bytes += array.tobytes()
        return entry
