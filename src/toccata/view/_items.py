"""The one description of everything that is drawn: a `View`.

    an answer and its bodies  --converter-->  View  --+-->  _page.py: one HTML file, or served
    (contact, scene, robot,                           +-->  _page.py: reports of several views
     path, log, deforming)                            +-->  _still.py: pictures in NumPy alone
    a live session            --items()----->  Item  ---->  _canvas.py: viser

* A *converter* (`_contact.py`, `_scene.py`, `_robot.py`, `_path.py`, `_log.py`, `_deforming.py`)
  evaluates every motion, spline and clock at the `times` of the view and stores the poses. All
  other code is independent of the kind of answer and never evaluates a motion.
* An *item* is a named body, points, arrows or a label. Its arrays are valid at all times. An array
  with an additional first axis has a row for each of the `times` at which the item is shown. Items
  with equal `legend` share a line in the legend.
* The *outcome* summarizes the answer, `facts` are its details, `marks` are named times on the time
  line, and `plots` are values over time. Pages have a button for each mark with a camera, and
  stills enlarge the first of these marks.
* The *camera* frames the whole motion (`_camera.py`) and is the same for pages and stills. A fixed
  body that would hide the motion is made transparent there, once for all outputs.
* *Drawing* (`toccata.report`) depends on the view alone. One player (`player.js`) shows it in
  files, reports and served pages; one rasterizer draws the stills.

Therefore `--view`, `--html` and `--report` cannot disagree. Only live sessions (`_live`), in which
users move a robot, a part or simulated bodies, need viser.

Lengths are in the unit of the models. Colors are display values from 0 to 255.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import isfinite, nan
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata.view import _numbers
from toccata.view._colors import Color

Span = tuple[float, float]
"""First and last time."""

ALWAYS: Span = (-np.inf, np.inf)
GHOSTS = ("start", "end", "target")
"""Groups of bodies at other times. Close-ups leave them out."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A named body, points, arrows or a label."""

    name: str
    """Name that is unique in a view. The part before the first slash is the group."""
    color: Color | NDArray[np.uint8]
    """One color, or (k, 3): a color for each time."""
    span: Span = field(default=ALWAYS, kw_only=True)
    """First and last time at which the item is shown."""
    legend: str = field(default="", kw_only=True)
    """Text in the legend. An empty text makes no line."""

    _axes: ClassVar[dict[str, int]] = {"color": 1}
    """Number of axes of each array that does not change over time."""

    @property
    def group(self) -> str:
        """The first part of the name."""
        return self.name.partition("/")[0]

    @property
    def changing(self) -> tuple[str, ...]:
        """Names of the arrays that have a row for each time."""
        axes = self._axes.items()
        return tuple(name for name, count in axes if np.ndim(getattr(self, name)) > count)

    def at(self, row: int) -> Self:
        """Return the item at one of its times, with the arrays of this time."""
        now = {name: getattr(self, name)[row] for name in self.changing}
        return replace(self, **now) if now else self


AnyItem = TypeVar("AnyItem", bound=Item)


@dataclass(frozen=True, slots=True, eq=False)
class Body(Item):
    """A rigid or deforming mesh. A change of the topology starts a new body with its own span."""

    vertices: Floats
    """Positions of the vertices, (n, 3)."""
    faces: NDArray[np.integer[Any]]
    """Vertices of each face, (m, 3), the same at all times."""
    pose: Floats = field(default_factory=lambda: np.eye(4))
    """Pose, (4, 4)."""
    opacity: float = field(default=1.0, kw_only=True)
    """Opacity, below 1 for ghosts and for bodies that would hide others."""

    _axes: ClassVar[dict[str, int]] = {"color": 1, "vertices": 2, "pose": 2}

    @property
    def is_ghost(self) -> bool:
        """True for a body at another time than the one shown."""
        return self.group in GHOSTS


@dataclass(frozen=True, slots=True, eq=False)
class Points(Item):
    """Marked points."""

    positions: Floats
    """Positions, (n, 3)."""
    size: float
    """Diameter in space."""

    _axes: ClassVar[dict[str, int]] = {"color": 1, "positions": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Arrows(Item):
    """Arrows, or plain segments without heads."""

    start: Floats
    """Start points, (n, 3)."""
    end: Floats
    """End points, (n, 3)."""
    size: float
    """Thickness in space."""
    heads: bool = True

    _axes: ClassVar[dict[str, int]] = {"color": 1, "start": 2, "end": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Label(Item):
    """A text at a point."""

    text: str
    position: Floats
    """Position, (3,)."""

    _axes: ClassVar[dict[str, int]] = {"color": 1, "position": 1}


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A viewpoint. All fields are (3,)."""

    position: Floats
    target: Floats
    up: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A named time on the time line."""

    name: str
    time: float
    color: Color
    camera: Camera | None = None
    """Close-up of the contact, if its position is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Plot:
    """Values over time."""

    name: str
    series: dict[str, Floats]
    """Values by name, (k,) each; NaN where unknown."""
    times: Floats | None = None
    """Increasing times of the values, (k,). By default, they are the times of the view."""
    dots: Floats = field(default_factory=lambda: np.empty((0, 2)))
    """Times and values of points to emphasize, (n, 2)."""
    logarithmic: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A summary of the answer."""

    status: str
    """Name of a `Status`; DONE or STOPPED for a simulation, MOUNTED or BLOCKED for an assembly."""
    time: float = nan
    """Time of contact; NaN without a contact."""
    touching: tuple[str, ...] = ()
    """Names of the two bodies in contact, or the kind of features of one mesh."""
    safe: tuple[Span, ...] = ()
    """Time spans that are certified free. Their ends are excluded."""
    milliseconds: float = nan
    """Computing time in milliseconds."""


_DECIMALS = {"": 4, "s": 3, "frame": 2}
"""Decimals of times by their unit."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Everything that is drawn for an answer, scene, robot, log or path."""

    title: str
    items: tuple[Item, ...]
    times: Floats = field(default_factory=lambda: np.zeros(1))
    """Increasing times, (k,); a single time if nothing moves."""
    outcome: Outcome | None = None
    marks: tuple[Mark, ...] = ()
    plots: tuple[Plot, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Names and values of details."""
    camera: Camera | None = None
    """The camera. By default, a camera frames all bodies."""
    kind: str = ""
    """Kind of view, such as "Two bodies"."""
    description: str = ""
    seconds: float = 4.0
    """Duration of playback from the first time to the last, in seconds."""
    unit: str = ""
    """Unit of the times: "s", "frame", or empty for fractions of a motion."""

    def __post_init__(self) -> None:
        """Check that names are unique, times increase, and arrays have a row for each time."""
        for name, count in Counter(item.name for item in self.items).items():
            if count > 1:
                raise ValueError(f"items: expected different names, got {name!r} twice")
        if len(self.times) < 1 or (np.diff(self.times) <= 0).any():
            raise ValueError("times: expected increasing numbers, at least one")
        for item in self.items:
            _check(item, len(self.rows(item)))
        for plot in self.plots:
            count = len(self.times if plot.times is None else plot.times)
            for name, values in plot.series.items():
                if np.shape(values) != (count,):
                    wanted = f"expected {count} numbers"
                    raise ValueError(f"{plot.name}, {name}: {wanted}, got {np.shape(values)}")

    @property
    def moves(self) -> bool:
        """True if there is more than one time."""
        return len(self.times) > 1

    def row(self, time: float) -> int:
        """Return the row of the time that is closest to `time`."""
        return row_of(self.times, time)

    def rows(self, item: Item) -> range:
        """Return the rows of `times` at which an item is shown."""
        first, last = item.span
        begin = np.searchsorted(self.times, first, "left")
        return range(int(begin), int(np.searchsorted(self.times, last, "right")))

    def at(self, row: int) -> tuple[Item, ...]:
        """Return the items at one time. Arrays that do not change are the same objects."""
        spans = ((item, self.rows(item)) for item in self.items)
        return tuple(item.at(row - rows.start) for item, rows in spans if row in rows)

    def share(self, time: float) -> float:
        """Return a time as a fraction of the whole duration, from 0 to 1."""
        begin, end = float(self.times[0]), float(self.times[-1])
        return min(max((time - begin) / (end - begin), 0.0), 1.0) if end > begin else 0.0

    def clock(self, time: float, short: bool = False) -> str:
        """Return a time as text, or a dash for NaN. `short` removes trailing zeros.

        The time is rounded down, so that a certified time remains certified in the text.
        """
        if not isfinite(time):
            return _numbers.NONE
        value = f"{_numbers.rounded_down(time, _DECIMALS.get(self.unit, 3))}"
        if short and "." in value:
            value = value.rstrip("0").rstrip(".")
        if self.unit == "frame":
            return f"frame {value}"
        return f"{value} {self.unit}" if self.unit else f"t = {value}"

    def __getitem__(self, name: str) -> Item:
        """Return an item by its name."""
        for item in self.items:
            if item.name == name:
                return item
        raise KeyError(name)

    def of(self, kind: type[AnyItem]) -> Iterator[AnyItem]:
        """Return the items of a kind."""
        return (item for item in self.items if isinstance(item, kind))


def row_of(times: Floats, time: float) -> int:
    """Return the row of the time that is closest to `time`, 0 for NaN."""
    return int(np.argmin(np.abs(times - time)))


def _check(item: Item, count: int) -> None:
    for name, axes in item._axes.items():
        values = np.asarray(getattr(item, name))
        wanted = f"{item.name}, {name}: expected"
        if values.ndim not in (axes, axes + 1):
            raise ValueError(f"{wanted} {axes} or {axes + 1} axes, got {values.ndim}")
        if values.ndim > axes and len(values) != count:
            raise ValueError(f"{wanted} a row for each of {count} times, got {len(values)}")
        if name != "color" and not np.isfinite(values).all():
            raise ValueError(f"{wanted} finite numbers")


def as_view(name: str, value: object) -> View:
    """Return `value` if it is a View; the error tells how to make one from an answer."""
    if isinstance(value, View):
        return value
    got = type(value).__name__
    raise TypeError(f"{name}: expected a View, got {got}; use tc.view.view_of(answer)")


def as_views(name: str, values: object) -> list[View]:
    """Return a list of views."""
    if isinstance(values, View) or not isinstance(values, Iterable):
        got = type(values).__name__
        more = "[view]" if isinstance(values, View) else "[tc.view.view_of(answer)]"
        raise TypeError(f"{name}: expected a list of views, got {got}; use {more}")
    return [as_view(f"{name}[{i}]", value) for i, value in enumerate(values)]
