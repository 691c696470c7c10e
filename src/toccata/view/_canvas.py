"""Draws the items of live sessions with viser."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from toccata._text import visible
from toccata.report._normals import smooth_mesh
from toccata.view._items import Arrows, Body, Item, Label, Points
from toccata.view._turns import as_wxyz

if TYPE_CHECKING:
    import viser

Properties = dict[str, Any]
"""Properties of a handle of viser by name."""


class Canvas:
    """The items in a scene of viser, by name.

    `show` receives all visible items at one time, and changes only the properties that differ. An
    array counts as equal only if it is the same object as before.
    """

    def __init__(self, scene: viser.SceneApi) -> None:
        self._scene = scene
        self._drawn: dict[str, tuple[Item, Any]] = {}
        """Each item with its handle in viser."""

    def show(self, items: Iterable[Item]) -> None:
        """Draw these items, and hide all others."""
        seen = set()
        for item in items:
            seen.add(item.name)
            self._draw(item)
        for name in self._drawn.keys() - seen:
            _make_visible(self._drawn[name][1], False)

    def handle(self, name: str) -> Any:
        """Return the handle of an item in viser, for clicks and drags; None if it is not drawn."""
        return self._drawn[name][1] if name in self._drawn else None

    def _draw(self, item: Item) -> None:
        before, handle = self._drawn.get(item.name, (None, None))
        kind = type(item)
        if before is None or type(before) is not kind or _differ(before, item, _FIXED[kind]):
            if handle is not None:
                handle.remove()
            handle = _added(self._scene, node_name(item.name), item)
        else:
            _make_visible(handle, True)
            for fields, properties in _PROPERTIES[kind].items():
                if _differ(before, item, fields):
                    for name, value in properties(item).items():
                        setattr(handle, name, value)
        self._drawn[item.name] = item, handle


def _make_visible(handle: Any, shown: bool) -> None:
    if handle.visible != shown:
        handle.visible = shown


def node_name(name: str) -> str:
    """Return the name of an item in viser's tree: its group, and a leaf in the group.

    In a deeper tree, the body "a/b" would move with the body "a". Therefore a slash becomes a
    division slash. Division slashes, backslashes and unprintable characters are escaped, so that
    different items have different names.
    """
    group, slash, rest = name.partition("/")
    leaf = visible(rest.replace("\\", "\\\\").replace("\u2215", "\\u2215"))
    leaf = leaf.replace("/", "\u2215") or "\\(no name)"
    return f"/{group}/{leaf}" if slash else f"/{group}"


def _differ(before: Item, after: Item, fields: str) -> bool:
    """Return whether items differ in some fields. Arrays differ unless they are the same object."""
    pairs = ((getattr(before, field), getattr(after, field)) for field in fields.split())
    return any(a is not b and (isinstance(a, np.ndarray) or a != b) for a, b in pairs)


def _color(item: Any) -> Properties:
    r, g, b = item.color
    return {"color": (int(r), int(g), int(b))}


def _colors(item: Any) -> Properties:
    return {"colors": np.array(_color(item)["color"], np.uint8)}


def _ends(item: Any) -> Properties:
    return {"points": np.stack([item.start, item.end], axis=1).astype(np.float32)}


_PROPERTIES: dict[Any, dict[str, Callable[[Any], Properties]]] = {
    Body: {
        "pose": lambda item: {"wxyz": as_wxyz(item.pose), "position": item.pose[:3, 3]},
        "opacity": lambda item: {"opacity": None if item.opacity >= 1 else item.opacity},
        "color": _color,
    },
    Points: {
        "positions": lambda item: {"points": np.asarray(item.positions, dtype=np.float32)},
        "color": _colors,
    },
    Arrows: {"start end": _ends, "color": _colors},
    Label: {
        "position": lambda item: {"position": item.position},
        "text": lambda item: {"text": visible(item.text)},
    },
}
"""Functions that compute properties of handles from fields of items."""
_FIXED = {Body: "vertices faces", Points: "", Arrows: "heads", Label: ""}
"""Fields that handles cannot change."""


def _added(scene: Any, name: str, item: Item) -> Any:
    """Add an item to a scene of viser, and return its handle."""
    given: Properties = {}
    for properties in _PROPERTIES[type(item)].values():
        given |= properties(item)
    if isinstance(item, Body):
        vertices, faces, _ = smooth_mesh(np.asarray(item.vertices), np.asarray(item.faces))
        look: Any = {"side": "double", "cast_shadow": False, "receive_shadow": False}
        return scene.add_mesh_simple(name, vertices, faces, **look, **given)
    if isinstance(item, Points):
        look = {"point_size": item.size, "point_shape": "circle", "precision": "float32"}
        return scene.add_point_cloud(name, **look, **given)
    if isinstance(item, Arrows) and item.heads:
        radii = {"shaft_radius": item.size / 2, "head_radius": 1.4 * item.size}
        return scene.add_arrows(name, head_length=3.5 * item.size, **radii, **given)
    if isinstance(item, Arrows):
        return scene.add_line_segments(name, thickness=item.size, **given)
    return scene.add_label(name, **given)
