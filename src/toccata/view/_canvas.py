"""Draws the items of live sessions with viser."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from toccata._text import visible
from toccata.report._normals import smooth_mesh
from toccata.view._items import Arrows, Body, Item, Label, Points
from toccata.view._turns import as_wxyz

if TYPE_CHECKING:
    import viser

MISSING = "toccata.view needs viser: pip install 'toccata[view]'"


def import_viser() -> Any:
    """Return the package viser, or say how to install it."""
    try:
        import viser
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(MISSING) from error
    return viser


@dataclass(slots=True)
class _Drawn:
    """An item and its handle in viser."""

    item: Item
    handle: Any


class Canvas:
    """The items in a scene of viser, by name.

    `show` takes all visible items, at one time. Items that were drawn before are changed where they
    differ: an array that is the same object as before counts as equal.
    """

    def __init__(self, scene: viser.SceneApi) -> None:
        self._scene = scene
        self._drawn: dict[str, _Drawn] = {}

    def show(self, items: Iterable[Item]) -> None:
        """Draw these items and no others."""
        seen = set()
        for item in items:
            seen.add(item.name)
            self._draw(item)
        for name in self._drawn.keys() - seen:
            self._hide(name)

    def handle(self, name: str) -> Any:
        """Return the handle of an item in viser, for clicks and gizmos; None if it is not drawn."""
        return self._drawn[name].handle if name in self._drawn else None

    def _draw(self, item: Item) -> None:
        drawn = self._drawn.get(item.name)
        if drawn is None or _must_redraw(drawn.item, item):
            if drawn is not None:
                drawn.handle.remove()
            made = _ADD[type(item)](self._scene, node_name(item.name), item)
            self._drawn[item.name] = _Drawn(item, made)
            return
        if not drawn.handle.visible:
            drawn.handle.visible = True
        if drawn.item is not item:
            _UPDATE[type(item)](drawn, item)
            drawn.item = item

    def _hide(self, name: str) -> None:
        handle = self._drawn[name].handle
        if handle.visible:
            handle.visible = False


def node_name(name: str) -> str:
    """Return the name of an item in viser's tree: its group, and in it a leaf.

    A deeper tree would have bodies move with others whose names theirs begin with. So a slash
    becomes a division slash. That one, backslashes and characters that are not printable are
    escaped: different items have different names.
    """
    group, slash, rest = name.partition("/")
    leaf = visible(rest.replace("\\", "\\\\").replace("\u2215", "\\u2215"))
    leaf = leaf.replace("/", "\u2215") or "\\(no name)"
    return f"/{group}/{leaf}" if slash else f"/{group}"


def _must_redraw(before: Item, item: Item) -> bool:
    if type(before) is not type(item):
        return True
    if isinstance(before, Body) and isinstance(item, Body):
        return before.faces is not item.faces or before.vertices is not item.vertices
    if isinstance(before, Arrows) and isinstance(item, Arrows):
        return before.heads != item.heads
    return False


def _add_body(scene: Any, name: str, item: Body) -> Any:
    vertices, faces, _ = smooth_mesh(np.asarray(item.vertices), np.asarray(item.faces))
    return scene.add_mesh_simple(
        name,
        vertices,
        faces,
        color=_color(item),
        opacity=None if item.opacity >= 1 else item.opacity,
        side="double",
        cast_shadow=False,
        receive_shadow=False,
        **_place(item.pose),
    )


def _update_body(drawn: _Drawn, item: Body) -> None:
    before, handle = drawn.item, drawn.handle
    assert isinstance(before, Body)
    if before.pose is not item.pose:
        for name, value in _place(item.pose).items():
            setattr(handle, name, value)
    if before.opacity != item.opacity:
        handle.opacity = None if item.opacity >= 1 else item.opacity
    _recolor(handle, "color", before, item)


def _place(pose: Any) -> dict[str, Any]:
    return {"wxyz": as_wxyz(pose), "position": pose[:3, 3]}


def _color(item: Item) -> tuple[int, int, int]:
    r, g, b = item.color
    return int(r), int(g), int(b)


def _recolor(handle: Any, attribute: str, before: Item, item: Item) -> None:
    if before.color is not item.color and _color(before) != _color(item):
        value = _color(item)
        setattr(handle, attribute, value if attribute == "color" else np.array(value, np.uint8))


def _add_points(scene: Any, name: str, item: Points) -> Any:
    return scene.add_point_cloud(
        name,
        np.asarray(item.positions, dtype=np.float32),
        _color(item),
        point_size=item.size,
        point_shape="circle",
        precision="float32",
    )


def _update_points(drawn: _Drawn, item: Points) -> None:
    before, handle = drawn.item, drawn.handle
    assert isinstance(before, Points)
    if before.positions is not item.positions:
        handle.points = np.asarray(item.positions, dtype=np.float32)
    _recolor(handle, "colors", before, item)


def _ends(item: Arrows) -> Any:
    return np.stack([item.start, item.end], axis=1).astype(np.float32)


def _add_arrows(scene: Any, name: str, item: Arrows) -> Any:
    if not item.heads:
        return scene.add_line_segments(name, _ends(item), _color(item), thickness=item.size)
    return scene.add_arrows(
        name,
        _ends(item),
        _color(item),
        shaft_radius=item.size / 2,
        head_radius=1.4 * item.size,
        head_length=3.5 * item.size,
    )


def _update_arrows(drawn: _Drawn, item: Arrows) -> None:
    before, handle = drawn.item, drawn.handle
    assert isinstance(before, Arrows)
    if before.start is not item.start or before.end is not item.end:
        handle.points = _ends(item)
    _recolor(handle, "colors", before, item)


def _add_label(scene: Any, name: str, item: Label) -> Any:
    return scene.add_label(name, visible(item.text), position=item.position)


def _update_label(drawn: _Drawn, item: Label) -> None:
    before, handle = drawn.item, drawn.handle
    assert isinstance(before, Label)
    if before.position is not item.position:
        handle.position = item.position
    if before.text != item.text:
        handle.text = visible(item.text)


_ADD: dict[type[Item], Callable[..., Any]] = {
    Body: _add_body,
    Points: _add_points,
    Arrows: _add_arrows,
    Label: _add_label,
}
_UPDATE: dict[type[Item], Callable[..., None]] = {
    Body: _update_body,
    Points: _update_points,
    Arrows: _update_arrows,
    Label: _update_label,
}
