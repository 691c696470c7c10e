"""Options of queries. Each option is defined once, with its type, default and description.

A query takes `**options: Unpack[SomeOptions]` for type checkers. The decorator
`@takes(SomeOptions)` adds the options to its signature and docstring. This module checks the names
of options; the core checks their values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from inspect import Parameter, cleandoc, signature
from math import inf
from textwrap import fill
from typing import Annotated, Any, Literal, TypedDict, TypeVar, get_args, get_type_hints

from numpy.typing import ArrayLike

from toccata._arrays import as_choice, as_number, as_threads
from toccata._native import core

KEYWORD_ONLY = Parameter.KEYWORD_ONLY
Method = Literal["auto", "hca", "c2a", "interval"]
RobotMethod = Literal["auto", "interval", "hca", "adaptive"]
SequenceMethod = Literal["auto", "hca", "adaptive"]
StepMethod = Literal["auto", "clusters", "bvh"]
Enclosures = Literal["chains", "tree", "intervals"]
Exact = Literal["advancement", "interval"]
Initial = Literal["report", "ignore_separating", "resting"]
Stage = Literal["hierarchy", "swept", "exact"]
SplineKind = Literal["linear", "cubic", "quintic"]
Which = Literal["first", "all"]
"""Contacts to list: the first one, or all."""
Separation = float | Mapping[Any, float]
"""A distance for all pairs, or {(name_a, name_b): distance, "default": distance}."""


@dataclass(frozen=True, slots=True)
class Option:
    """Default and description of an option."""

    default: Any
    text: str


class BudgetOptions(TypedDict, total=False):
    """The limit of the work of a contact query."""

    budget: Annotated[
        int | None,
        Option(
            None,
            "units of work before the answer is UNDECIDED. Defaults and units: "
            "docs/reference/options.md.",
        ),
    ]


class SeparationOptions(TypedDict, total=False):
    """The distance that counts as contact."""

    separation: Annotated[float, Option(0.0, "distance that counts as contact.")]


class Effort(BudgetOptions, total=False):
    """Options of all contact queries about rigid bodies."""

    tolerance: Annotated[
        float | None,
        Option(
            None,
            "largest amount by which the distance at a reported contact may exceed the separation. "
            "Default: a millionth of the smaller body's radius, pair by pair, or more if rounding "
            "demands it.",
        ),
    ]


class IntervalOptions(Effort, SeparationOptions, total=False):
    """Options of `contact_intervals`."""


class StartOptions(TypedDict, total=False):
    """The treatment of bodies that start near each other."""

    initial: Annotated[
        Initial,
        Option(
            "report",
            "treatment of bodies that start within separation + tolerance. "
            '"report": they are an INITIAL_OVERLAP. "ignore_separating": they are ignored until '
            "they have left this distance, as long as they provably move apart. "
            '"resting": they may rest, slide and roll, but must stay farther apart than half '
            "their start distance. See docs/guarantees.md.",
        ),
    ]


class MethodOptions(StartOptions, total=False):
    """Options of queries with the methods of rigid bodies."""

    method: Annotated[
        Method,
        Option(
            "auto",
            '"auto" is the fastest; "hca", "c2a" and "interval" follow the papers: '
            'docs/methods.md. For pairs with a curved surface, "interval" does the same as "auto".',
        ),
    ]
    w: Annotated[float | None, Option(None, 'control of method "c2a", in (0, 1]; 1 turns it off.')]


class SequenceOptions(IntervalOptions, StartOptions, total=False):
    """Options of `ContactSequence.first_contact`."""


class RigidOptions(IntervalOptions, MethodOptions, total=False):
    """Options of queries about two rigid bodies."""


class ScenePairOptions(Effort, total=False):
    """Options of queries with a separation for each pair of names."""

    separation: Annotated[
        Separation,
        Option(
            0.0,
            "distance that counts as contact; or a mapping from pairs of names, in any order, to "
            'distances. Pairs that are not listed take the entry "default", or 0.',
        ),
    ]


class SceneOptions(ScenePairOptions, MethodOptions, total=False):
    """Options of queries about scenes."""


class SceneSequenceOptions(ScenePairOptions, StartOptions, total=False):
    """Options of `SceneSequence.first_contact`."""


class SceneIntervalOptions(ScenePairOptions, total=False):
    """Options of `Scene.contact_intervals`."""


class RobotIntervalOptions(ScenePairOptions, total=False):
    """Options of `Robot.contact_intervals`."""

    self_contact: Annotated[bool, Option(True, "also test links against each other.")]


class RobotFreeOptions(RobotIntervalOptions, total=False):
    """Options of `Robot.motion_is_free`."""

    method: Annotated[
        RobotMethod,
        Option(
            "auto",
            '"auto" is the fastest; "interval", "hca" and "adaptive" follow the papers: '
            "docs/methods.md.",
        ),
    ]


class RobotSequenceOptions(RobotIntervalOptions, StartOptions, total=False):
    """Options of `RobotSequence.first_contact`."""

    enclosures: Annotated[
        Enclosures | None,
        Option(
            None,
            'bounds of rigid groups in "adaptive". "chains" (default): along chains of active '
            'joints. "tree": the same bounds, composed in the assembly tree. "intervals": interval '
            "matrices, as in the paper. The answer does not depend on this option.",
        ),
    ]
    exact: Annotated[
        Exact | None,
        Option(
            None,
            'exact stage of "adaptive". "advancement" (default): the one of "auto". "interval": '
            "interval arithmetic in ever shorter windows, as in the paper.",
        ),
    ]


class RobotPairsOptions(RobotIntervalOptions, StartOptions, total=False):
    """Options of `Robot.contacts`; the budget applies to each pair."""


class RobotOptions(RobotFreeOptions, RobotSequenceOptions, total=False):
    """Options of queries about a robot's motion."""

    stages: Annotated[
        Sequence[Stage] | None,
        Option(
            None,
            'stages of "interval": "exact", which is required, and any of "hierarchy" and "swept". '
            "Default: all. The answer does not depend on this option.",
        ),
    ]


class BodyClearanceOptions(TypedDict, total=False):
    """Options of clearance queries about bodies."""

    tolerance: Annotated[
        float | None,
        Option(
            None,
            "largest difference of the two bounds. Default: a ten-thousandth of the smallest "
            "body's radius, or more where rounding demands it.",
        ),
    ]
    budget: Annotated[
        int | None,
        Option(
            None,
            "units of work. When it runs out, the bounds may differ by more than the tolerance. "
            "Defaults and units: docs/reference/options.md.",
        ),
    ]
    limit: Annotated[
        float,
        Option(
            inf,
            "largest distance to resolve; for larger distances, `lower` is at least the limit.",
        ),
    ]


class ClearanceOptions(BodyClearanceOptions, total=False):
    """Options of clearance queries about robots; links count as bodies."""

    self_contact: Annotated[bool, Option(True, "also measure the distances between links.")]


class PathOptions(TypedDict, total=False):
    """Options that define a path through waypoints."""

    times: Annotated[
        ArrayLike | None,
        Option(
            None,
            "increasing times of the waypoints, (n,), in any unit. Times in answers run from 0 to "
            "1 over the whole path. Default: all pieces take the same time.",
        ),
    ]
    spline: Annotated[
        SplineKind,
        Option(
            "linear",
            '"linear" is straight between waypoints. "cubic" is twice differentiable and starts '
            'and ends at rest, or has the given `velocities` at the waypoints. "quintic" has '
            "`velocities` and `accelerations` at the waypoints; the defaults are taken from the "
            "cubic without `velocities`, with zero accelerations at both ends of the path. "
            'Floating joints accept only "linear".',
        ),
    ]
    velocities: Annotated[
        ArrayLike | Mapping[str, ArrayLike] | None,
        Option(
            None,
            "velocities at the waypoints, (n, dof), per unit of `times`, or per whole path without "
            "`times`. Combined robots with clocks take a mapping by name.",
        ),
    ]
    accelerations: Annotated[
        ArrayLike | Mapping[str, ArrayLike] | None,
        Option(None, 'accelerations at the waypoints, (n, dof), for "quintic".'),
    ]
    world_times: Annotated[
        ArrayLike | None,
        Option(
            None,
            "start and end of the motions of the world's bodies, on the clock of `times`. Bodies "
            "stand still before and after. Default: both ends of the path.",
        ),
    ]


class RobotPathOptions(RobotOptions, PathOptions, total=False):
    """Options of contact queries about paths; the budget applies to each piece."""


class RobotSequencePathOptions(RobotSequenceOptions, PathOptions, total=False):
    """Options of `RobotSequence.first_contact_path`; the budget applies to each piece."""


class RobotPairsPathOptions(RobotPairsOptions, PathOptions, total=False):
    """Options of `Robot.contacts_path`; the budget applies to each pair and piece."""


class RobotIntervalPathOptions(RobotIntervalOptions, PathOptions, total=False):
    """Options of `Robot.contact_intervals_path`; the budget applies to each piece."""


class ClearancePathOptions(ClearanceOptions, PathOptions, total=False):
    """Options of clearance queries about paths; the budget applies to each piece."""


class LinearOptions(BudgetOptions, SeparationOptions, total=False):
    """Options of queries about vertices that move linearly."""

    threads: Annotated[
        int | None,
        Option(None, "number of threads; default: one per core. Answers do not depend on it."),
    ]


class PairOptions(LinearOptions, total=False):
    """Options of elementary tests."""

    tolerance: Annotated[
        float | None,
        Option(
            None,
            "largest amount by which the distance at a reported contact may exceed the separation. "
            "Default: 1e-6.",
        ),
    ]


class FrameOptions(BudgetOptions, SeparationOptions, total=False):
    """Options of steps of deforming meshes, without the number of threads."""

    tolerance: Annotated[
        float | None,
        Option(
            None,
            "largest amount by which the distance at a reported contact may exceed the separation. "
            "Default: a millionth of the diagonal of the box around all vertices.",
        ),
    ]
    method: Annotated[
        StepMethod,
        Option(
            "auto",
            '"auto" is the fastest; "clusters" follows the paper, and "bvh" is its baseline: '
            "docs/methods.md.",
        ),
    ]
    contacts: Annotated[
        Which,
        Option(
            "first",
            '"all" lists every pair that touches during the step, at its own time. '
            'For rigid bodies and robots, "all" lists only contacts at `toc`.',
        ),
    ]


class StepOptions(FrameOptions, LinearOptions, total=False):
    """Options of steps of deforming meshes."""


FIRST = ("method", "tolerance", "separation", "initial")
"""Options that come first in signatures, in this order."""
Query = TypeVar("Query", bound=Callable[..., Any])


@cache
def described(options: Any) -> dict[str, Option]:
    """Return the options of a class by name."""
    hints = get_type_hints(options, include_extras=True)
    names = sorted(hints, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    return {name: get_args(hints[name])[-1] for name in names}


def takes(options: Any) -> Callable[[Query], Query]:
    """Add the options of a query to its signature and docstring.

    The signature lists them as keyword arguments with defaults. Their descriptions follow the last
    line of the docstring, which has to end with its "Args" if it has this section. The query is
    returned without a wrapper, so calls take no longer.

    Args:
        options: class of the query's `**options`.

    """
    hints = get_type_hints(options)
    named = [
        Parameter(name, KEYWORD_ONLY, default=option.default, annotation=hints[name])
        for name, option in described(options).items()
    ]
    lines = [_line(name, option.text) for name, option in described(options).items()]

    def show(query: Query) -> Query:
        own: Any = query
        given = signature(query)
        plain = [p for p in given.parameters.values() if p.kind is not p.VAR_KEYWORD]
        own.__signature__ = given.replace(parameters=[*plain, *named])
        text = cleandoc(query.__doc__ or "")
        head = [] if "\nArgs:\n" in text else ["", "Args:"]
        own.__doc__ = "\n".join([text, *head, *lines, ""])
        return query

    return show


@cache
def _line(name: str, text: str) -> str:
    return fill(f"{name}: {text}", 96, initial_indent=" " * 4, subsequent_indent=" " * 8)


def check_known(given: Mapping[str, Any], known: Set[str]) -> None:
    """Raise TypeError for an option that the query does not have."""
    if not given.keys() <= known:
        name, wanted = min(given.keys() - known), f"expected some of {', '.join(sorted(known))}"
        if meant := get_close_matches(name, known, 1, 0.7):
            wanted = f"did you mean {meant[0]!r}?"
        raise TypeError(f"unexpected option {name!r}: {wanted}")


def wants_all(contacts: Which) -> bool:
    """Check the option `contacts`, and return whether all contacts are listed."""
    return as_choice("contacts", contacts, ("first", "all")) == "all"


def pair_distances(
    given: Mapping[Any, float], pair_of: Callable[[Any, Any], frozenset[str]]
) -> dict[frozenset[str] | None, float]:
    """Check distances by pair of names, and return them with the default under the key None.

    Args:
        given: distances by pairs of names, and the entry "default".
        pair_of: function that checks two names and returns their pair.

    """
    default = as_number("separation, 'default'", given.get("default", 0.0), least=0)
    distances: dict[frozenset[str] | None, float] = {None: default}
    for names, value in given.items():
        if isinstance(names, str) and names == "default":
            continue
        if not (isinstance(names, tuple | frozenset) and len(names) == 2):
            error = ValueError if isinstance(names, str) else TypeError
            raise error(f"separation: expected pairs of names or 'default', got {names!r}")
        distance = as_number(f"separation, {names!r}", value, least=0)
        try:
            pair = pair_of(*names)
        except (TypeError, ValueError) as error:
            raise type(error)(f"separation, {names!r}: {error}") from error
        if distances.setdefault(pair, distance) != distance:
            raise ValueError(f"separation: expected one distance for {names!r}, got two")
    return distances


PLAIN = core.Options()
"""Options with all defaults."""


def rigid_options(given: RigidOptions) -> core.Options:
    """Return the options of a query about rigid bodies."""
    check_known(given, RigidOptions.__optional_keys__)
    return core.Options(**given)


def body_clearance_options(given: BodyClearanceOptions) -> core.ClearanceOptions:
    """Return the options of a query about distances between bodies."""
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
    """Return the options of a query with a fixed method."""
    check_known(given, known - {"method", "stages", "w"})
    return {**given, "method": method}
