"""Answers of queries."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._lazy import Filler, Lazy, fillers
from toccata._native import core
from toccata._shown import ShownAnswer


class Status(IntEnum):
    """What a query found; only FREE says that nothing touches."""

    FREE = 0
    CONTACT = 1
    INITIAL_OVERLAP = 2
    UNDECIDED = 3


_STATUS = tuple(Status)

FEATURES: tuple[str | None, ...] = (None, "vertex-face", "face-vertex", "edge-edge", "surface")
"""Names of the codes in `Batch.feature`: of a, then of b; "surface" if either is curved."""
_NAMES = (_STATUS, FEATURES)


@dataclass(frozen=True, slots=True)
class Stats:
    """Work done, in the quantities that the papers plot, and the time it took.

    The times of the stages are those of the core; `seconds` is all of the call.
    """

    ca_iterations: int
    bv_tests: int
    front_nodes: int
    elementary_tests: int
    subdivisions: int
    seconds: float
    broad_phase_pairs: int = 1
    """Pairs of bodies that were looked at."""
    seconds_broad_phase: float = 0.0
    """Choosing the pairs of bodies of a scene."""
    seconds_setup: float = 0.0
    """Checking and placing the bodies."""
    seconds_walk: float = 0.0
    """In the hierarchies, without the elementary tests."""
    seconds_elementary: float = 0.0
    """In elementary tests."""
    seconds_inside: float = 0.0
    """Asking whether a body starts inside a solid."""

    @classmethod
    def _of(cls, native: core.Stats, seconds: float, pairs: int = 1) -> Stats:
        return cls(*stats_values(native, seconds, pairs))

    def _plus(self, other: Stats) -> Self:
        """Return the work of both."""
        sums = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        return type(self)(**sums)


def stats_values(native: core.Stats, seconds: float, pairs: int) -> tuple[Any, ...]:
    """Return the values of the fields of Stats."""
    return (
        native.ca_iterations,
        native.bv_tests,
        native.front_nodes,
        native.elementary_tests,
        native.subdivisions,
        seconds,
        pairs,
        native.seconds_broad_phase,
        native.seconds_setup,
        native.seconds_walk,
        native.seconds_elementary,
        native.seconds_inside,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Answer(Lazy):
    """What every answer to one question has.

    The bodies are farther apart than the separation at all times before `safe_until`. With status
    CONTACT they are within separation + tolerance at `toc`, which equals `safe_until`. FREE has a
    `toc` of infinity; UNDECIDED has `toc` = `safe_until`, the earliest time at which contact cannot
    be excluded. Points, directions and configurations that are not known are NaN.
    """

    status: Status
    toc: float
    safe_until: float
    tolerance: float

    def __bool__(self) -> bool:
        """Whether contact cannot be excluded: a budget that ran out must not pass as free."""
        return self.status is not Status.FREE


def _fill(answer: Answer) -> None:
    answer._source[1].fill(answer, _SLOTS, _NAMES, np.empty((3, 3)))


_PLAIN = [
    "status",
    "toc",
    "safe_until",
    "tolerance",
    "distance",
    "triangle_a",
    "triangle_b",
    "feature",
    "point_a",
    "point_b",
    "normal",
]
CONTACT_FIELDS: dict[str, Filler] = dict.fromkeys(_PLAIN, _fill)
"""What fills in the fields that any record of a contact has."""


NOBODY: tuple[str | None, str | None] = (None, None)
"""The names of two bodies that have none."""


@dataclass(frozen=True, slots=True, eq=False)
class Contact(Answer):
    """First contact of two moving bodies; points and normal are in world coordinates at `toc`.

    If the status is UNDECIDED, only the times mean anything.
    """

    distance: float
    """Distance at `toc`, at most separation + tolerance; NaN if unknown."""
    point_a: Floats
    point_b: Floats
    normal: Floats
    """Unit vector from b to a; NaN for INITIAL_OVERLAP."""
    triangle_a: int
    """Row of the faces of a; -1 if there is none."""
    triangle_b: int
    feature: str | None
    """Kind of the contact, such as "edge-edge"; None if unknown."""
    stats: Stats
    contacts: tuple[Contact, ...] = ()
    """All pairs of triangles in contact at `toc`, with `contacts="all"`: sorted by triangles, equal
    points once. Normals are NaN only below rounding."""
    body_a: str | None = None
    body_b: str | None = None

    _fillers: ClassVar[dict[str, Filler]] = CONTACT_FIELDS | fillers(
        ("stats", lambda c, seconds, pairs=1, *_: (Stats._of(c.stats, seconds, pairs),)),
        ("contacts", lambda c, seconds, pairs=1, contacts=(), *_: (contacts,)),
        ("body_a body_b", lambda c, seconds, pairs=1, contacts=(), bodies=NOBODY: bodies),
    )

    @classmethod
    def _of(
        cls,
        native: core.Contact,
        seconds: float = 0.0,
        contacts: tuple[Contact, ...] = (),
        bodies: tuple[str | None, str | None] = NOBODY,
        pairs: int = 1,
        kept: tuple[Any, ...] = (),
    ) -> Contact:
        return cls._lazy(native, seconds, pairs, contacts, bodies, kept=kept)


_SLOTS = tuple(getattr(Contact, name) for name in _PLAIN)


@dataclass(frozen=True, slots=True, eq=False)
class Answers(ShownAnswer):
    """What answers to many questions have, one row each; fields as in `Answer`."""

    status: NDArray[np.uint8]
    """Codes that compare equal to `Status`."""
    toc: Floats
    safe_until: Floats
    tolerance: Floats

    @property
    def collides(self) -> NDArray[np.bool_]:
        """In which rows contact cannot be excluded."""
        return np.not_equal(self.status, Status.FREE)

    def __bool__(self) -> bool:
        """Whether contact cannot be excluded in some row."""
        return bool(self.collides.any())

    def __len__(self) -> int:
        return len(self.status)


@dataclass(frozen=True, slots=True, eq=False)
class Batch(Answers):
    """First contacts of many motions, one row each; fields as in Contact."""

    distance: Floats
    point_a: Floats
    point_b: Floats
    normal: Floats
    triangle_a: NDArray[np.int32]
    triangle_b: NDArray[np.int32]
    feature: NDArray[np.uint8]
    """Codes; `FEATURES` names them."""


@dataclass(frozen=True, slots=True, eq=False)
class SceneContacts(Batch):
    """First contacts of pairs of bodies of a scene, one row each."""

    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """Rows of `names`; `body_a` was added first."""
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Clearance(ShownAnswer):
    """The least distance of all pairs of bodies at all times of their motions.

    It lies between `lower` and `upper`, which differ by at most `tolerance` unless the budget ran
    out; both are certified, rounding included. In contact, `lower` is 0 and `distance` at most
    the tolerance. If nothing comes nearer than the limit, `lower` is at least the limit, `upper`
    may be infinite, and then there is no time and no body.
    """

    lower: float
    upper: float
    tolerance: float
    distance: float
    """Measured at `time`, between the points below; `upper` exceeds it by the rounding error."""
    time: float
    point_a: Floats
    point_b: Floats
    """In world coordinates at `time`."""
    stats: Stats
    body_a: str | None = None
    body_b: str | None = None
    """Names, of a scene."""

    @classmethod
    def _of(
        cls, found: core.Clearance, seconds: float, bodies: tuple[str | None, str | None]
    ) -> Self:
        return cls(
            lower=found.lower,
            upper=found.upper,
            tolerance=found.tolerance,
            distance=found.distance,
            time=found.time,
            point_a=np.array(found.point_a),
            point_b=np.array(found.point_b),
            stats=Stats._of(found.stats, seconds, found.pairs_tested),
            body_a=bodies[0],
            body_b=bodies[1],
        )
