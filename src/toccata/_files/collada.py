"""Reader of COLLADA files (.dae): every node with geometry is a part.

The unit and the up axis of the file are not applied to coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._files.part import Part, Triangles, as_floats, fans, joined
from toccata._files.text import numbers, read_tree

_SKIPPED = {"lines", "linestrips", "source", "vertices", "extra"}
_MOST_NODES = 1_000_000
"""Most nodes of a scene, because nested instances can multiply a few lines beyond all memory."""


def read_collada(path: Path) -> list[Part]:
    """Return the parts of the scene of a file, in the order of its nodes."""
    return _Document(read_tree(path.read_bytes(), "a COLLADA file")).parts()


class _Document:
    """The elements of a file by id, and the triangles of its geometries."""

    def __init__(self, root: Element) -> None:
        if root.tag != "COLLADA":
            raise ValueError(f"expected <COLLADA>, got <{root.tag}>")
        self._root = root
        self._by_id = {each.get("id"): each for each in root.iter() if each.get("id")}
        self._of_mesh: dict[str | None, Element] = {}
        """Elements of the current mesh by id: some exporters reuse the ids of sources per mesh."""
        self._known: dict[tuple[int, ...], Triangles | None] = {}

    def parts(self) -> list[Part]:
        """Return the parts of all nodes, parents first."""
        found: list[Part] = []
        above: set[int] = set()
        """Ids of the nodes that contain the current one."""
        waiting: list[tuple[Element, Floats | None]] = []
        waiting += [(node, np.eye(4)) for node in reversed(self._scene().findall("node"))]
        visited = 0
        while waiting:
            node, frame = waiting.pop()
            if frame is None:
                above.discard(id(node))
                continue
            visited += 1
            if visited > _MOST_NODES or id(node) in above:
                most = f"at most {_MOST_NODES} nodes, got more"
                wanted = "a tree, got a cycle" if id(node) in above else most
                raise ValueError(f"node {node.get('id')!r}: expected {wanted}")
            pose = frame @ _pose(node)
            if (triangles := self._of_node(node)) is not None:
                name = node.get("name") or node.get("id") or self._geometry_name(node)
                found.append(Part(name, triangles, pose))
            above.add(id(node))
            waiting.append((node, None))
            waiting += [(child, pose) for child in reversed(list(self._children(node)))]
        return found

    def _scene(self) -> Element:
        link = self._root.find("scene/instance_visual_scene")
        if link is not None:
            return self._linked(link, "url", "visual_scene")
        scenes = self._root.findall("library_visual_scenes/visual_scene")
        if len(scenes) != 1:
            raise ValueError(f"expected one visual scene, got {len(scenes)}")
        return scenes[0]

    def _linked(self, element: Element, attribute: str, tag: str) -> Element:
        """Return the element that an attribute refers to; the current mesh is searched first."""
        url = element.get(attribute, "")
        found = None
        if url.startswith("#"):
            found = self._of_mesh.get(url[1:], self._by_id.get(url[1:]))
        if found is None or found.tag != tag:
            raise ValueError(f"<{element.tag}>: expected the id of a <{tag}>, got {url!r}")
        return found

    def _children(self, node: Element) -> Iterator[Element]:
        for child in node:
            if child.tag == "node":
                yield child
            elif child.tag == "instance_node":
                yield self._linked(child, "url", "node")

    def _geometry_name(self, node: Element) -> str:
        link = node.find("instance_geometry")
        assert link is not None
        geometry = self._linked(link, "url", "geometry")
        return geometry.get("name") or geometry.get("id") or "geometry"

    def _of_node(self, node: Element) -> Triangles | None:
        """Return the triangles of all geometries of a node; nodes with equal lists share them."""
        if node.find("instance_controller") is not None:
            wanted = "expected no skin, got <instance_controller>"
            raise ValueError(f"node {node.get('id')!r}: {wanted}")
        links = node.findall("instance_geometry")
        geometries = [self._linked(link, "url", "geometry") for link in links]
        key = tuple(id(geometry) for geometry in geometries)
        if key not in self._known:
            made = [self._of_geometry(geometry) for geometry in geometries]
            filled = [each for each in made if each is not None]
            self._known[key] = joined(filled) if filled else None
        return self._known[key]

    def _of_geometry(self, geometry: Element) -> Triangles | None:
        mesh = geometry.find("mesh")
        if mesh is None:
            if geometry.find("spline") is not None:
                return None
            raise ValueError(f"geometry {geometry.get('id')!r}: expected a <mesh>, got none")
        self._of_mesh = {each.get("id"): each for each in mesh.iter() if each.get("id")}
        made = [self._of_primitive(each) for each in mesh if each.tag not in _SKIPPED]
        self._of_mesh = {}
        filled = [each for each in made if each is not None]
        return joined(filled) if filled else None

    def _of_primitive(self, primitive: Element) -> Triangles | None:
        """Return the triangles of a primitive, with all vertices of its source."""
        inputs = primitive.findall("input")
        offsets = [_whole(each, "offset", "0") for each in inputs]
        ours = [k for k, each in enumerate(inputs) if each.get("semantic") == "VERTEX"]
        if len(ours) != 1:
            raise ValueError(f"<{primitive.tag}>: expected one input of vertices, got {len(ours)}")
        vertices = self._vertices(inputs[ours[0]])
        stride, offset = max(offsets) + 1, offsets[ours[0]]
        corners, counts = _polygons(primitive, stride, offset)
        if not len(counts):
            return None
        if corners.min() < 0 or corners.max() >= len(vertices):
            wrong = corners.min() if corners.min() < 0 else corners.max()
            raise ValueError(
                f"<{primitive.tag}>: expected vertices in 0..{len(vertices) - 1}, got {wrong}"
            )
        return Triangles(vertices, fans(corners, counts))

    def _vertices(self, link: Element) -> Floats:
        """Return the coordinates of an input of vertices."""
        for position in self._linked(link, "source", "vertices").findall("input"):
            if position.get("semantic") == "POSITION":
                return self._coordinates(self._linked(position, "source", "source"))
        raise ValueError("<vertices>: expected an input of positions, got none")

    def _coordinates(self, source: Element) -> Floats:
        accessor = source.find("technique_common/accessor")
        if accessor is None:
            raise ValueError(f"source {source.get('id')!r}: expected an <accessor>, got none")
        values = numbers(self._linked(accessor, "source", "float_array"), np.float64)
        count, stride = _whole(accessor, "count"), _whole(accessor, "stride", "1")
        offset = _whole(accessor, "offset", "0")
        columns = [k for k, each in enumerate(accessor.findall("param")) if each.get("name")]
        columns = columns or [0, 1, 2]
        if len(columns) != 3 or not max(columns) < stride:
            got = f"{len(columns)} in rows of {stride}"
            raise ValueError(f"source {source.get('id')!r}: expected 3 coordinates, got {got}")
        if offset + count * stride > len(values):
            raise ValueError(
                f"source {source.get('id')!r}: expected {offset + count * stride} numbers, "
                f"got {len(values)}"
            )
        rows = values[offset : offset + count * stride].reshape(count, stride)
        return np.ascontiguousarray(rows[:, columns])


def _whole(element: Element, name: str, default: str | None = None) -> int:
    text = element.get(name, default)
    if text is None or not text.strip().isdecimal():
        raise ValueError(f"<{element.tag}> {name}: expected a number, got {text!r}")
    return int(text)


def _polygons(
    primitive: Element, stride: int, offset: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the corners of all polygons, one polygon after the other, and their numbers."""
    lists = [numbers(each, np.int64)[offset::stride] for each in primitive.findall("p")]
    if primitive.find("ph") is not None:
        raise ValueError(f"<{primitive.tag}>: expected polygons without holes, got <ph>")
    corners = np.concatenate(lists) if lists else np.zeros(0, dtype=np.int64)
    if primitive.tag in ("polygons", "trifans"):
        counts = np.array([len(each) for each in lists], dtype=np.int64)
    elif primitive.tag == "polylist":
        sizes = primitive.find("vcount")
        counts = np.zeros(0, np.int64) if sizes is None else numbers(sizes, np.int64)
    elif primitive.tag == "triangles":
        counts = np.full(len(corners) // 3, 3)
    elif primitive.tag == "tristrips":
        windows = [np.lib.stride_tricks.sliding_window_view(each, 3) for each in lists]
        corners = np.concatenate([each.reshape(-1) for each in windows])
        counts = np.full(len(corners) // 3, 3)
    else:
        raise ValueError(f"<mesh>: expected polygons or triangles, got <{primitive.tag}>")
    if counts.sum() != len(corners) or (len(counts) and counts.min() < 1):
        raise ValueError(f"<{primitive.tag}>: expected {counts.sum()} corners, got {len(corners)}")
    full = np.repeat(counts > 2, counts)  # polygons with one or two corners have no triangles
    return corners[full], counts[counts > 2]


def _pose(node: Element) -> Floats:
    """Return the matrix of a node, the product of its transforms, (4, 4)."""
    pose = np.eye(4)
    for each in node:
        if each.tag in ("lookat", "skew"):
            wanted = f"transforms of type <{each.tag}> are not supported"
            raise ValueError(f"node {node.get('id')!r}: {wanted}")
        if each.tag in _WIDTHS:
            values = numbers(each, np.float64)
            if len(values) != _WIDTHS[each.tag] or not np.all(np.isfinite(values)):
                raise ValueError(
                    f"<{each.tag}>: expected {_WIDTHS[each.tag]} numbers, got {len(values)}"
                )
            pose = pose @ _transform(each.tag, values)
    return pose


_WIDTHS = {"matrix": 16, "translate": 3, "scale": 3, "rotate": 4}


def _transform(kind: str, values: Floats) -> Floats:
    if kind == "matrix":
        return as_floats(values).reshape(4, 4)
    result = np.eye(4)
    if kind == "translate":
        result[:3, 3] = values
    elif kind == "scale":
        result[:3, :3] = np.diag(values)
    elif (length := float(np.linalg.norm(values[:3]))) > 0:
        axis, angle = values[:3] / length, radians(values[3])
        x, y, z = axis
        across: Any = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        result[:3, :3] += sin(angle) * across + (1 - cos(angle)) * across @ across
    return result
