"""Reader of glTF 2.0 files (.gltf and .glb): every node with a mesh is a part.

A part has all primitives of its mesh, because exporters split meshes by material. Unsupported
features that change triangles are errors: required extensions, compressed buffers, instancing.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._files.part import Part, Triangles, as_floats, fans, joined
from toccata._text import visible

_KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC3": 3}
_POINTS_AND_LINES = (0, 1, 2, 3)
_MOST = 2**28
"""Limit of the rows of an accessor, as for meshes."""
_HARMLESS = ("material", "texture", "light", "xmp", "KHR_mesh_quantization")
"""Required extensions with one of these words in their names do not change triangles."""

_BROKEN = (
    AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError,
    UnicodeError, binascii.Error, json.JSONDecodeError, struct.error,
)  # fmt: skip
"""Errors for files without the structure of glTF."""


def read_gltf(path: Path) -> list[Part]:
    """Return the parts of the scene of a file, in the order of its nodes."""
    file = _File(path)
    try:
        file.read()
        return file.parts()
    except _BROKEN as error:
        what = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"expected a glTF file ({what})") from error


@dataclass(slots=True)
class _File:
    path: Path
    header: dict[str, Any] = field(default_factory=dict)
    binary: bytes | None = None
    """Second chunk of a .glb file."""
    buffers: dict[int, bytes] = field(default_factory=dict)
    meshes: dict[tuple[Any, ...], Triangles | None] = field(default_factory=dict)

    def read(self) -> None:
        data = self.path.read_bytes()
        text = data
        if data[:4] == b"glTF":
            text, self.binary = _chunks(data)
        self.header = json.loads(text)
        version = str(self.header["asset"]["version"])
        if not version.startswith("2."):
            raise ValueError(f"expected glTF 2.0, got {version!r}")
        for name in self.header.get("extensionsRequired", []):
            if not any(word in name for word in _HARMLESS):
                raise ValueError(f"expected no extension that changes triangles, got {name!r}")
        if self.header.get("skins") or any("weights" in mesh for mesh in self._list("meshes")):
            warnings.warn(
                visible(f"{self.path.name}: skins and morph targets are not applied"), stacklevel=5
            )

    def _list(self, name: str) -> list[Any]:
        found = self.header.get(name, [])
        if not isinstance(found, list):
            raise ValueError(f"{name}: expected a list, got {type(found).__name__}")
        return found

    def _item(self, name: str, index: Any) -> Any:
        rows = self._list(name)
        if type(index) is not int or not 0 <= index < len(rows):
            raise ValueError(f"{name}: expected an index below {len(rows)}, got {index!r}")
        return rows[index]

    def parts(self) -> list[Part]:
        """Return the parts of all nodes, after checking that the nodes form a tree."""
        result: list[Part] = []
        seen: set[int] = set()
        waiting = [(root, np.eye(4)) for root in reversed(self._roots())]
        while waiting:
            index, above = waiting.pop()
            node = self._item("nodes", index)
            if index in seen:
                raise ValueError(f"nodes: expected a tree, got node {index} twice")
            seen.add(index)
            pose = above @ _pose(node)
            if "EXT_mesh_gpu_instancing" in node.get("extensions", {}):
                raise ValueError(
                    f"node {index}: expected no instances, got EXT_mesh_gpu_instancing"
                )
            if "mesh" in node and (triangles := self._mesh(node["mesh"])) is not None:
                mesh = self._item("meshes", node["mesh"])
                name = node.get("name") or mesh.get("name") or index
                result.append(Part(str(name), triangles, pose))
            waiting += [(child, pose) for child in reversed(node.get("children", []))]
        return result

    def _roots(self) -> list[int]:
        if self._list("scenes"):
            return list(self._item("scenes", self.header.get("scene", 0)).get("nodes", []))
        nodes = self._list("nodes")
        below = {child for node in nodes for child in node.get("children", [])}
        return [index for index in range(len(nodes)) if index not in below]

    def _mesh(self, index: Any) -> Triangles | None:
        """Return the triangles of a mesh, or None if it has only points and lines."""
        mesh = self._item("meshes", index)
        key = tuple(
            (each["attributes"]["POSITION"], each.get("indices"), each.get("mode", 4))
            for each in mesh["primitives"]
        )
        if key not in self.meshes:  # exporters may repeat a mesh with the same data for each node
            faces: dict[Any, list[NDArray[np.int64]]] = {}
            for each in mesh["primitives"]:
                if each.get("mode", 4) not in _POINTS_AND_LINES:
                    faces.setdefault(each["attributes"]["POSITION"], []).append(self._faces(each))
            made = [
                Triangles(as_floats(self._accessor(position, "VEC3")), np.concatenate(rows))
                for position, rows in faces.items()  # primitives may share positions
            ]
            self.meshes[key] = joined(made) if made else None
        return self.meshes[key]

    def _faces(self, primitive: dict[str, Any]) -> NDArray[np.int64]:
        mode = primitive.get("mode", 4)
        if mode not in _CUT:
            raise ValueError(f"primitive: expected a mode in 0..6, got {mode!r}")
        count = self._count(primitive["attributes"]["POSITION"])
        if "indices" in primitive:
            corners = self._accessor(primitive["indices"], "SCALAR")
            if corners.dtype.kind not in "u":
                raise ValueError(f"indices: expected unsigned integers, got {corners.dtype}")
            corners = corners.reshape(-1).astype(np.int64)
        else:
            corners = np.arange(count)
        if len(corners) < 3 or (mode == 4 and len(corners) % 3):
            raise ValueError(f"primitive: expected triangles, got {len(corners)} corners")
        faces = _CUT[mode](corners)
        if faces.max() >= count:
            raise ValueError(f"indices: expected less than {count}, got {faces.max()}")
        return faces

    def _count(self, index: Any) -> int:
        count = self._item("accessors", index)["count"]
        if type(count) is not int or not 0 < count < _MOST:
            raise ValueError(f"accessor {index}: expected 1..2^28 - 1 rows, got {count!r}")
        return count

    def _accessor(self, index: Any, kind: str) -> NDArray[Any]:
        """Return values, (n, 1) or (n, 3); normalized integers become fractions."""
        accessor, count = self._item("accessors", index), self._count(index)
        if accessor["type"] != kind:
            raise ValueError(f"accessor {index}: expected {kind}, got {accessor['type']!r}")
        sparse = accessor.get("sparse")
        if "bufferView" in accessor:
            values = self._rows(accessor, (count, _WIDTHS[kind]), accessor["componentType"])
        elif sparse is not None:
            values = np.zeros((count, _WIDTHS[kind]), dtype=_kind(accessor["componentType"]))
        else:
            raise ValueError(f"accessor {index}: expected a bufferView, got none")
        if sparse is not None:
            values = self._replaced(values, sparse, accessor["componentType"])
        if accessor.get("normalized") and values.dtype.kind in "iu":
            return np.maximum(values / float(np.iinfo(values.dtype).max), -1.0)
        return values

    def _replaced(self, values: NDArray[Any], sparse: dict[str, Any], kind: int) -> NDArray[Any]:
        count, indices = sparse["count"], sparse["indices"]
        rows = self._rows(indices, (count, 1), indices["componentType"]).reshape(-1)
        if len(rows) and rows.max() >= len(values):
            raise ValueError(f"sparse: expected rows below {len(values)}, got {rows.max()}")
        values = values.copy()
        values[rows] = self._rows(sparse["values"], (count, values.shape[1]), kind)
        return values

    def _rows(self, source: dict[str, Any], shape: tuple[int, int], kind: Any) -> NDArray[Any]:
        """Return rows of a buffer view, after checking that they are within it."""
        dtype = _kind(kind)
        view = self._item("bufferViews", source["bufferView"])
        if "EXT_meshopt_compression" in view.get("extensions", {}):
            raise ValueError("bufferViews: expected no compression, got EXT_meshopt_compression")
        start, length = view.get("byteOffset", 0), view["byteLength"]
        data = self._buffer(view["buffer"])
        if min(start, length) < 0 or start + length > len(data):
            got = f"{start}..{start + length}"
            raise ValueError(f"bufferViews: expected bytes in 0..{len(data)}, got {got}")
        stride = view.get("byteStride", shape[1] * dtype.itemsize)
        offset = source.get("byteOffset", 0)
        need = (shape[0] - 1) * stride + shape[1] * dtype.itemsize
        if min(stride, offset) < 0 or offset + need > length:
            raise ValueError(
                f"accessor: expected bytes in 0..{length}, got {offset}..{offset + need}"
            )
        inside = memoryview(data)[start : start + length]
        return np.ndarray(shape, dtype, inside, offset, (stride, dtype.itemsize))

    def _buffer(self, index: Any) -> bytes:
        buffer = self._item("buffers", index)
        if index not in self.buffers:
            self.buffers[index] = self._bytes(index, buffer.get("uri"))
        return self.buffers[index]

    def _bytes(self, index: int, uri: str | None) -> bytes:
        if uri is None:
            if index or self.binary is None:
                raise ValueError(f"buffer {index}: expected a uri, got none")
            return self.binary
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        if "://" in uri:
            raise ValueError(f"buffer {index}: expected a file, got {uri[:100]!r}")
        file = self.path.parent / unquote(uri)
        if not file.is_file():
            raise FileNotFoundError(f"{self.path}: the buffer file {file} does not exist")
        return file.read_bytes()


def _kind(component: Any) -> np.dtype[Any]:
    if component not in _KINDS:
        raise ValueError(f"componentType: expected one of {list(_KINDS)}, got {component!r}")
    return np.dtype(_KINDS[component])


def _chunks(data: bytes) -> tuple[bytes, bytes | None]:
    """Return the header and the binary data of a .glb file."""
    _, version, length = struct.unpack_from("<4sII", data)
    if version != 2 or length > len(data):
        got = f"version {version} of {length} bytes"
        raise ValueError(f"expected glTF 2 of {len(data)} bytes, got {got}")
    found: list[bytes] = []
    at = 12
    for kind in (b"JSON", b"BIN\0"):
        if at + 8 > length:
            break
        size, got = struct.unpack_from("<I4s", data, at)
        if got != kind or at + 8 + size > length:
            raise ValueError(f"expected a chunk {kind!r}, got {got!r} of {size} bytes")
        found.append(data[at + 8 : at + 8 + size])
        at += 8 + size
    if not found:
        raise ValueError("expected a JSON chunk, got none")
    return found[0], found[1] if len(found) > 1 else None


def _strip(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the triangles of a strip; every second triangle is flipped to face the same side."""
    faces = np.stack((corners[:-2], corners[1:-1], corners[2:]), axis=1)
    faces[1::2, 1:] = faces[1::2, :0:-1]
    return faces


_CUT: dict[int, Callable[[NDArray[np.int64]], NDArray[np.int64]]] = {
    4: lambda corners: corners.reshape(-1, 3),
    5: _strip,
    6: lambda corners: fans(corners, np.array([len(corners)])),
}
"""Functions from corners to triangles by mode: triangles, strips and fans."""


def _pose(node: dict[str, Any]) -> Floats:
    """Return the matrix of a node, or of its translation, rotation and scale, (4, 4)."""
    if "matrix" in node:
        return np.ascontiguousarray(_vector(node["matrix"], 16).reshape(4, 4).T)
    pose = np.eye(4)
    x, y, z, w = _vector(node.get("rotation", (0, 0, 0, 1)), 4)
    length = x * x + y * y + z * z + w * w
    if not length > 0:
        raise ValueError(f"rotation: expected a unit quaternion, got {node['rotation']}")
    s = 2 / length
    pose[:3, :3] = [
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ]
    pose[:3, :3] *= _vector(node.get("scale", (1, 1, 1)), 3)
    pose[:3, 3] = _vector(node.get("translation", (0, 0, 0)), 3)
    return pose


def _vector(values: Any, count: int) -> Floats:
    found = as_floats(values)
    if found.shape != (count,) or not np.all(np.isfinite(found)):
        raise ValueError(f"node: expected {count} numbers, got {str(values)[:100]}")
    return found
