"""What a report tells about, whatever was asked: bodies over time, an answer, pictures to draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata.report import numbers
from toccata.report.picture import Body

Array = NDArray[np.float64]
Placed = tuple[Body, Array]
"""A body and its (4, 4) pose at a time."""
Span = tuple[float, float]

ORIGIN = np.zeros(3)


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A place that is pointed out: where two bodies touch, or come closest."""

    time: float
    point: Array = field(default_factory=lambda: ORIGIN)
    normal: Array = field(default_factory=lambda: ORIGIN)
    """Unit vector from b to a; zero if it is not known."""
    bodies: tuple[int, int] = (-1, -1)
    """Which ones, by their place among those that are drawn; -1 if that is not known."""
    triangles: tuple[int, int] = (-1, -1)
    gap: float = 0.0
    """How far apart they are then: an impact acts a little before bodies meet."""

    @property
    def is_known(self) -> bool:
        """Whether there is a point to show."""
        return bool(np.isfinite(self.point).all())


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One picture: when, what it is called, and what is marked in it; the first is enlarged."""

    time: float
    caption: str
    note: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Plot:
    """Numbers over the time of an entry."""

    title: str
    times: Array
    values: Array
    dots: Array = field(default_factory=lambda: np.empty((0, 2)))
    """(k, 2) times and values to be pointed out."""
    span: Span | None = None
    """Of the times, if it is not that of the entry."""
    logarithmic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entry:
    """One row and one section of a report. Times are those of `span`, in the words of `clock`."""

    kind: str
    """ "two bodies", "scene", "robot", "step", "sequence", "simulation" or "log"."""
    name: str
    description: str = ""
    status: str
    """Of `Status`, or DONE and STOPPED of a simulation."""
    toc: float = nan
    """When something touches first; NaN if nothing does."""
    touching: tuple[str, ...] = ()
    """What touches, in words: two names, or the two features of one mesh."""
    names: tuple[str, ...]
    """Of the bodies that are drawn."""
    placed: Callable[[float], Sequence[Placed]]
    """The bodies at a time; one that is rigid is the same object at all times."""
    focus: Mark
    """What the camera looks at."""
    moments: tuple[Moment, ...]
    marks: tuple[Mark, ...] = ()
    """All contacts that are known."""
    safe: tuple[Span, ...] = ()
    """Times that are certified free, but for their ends."""
    facts: tuple[tuple[str, str], ...] = ()
    plots: tuple[Plot, ...] = ()
    milliseconds: float = nan
    span: Span = (0.0, 1.0)
    clock: str = "t = {:.4f}"
    page: str | None = None
    """A page of HTML that plays it, in place of the player made of pictures."""

    def share(self, time: float) -> float:
        """Return a time as a number from 0 to 1."""
        begin, end = self.span
        return min(max((time - begin) / (end - begin), 0.0), 1.0)

    def times(self, count: int) -> Array:
        """Return evenly spaced times, both ends included."""
        return np.linspace(*self.span, count)

    def told(self, time: float) -> str:
        """Return a time in the words of the clock, a dash for none.

        It is rounded down: what is certified free before a time is so before the time told.
        """
        if not isfinite(time):
            return numbers.NONE
        decimals = int(self.clock.partition(":.")[2].partition("f")[0])
        return self.clock.format(float(numbers.rounded_down(time, decimals)))


def status_name(answer: Any) -> str:
    """Return the status of an answer as a plain upper-case name, such as CONTACT."""
    return str(getattr(answer.status, "name", answer.status)).upper()


def finite_vector(value: Any) -> Array | None:
    """Return `value` as three finite numbers, or None when it does not hold them."""
    if value is None:
        return None
    vector = np.asarray(value, dtype=np.float64)
    return vector if vector.shape == (3,) and np.isfinite(vector).all() else None
