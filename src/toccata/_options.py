"""Options of queries, each spelled once; types are checked here, values in the core."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, Literal, TypedDict

from numpy.typing import ArrayLike

from toccata._arrays import as_number, as_threads
from toccata._native import core

Method = Literal["auto", "hca", "c2a", "interval"]
RobotMethod = Literal["auto", "interval", "hca", "adaptive"]
SequenceMethod = Literal["auto", "hca", "adaptive"]
StepMethod = Literal["auto", "clusters", "bvh"]
Enclosures = Literal["chains", "tree", "intervals"]
Initial = Literal["report", "ignore_separating", "resting"]
Stage = Literal["hierarchy", "swept", "exact"]
SplineKind = Literal["linear", "cubic", "quintic"]
Which = Literal["first", "all"]
"""The first contact alone, or all contacts."""
Separation = float | Mapping[Any, float]
"""A distance, or {(name_a, name_b): distance, "default": distance}."""


class Effort(TypedDict, total=False):
    """What all queries take."""

    tolerance: float | None
    """A contact is reported at most this much farther away than the separation. By default a
    millionth of the smaller body's radius, pair by pair, or what rounding admits:
    docs/reference/options.md."""
    budget: int | None
    """Units of work of one question before its answer is UNDECIDED: docs/reference/options.md."""


class RigidOptions(Effort, total=False):
    """Options of queries about rigid bodies, beside those of `Effort`."""

    method: Method
    """ "auto" is the fastest; "hca", "c2a" and "interval" follow the papers: docs/methods.md."""
    separation: float
    """Distance that counts as contact."""
    initial: Initial
    """Bodies that start within separation + tolerance are INITIAL_OVERLAP ("report"), ignored until
    they have left as long as they move apart ("ignore_separating"), or free to rest, slide and roll
    ("resting"): docs/guarantees.md."""
    w: float | None
    """Control of method "c2a", in (0, 1]; 1 is no control."""


class SceneOptions(Effort, total=False):
    """Options of queries about scenes, beside those of `Effort`.

    `method`, `initial` and `w` are as in `RigidOptions`.
    """

    method: Method
    separation: Separation
    """One distance, or one for each pair, with names in any order; other pairs take the entry
    "default", or 0."""
    initial: Initial
    w: float | None


class RobotOptions(Effort, total=False):
    """Options of queries about robots, beside those of `Effort`; `initial` as in `RigidOptions`."""

    self_contact: bool
    """Whether links are tested against each other."""
    method: RobotMethod
    """ "auto" is the fastest; "interval", "hca" and "adaptive" follow the papers:
    docs/methods.md."""
    separation: Separation
    """One distance, or one for each pair, with names of links and of bodies of the world in any
    order; other pairs take the entry "default", or 0."""
    initial: Initial
    enclosures: Enclosures | None
    """Of "adaptive", how the boxes of rigid groups follow their motions: by bounds "chains" along
    the active joints (None), by the same bounds composed in the assembly "tree", or by the paper's
    "intervals", matrices composed in it. The answer does not depend on it."""
    stages: Sequence[Stage] | None
    """Of "interval", which to run: "exact" always, "hierarchy" and "swept" may be left out; None
    for all. The answer does not depend on it."""


class BodyClearanceOptions(Effort, total=False):
    """Options of queries about distances.

    The tolerance is how much the two bounds may differ, by default a ten-thousandth of the smallest
    body's radius; they may differ by more when the budget runs out.
    """

    limit: float
    """Distances above it need not be told from each other: then `lower` is at least the limit."""


class ClearanceOptions(BodyClearanceOptions, total=False):
    """Those of `BodyClearanceOptions`, for robots; links count as bodies."""

    self_contact: bool
    """Whether links are measured against each other; those that are never tested are not."""


class PathOptions(TypedDict, total=False):
    """How a path leads through waypoints."""

    times: ArrayLike | None
    """(n,) rising numbers, the times of the waypoints in any unit; the answer counts time from 0 to
    1 over the whole path. By default all pieces take the same time."""
    spline: SplineKind
    """ "linear" is straight between waypoints. "cubic" is smooth: without `velocities`, twice
    differentiable, from rest to rest; with them, the cubic pieces that have them. "quintic" has
    velocities and accelerations at the waypoints; those not given are those of the smooth cubic
    without `velocities`, except that the accelerations are 0 at both ends. Floating joints move
    straight only."""
    velocities: ArrayLike | Mapping[str, ArrayLike] | None
    """(n, dof), per unit of `times` (or of the whole path); by name for robots with clocks."""
    accelerations: ArrayLike | Mapping[str, ArrayLike] | None
    """(n, dof), for "quintic"."""
    world_times: ArrayLike | None
    """Start and end of the motions of the world's bodies by the clock of `times`: they stand still
    before and after. By default they move over the whole path, 0 to 1."""


class RobotPathOptions(RobotOptions, PathOptions, total=False):
    """Those of `RobotOptions` and of `PathOptions`; the budget is for each piece."""


class ClearancePathOptions(ClearanceOptions, PathOptions, total=False):
    """Those of `ClearanceOptions` and of `PathOptions`; pieces share the budgets of all."""


class PairOptions(Effort, total=False):
    """Options of elementary tests, beside those of `Effort`."""

    separation: float
    """Distance that counts as contact."""
    threads: int | None
    """How many to use, by default one per core; answers do not depend on it."""


class StepOptions(PairOptions, total=False):
    """Options of steps of deforming meshes, beside those of `PairOptions`."""

    method: StepMethod
    """ "auto" is the fastest; "clusters" follows the paper, "bvh" is what it compares with:
    docs/methods.md."""
    contacts: Which
    """ "all" lists all pairs that touch during the step, not only the first."""


def check_known(given: Mapping[str, Any], known: Set[str]) -> None:
    """Raise TypeError for an option that the query does not have, as Python does."""
    if not given.keys() <= known:
        name, wanted = min(given.keys() - known), ", ".join(sorted(known))
        raise TypeError(f"unexpected option {name!r}: expected some of {wanted}")


def wants_all(contacts: Which) -> bool:
    """Check the option `contacts` of a query that lists them afterwards."""
    if contacts not in ("first", "all"):
        raise ValueError(f"contacts: expected one of first, all, got {contacts!r}")
    return contacts == "all"


def pair_distances(
    given: Mapping[Any, float], pair_of: Callable[[Any, Any], frozenset[str]]
) -> dict[frozenset[str] | None, float]:
    """Check distances by pair of names; that of all other pairs is under None.

    `pair_of` checks two names.
    """
    default = as_number("separation, 'default'", given.get("default", 0.0), least=0)
    distances: dict[frozenset[str] | None, float] = {None: default}
    for names, value in given.items():
        if isinstance(names, str) and names == "default":
            continue
        if not (isinstance(names, tuple | frozenset) and len(names) == 2):
            raise ValueError(f"separation: expected pairs of names or 'default', got {names!r}")
        distance = as_number(f"separation, {names!r}", value, least=0)
        try:
            pair = pair_of(*names)
        except ValueError as error:
            raise ValueError(f"separation, {names!r}: {error}") from error
        if distances.setdefault(pair, distance) != distance:
            raise ValueError(f"separation: expected one distance for {names!r}, got two")
    return distances


PLAIN = core.Options()
"""All by default."""


def rigid_options(given: RigidOptions) -> core.Options:
    """Return the options of a query about rigid bodies."""
    check_known(given, RigidOptions.__optional_keys__)
    return core.Options(**given)


def body_clearance_options(given: BodyClearanceOptions) -> core.ClearanceOptions:
    """Return the options of a query about distances of bodies."""
    check_known(given, BodyClearanceOptions.__optional_keys__)
    return core.ClearanceOptions(**given)


def step_options(given: StepOptions) -> core.StepOptions:
    """Return the options of a step."""
    check_known(given, StepOptions.__optional_keys__)
    own: Any = {**given, "threads": as_threads(given.get("threads"))}
    return core.StepOptions(**own)


def pair_options(given: PairOptions) -> tuple[core.LinearOptions, int]:
    """Return the options of elementary tests, and the number of threads."""
    check_known(given, PairOptions.__optional_keys__)
    own: Any = {name: value for name, value in given.items() if name != "threads"}
    return core.LinearOptions(**own), as_threads(given.get("threads"))


def fixed_method(given: Mapping[str, Any], known: Set[str], method: str) -> dict[str, Any]:
    """Return the options of a sequence, which has a method of its own."""
    check_known(given, known - {"method", "stages", "w"})
    return {**given, "method": method}
