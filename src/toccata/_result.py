"""Answers to queries."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._lazy import Filler, Lazy, fillers
from toccata._native import core
from toccata._printed import Printed, between, counted, details
from toccata._shown import ShownAnswer


class Status(IntEnum):
    """Result of a query. Only FREE proves that nothing touches."""

    FREE = 0
    """The bodies stay farther apart than the separation."""
    CONTACT = 1
    """The bodies come within separation + tolerance."""
    INITIAL_OVERLAP = 2
    """The bodies are in contact at t = 0."""
    UNDECIDED = 3
    """The budget or the precision ran out at `safe_until`."""


_STATUS = tuple(Status)

FEATURES = (
    "vertex-face",
    "face-vertex",
    "edge-edge",
    "vertex-edge",
    "edge-vertex",
    "vertex-vertex",
    "surface",
)
"""Names of pairs of features, with the feature of body a first. Arrays in answers have indices into
this table, or 255 if the pair is unknown. "surface": one body is a curved surface, or two triangles
pass through each other."""
NO_FEATURE = 255
_NAMES = (_STATUS, FEATURES)


def feature_name(code: int) -> str | None:
    """Return the name of a pair of features, or None without a pair."""
    return None if code == NO_FEATURE else FEATURES[code]


@dataclass(frozen=True, slots=True)
class Stats:
    """Work of a query, in the quantities that the papers plot, and its time.

    `seconds` is the time of the whole call. The core measures the times of the stages.
    """

    ca_iterations: int
    bv_tests: int
    front_nodes: int
    elementary_tests: int
    subdivisions: int
    seconds: float
    broad_phase_pairs: int = 1
    """Number of candidate pairs of bodies."""
    seconds_broad_phase: float = 0.0
    """Seconds for choosing the candidate pairs of a scene."""
    seconds_setup: float = 0.0
    """Seconds for checking and placing the bodies."""
    seconds_walk: float = 0.0
    """Seconds for traversing the hierarchies, without the elementary tests."""
    seconds_elementary: float = 0.0
    """Seconds for elementary tests."""
    seconds_inside: float = 0.0
    """Seconds for testing whether a body starts inside a solid."""

    @classmethod
    def _of(cls, native: core.Stats, seconds: float, pairs: int = 1) -> Stats:
        return cls(*stats_values(native, seconds, pairs))


def stats_values(native: core.Stats, seconds: float, pairs: int) -> tuple[Any, ...]:
    """Return the values of the fields of `Stats`."""
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
class Answer(Lazy, Printed):
    """The common fields of all answers to contact queries.

    The bodies are farther apart than the separation at all times before `safe_until`. With status
    CONTACT, `toc` equals `safe_until`, and the bodies are within separation + tolerance at `toc`.
    With status FREE, `toc` is infinite. With status UNDECIDED, `toc` equals `safe_until`, the
    earliest time at which contact is not excluded. Unknown points, directions and configurations
    are NaN.
    """

    status: Status
    toc: float
    safe_until: float
    tolerance: float

    def __bool__(self) -> bool:
        """Return whether contact is not excluded; this includes an exhausted budget."""
        return self.status is not Status.FREE

    def __str__(self) -> str:
        """Return one line: the status, the time, and the bodies in contact."""
        at = {Status.FREE: "", Status.UNDECIDED: f" from t = {self.safe_until:.4g} on"}
        when = at.get(self.status, f" at t = {self.toc:.4g}")
        details = ", ".join(self._details())
        text = f"{self.status.name}{self._bodies()}{when}{': ' if details else ''}{details}"
        return f"{text} (tolerance {self.tolerance:.2g})"

    def _bodies(self) -> str:
        """Return the bodies in contact after a preposition, or an empty text without names."""
        return ""

    def _details(self) -> list[str]:
        """Return the features and triangles in contact, and their distance."""
        return []


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
"""Fillers of the fields that every record of a contact in the core has."""


NOBODY: tuple[str | None, str | None] = (None, None)
"""The names of two bodies without names."""


@dataclass(frozen=True, slots=True, eq=False)
class Contact(Answer):
    """First contact of two moving bodies; points and normal are in world coordinates at `toc`.

    If several points touch at once, as when an edge meets a face, the points are one pair of them.
    If the status is UNDECIDED, only the times are meaningful.
    """

    distance: float
    """Distance at `toc`, at most separation + tolerance; NaN if unknown."""
    point_a: Floats
    point_b: Floats
    normal: Floats
    """Unit vector from b to a; NaN for INITIAL_OVERLAP."""
    triangle_a: int
    """Triangle of a in contact, a row of its faces; -1 if unknown."""
    triangle_b: int
    feature: str | None
    """Features in contact, one of `toccata.FEATURES`; None if unknown."""
    stats: Stats
    contacts: tuple[Contact, ...] = ()
    """All pairs of triangles in contact at `toc` with `contacts="all"`, sorted by triangles. Later
    contacts are not listed, and pairs with equal points only once. A normal is NaN only if the
    distance is below rounding."""
    body_a: str | None = None
    body_b: str | None = None
    """Names of the bodies, in scenes and robots."""

    def _bodies(self) -> str:
        return between(self.body_a, self.body_b, "of")

    def _details(self) -> list[str]:
        known = not np.isnan(self.distance)
        distance = [f"distance {self.distance:.3g}"] if known else []
        return [*details(self.feature, self.triangle_a, self.triangle_b), *distance]

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


@dataclass(frozen=True, eq=False)
class Answers(ShownAnswer, Printed):
    """Answers to many contact queries, with one row for each query and the fields of `Answer`."""

    status: NDArray[np.uint8]
    """Codes that compare equal to members of `Status`."""
    toc: Floats
    safe_until: Floats
    tolerance: Floats

    @property
    def collides(self) -> NDArray[np.bool_]:
        """Mask of the rows in which contact is not excluded, (n,)."""
        return np.not_equal(self.status, Status.FREE)

    def __bool__(self) -> bool:
        """Return whether contact is not excluded in at least one row."""
        return bool(self.collides.any())

    def __len__(self) -> int:
        return len(self.status)

    def __str__(self) -> str:
        """Return one line: the number of rows of each status, and the earliest contact."""
        counts = counted(_STATUS[code].name for code in self.status.tolist())
        text = f"{len(self)} rows" + (f": {counts}" if counts else "")
        if not self:
            return text
        row = int(np.argmin(self.toc))
        return f"{text}; earliest at t = {self.toc[row]:.4g}, row {row}{self._bodies(row)}"

    def _bodies(self, row: int) -> str:
        """Return the bodies in contact in a row after a preposition, or an empty text."""
        return ""


@dataclass(frozen=True, eq=False)
class ClosestRows(Printed):
    """Closest points of pairs of bodies, with one row for each pair and fields of `Contact`."""

    distance: Floats
    point_a: Floats
    point_b: Floats
    normal: Floats
    triangle_a: NDArray[np.int32]
    triangle_b: NDArray[np.int32]
    feature: NDArray[np.uint8]
    """Indices into `toccata.FEATURES`; 255 if unknown."""


class PairRows:
    """Base of answers with a pair of bodies in each row, as indices into `names`."""

    __slots__ = ()
    _indices: ClassVar[tuple[str, str]] = "body_a", "body_b"

    @property
    def pairs(self) -> tuple[tuple[str, str] | tuple[None, None], ...]:
        """Names of both bodies of each row; (None, None) where the indices are -1."""
        own: Any = self
        rows = zip(*(getattr(own, name).tolist() for name in self._indices), strict=True)
        return tuple((own.names[a], own.names[b]) if a >= 0 else (None, None) for a, b in rows)


@dataclass(frozen=True, eq=False)
class NamedRows(PairRows, Printed):
    """Rows with the indices of two bodies."""

    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """Indices into `names`; in scenes `body_a` is the body that was added first."""
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Batch(ClosestRows, Answers):
    """First contacts of many motions, with one row for each motion and the fields of `Contact`."""


@dataclass(frozen=True, eq=False)
class SceneContacts(NamedRows, Batch):
    """First contacts of pairs of bodies of a scene, with one row for each pair."""

    def _bodies(self, row: int) -> str:
        return between(self.names[self.body_a[row]], self.names[self.body_b[row]], "of")


@dataclass(frozen=True, eq=False)
class Bracket(Printed):
    """A distance with two certified bounds, rounding included."""

    lower: float
    upper: float
    distance: float
    """Computed distance of the two points, which is not a certified bound."""
    point_a: Floats
    point_b: Floats
    """Closest points in world coordinates."""


@dataclass(frozen=True, eq=False)
class Clearance(ShownAnswer, Bracket):
    """The least distance of all pairs of bodies during their motions.

    The bounds differ by at most `tolerance` unless the budget ran out. In contact, `lower` is 0 and
    `distance` is at most the tolerance. If all distances are above the limit, `lower` is at least
    the limit, `upper` may be infinite, and the time and the names are unknown.
    """

    tolerance: float
    time: float
    """Time of the least distance, from 0 to 1; NaN if unknown. In contact, this is a time of
    contact, not necessarily the first one."""
    stats: Stats
    body_a: str | None = None
    body_b: str | None = None
    """Names of the bodies, in scenes."""

    def __str__(self) -> str:
        """Return one line: the bounds, the time, and the nearest bodies."""
        if np.isnan(self.time):
            return f"distance at least {self.lower:.4g}"
        bounds = f"distance {self.lower:.7g} to {self.upper:.7g} at t = {self.time:.4g}"
        return f"{bounds}{between(self.body_a, self.body_b, 'between')}"

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
