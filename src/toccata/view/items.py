"""What a view shows, as plain data: the one list that every question and answer turns into.

One rule holds for all arrays of items: they say what is so at all times, or, with one axis more in
front, what is so at each of the `times` of the view at which the item is shown. Lengths are those
of the models, colors are display values from 0 to 255.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats

Color = tuple[int, int, int]
Span = tuple[float, float]
"""First and last time at which an item is shown."""

ALWAYS: Span = (-np.inf, np.inf)

RED: Color = (214, 40, 40)
"""What touches."""
ORANGE: Color = (237, 117, 64)
"""The first body, as in reports."""
BLUE: Color = (64, 130, 189)
"""The second body, as in reports."""
GREEN: Color = (28, 124, 74)
"""What is proven free."""
YELLOW: Color = (250, 222, 26)
"""Points of contact, as in reports."""
GRAY: Color = (150, 158, 170)
"""What stays, and what is only carried along."""
DARK: Color = (33, 38, 47)
"""Normals, edges and words."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """Something with a name that is seen in space."""

    name: str
    """Unique in a view; parts between slashes make a tree that a reader can switch off."""
    color: Color | NDArray[np.uint8]
    """One, or (k, 3): one for each time."""
    span: Span = field(default=ALWAYS, kw_only=True)

    _axes: ClassVar[dict[str, int]] = {"color": 1}
    """How many axes each array has when it is the same at all times."""

    @property
    def changing(self) -> tuple[str, ...]:
        """The arrays that have a row for each time."""
        axes = self._axes.items()
        return tuple(name for name, count in axes if np.ndim(getattr(self, name)) > count)

    def at(self, row: int) -> Self:
        """Return the item as it is at one of its times: none of its arrays changes any more."""
        now = {name: getattr(self, name)[row] for name in self.changing}
        return replace(self, **now) if now else self


@dataclass(frozen=True, slots=True, eq=False)
class Body(Item):
    """A mesh, rigid or deforming. One whose faces change is several bodies, each with its span."""

    vertices: Floats
    """(n, 3)"""
    faces: NDArray[np.integer[Any]]
    """(m, 3), at all times"""
    pose: Floats = field(default_factory=lambda: np.eye(4))
    """(4, 4)"""
    opacity: float = field(default=1.0, kw_only=True)
    """Below 1 for ghosts."""

    _axes: ClassVar[dict[str, int]] = {"color": 1, "vertices": 2, "pose": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Points(Item):
    """Points that are marked."""

    places: Floats
    """(n, 3)"""
    size: float
    """Diameter, a length in space."""

    _axes: ClassVar[dict[str, int]] = {"color": 1, "places": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Arrows(Item):
    """Arrows, or plain segments without heads."""

    start: Floats
    """(n, 3)"""
    end: Floats
    """(n, 3)"""
    size: float
    """Thickness, a length in space."""
    heads: bool = True

    _axes: ClassVar[dict[str, int]] = {"color": 1, "start": 2, "end": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Label(Item):
    """A word at a place."""

    text: str
    place: Floats
    """(3,)"""

    _axes: ClassVar[dict[str, int]] = {"color": 1, "place": 1}


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """From where to look at what, all (3,)."""

    position: Floats
    target: Floats
    up: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A mark on the time line; with a camera, one can jump there."""

    name: str
    time: float
    color: Color
    camera: Camera | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Plot:
    """Numbers over time."""

    name: str
    series: dict[str, Floats]
    """(k,) numbers by name, NaN where nothing is known."""
    colors: tuple[Color, ...]
    """One for each series."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Everything that is drawn: what a page is made of, live or in a file."""

    title: str
    items: tuple[Item, ...]
    times: Floats = field(default_factory=lambda: np.zeros(1))
    """(k,) rising; one time if nothing moves."""
    marks: tuple[Mark, ...] = ()
    plots: tuple[Plot, ...] = ()
    camera: Camera | None = None
    """None: all bodies are in sight."""
    seconds: float = 4.0
    """How long it takes to play from the first time to the last."""
    unit: str = ""
    """Of the times; none for fractions of a motion."""
    notes: tuple[str, ...] = ()
    """Lines about the answer."""

    def __post_init__(self) -> None:
        """Check that names are unique, times rise, and arrays have a row for each time."""
        for name, count in Counter(item.name for item in self.items).items():
            if count > 1:
                raise ValueError(f"items: expected different names, got {name!r} twice")
        if len(self.times) < 1 or (np.diff(self.times) <= 0).any():
            raise ValueError("times: expected at least one, rising")
        for item in self.items:
            _check(item, len(self.rows(item)))
        for plot in self.plots:
            for name, values in plot.series.items():
                if np.shape(values) != (len(self.times),):
                    wanted = f"expected {len(self.times)} numbers"
                    raise ValueError(f"{plot.name}, {name}: {wanted}, got {np.shape(values)}")

    def row(self, time: float) -> int:
        """Return the row of `times` that is nearest."""
        return int(np.argmin(np.abs(self.times - time)))

    def rows(self, item: Item) -> range:
        """Return the rows of `times` at which an item is shown."""
        first, last = item.span
        begin = np.searchsorted(self.times, first, "left")
        return range(int(begin), int(np.searchsorted(self.times, last, "right")))

    def at(self, row: int) -> tuple[Item, ...]:
        """Return what is seen at one time; arrays that do not change are the same objects."""
        spans = ((item, self.rows(item)) for item in self.items)
        return tuple(item.at(row - rows.start) for item, rows in spans if row in rows)

    def __getitem__(self, name: str) -> Any:
        """Return an item by its name."""
        for item in self.items:
            if item.name == name:
                return item
        raise KeyError(name)

    def of(self, kind: type[Any]) -> Iterator[Any]:
        """Return the items of a kind."""
        return (item for item in self.items if isinstance(item, kind))


def _check(item: Item, count: int) -> None:
    for name, axes in item._axes.items():
        values = np.asarray(getattr(item, name))
        wanted = f"{item.name}, {name}: expected"
        if values.ndim not in (axes, axes + 1):
            raise ValueError(f"{wanted} {axes} axes, or one more, got {values.ndim}")
        if values.ndim > axes and len(values) != count:
            raise ValueError(f"{wanted} a row for each of {count} times, got {len(values)}")
        if name != "color" and not np.isfinite(values).all():
            raise ValueError(f"{wanted} finite numbers")
