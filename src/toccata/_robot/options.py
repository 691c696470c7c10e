"""Options of robot queries, checked and prepared for the core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, get_args

import numpy as np

from toccata._arrays import as_choice
from toccata._native import core
from toccata._options import (
    ClearanceOptions,
    Enclosures,
    Exact,
    RobotFreeOptions,
    RobotIntervalOptions,
    RobotMethod,
    RobotOptions,
    RobotPairsOptions,
    Separation,
    Stage,
    check_known,
    pair_distances,
)
from toccata._robot.tested import TestedPairs
from toccata._scene import PreparedWorld

METHODS = get_args(RobotMethod)
STAGES = get_args(Stage)
MOST_KNOWN = 64
"""Largest number of prepared options that a world keeps."""
CONTACT_OPTIONS = RobotOptions.__optional_keys__
FREE_OPTIONS = RobotFreeOptions.__optional_keys__
INTERVAL_OPTIONS = RobotIntervalOptions.__optional_keys__
PAIRS_OPTIONS = RobotPairsOptions.__optional_keys__


def as_stages(stages: Any, method: str) -> tuple[str, ...]:
    """Return the stages of method "interval" as a tuple, or raise if they are invalid."""
    wanted = f"stages: expected some of {', '.join(STAGES)}"
    if isinstance(stages, str) or not isinstance(stages, Iterable):
        raise TypeError(f"{wanted} in a tuple, got {stages!r}")
    own = tuple(stages)
    if any(stage not in STAGES for stage in own):
        raise ValueError(f"{wanted}, got {own}")
    if "exact" not in own:
        raise ValueError(f"stages: the stage exact is required, got {own}")
    if method != "interval":
        raise ValueError(
            f"stages: expected None, because method {method!r} has no stages, got {own}"
        )
    return own


def as_adaptive(name: str, value: Any, choices: tuple[str, ...], method: str) -> None:
    """Raise if an option of method "adaptive" has another value, or belongs to another method."""
    as_choice(name, value, choices)
    if method != "adaptive":
        wanted = f"None, because method {method!r} has no choice of {name}"
        raise ValueError(f"{name}: expected {wanted}, got {value!r}")


def as_self_contact(value: Any) -> bool:
    """Return `self_contact` as a bool; raise TypeError for other types."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"self_contact: expected True or False, got {value!r}")
    return bool(value)


def robot_options(given: Mapping[str, Any], known: Set[str] = CONTACT_OPTIONS) -> core.RobotOptions:
    """Return the checked options of a query that accepts `known`, with one separation."""
    check_known(given, known)
    method = given.get("method", "auto")
    if method not in METHODS:
        methods = ", ".join(METHODS)
        raise ValueError(f"method: expected one of {methods} for robots, got {method!r}")
    own = {"self_contact", "stages", "enclosures", "exact"}
    shared = {name: value for name, value in given.items() if name not in own}
    options = core.RobotOptions()
    options.options = core.Options(**shared, for_robot=True)
    options.self_contact = as_self_contact(given.get("self_contact", True))
    if (enclosures := given.get("enclosures")) is not None:
        as_adaptive("enclosures", enclosures, get_args(Enclosures), method)
        options.enclosures = core.Enclosures[enclosures]
    if (exact := given.get("exact")) is not None:
        as_adaptive("exact", exact, get_args(Exact), method)
        options.intervals = exact == "interval"
    if (given_stages := given.get("stages")) is not None:
        stages = as_stages(given_stages, method)
        options.hierarchy, options.swept = "hierarchy" in stages, "swept" in stages
    return options


def options_in(
    world: PreparedWorld,
    pairs: TestedPairs,
    given: Mapping[str, Any],
    known: Set[str] = CONTACT_OPTIONS,
) -> core.RobotOptions:
    """Return the options of a query in a world. They are cached, because planners repeat them."""
    distances: Mapping[Any, float] | None = None
    # The exact type is compared first, because isinstance is slow for an abstract Mapping.
    separation = given.get("separation", 0.0)
    if type(separation) is not float and isinstance(separation, Mapping):
        distances = separation
        given = {name: value for name, value in given.items() if name != "separation"}
    key = (pairs.version, known, distances is None, *given.items())
    try:
        asked = world.asked.get(key)
    except TypeError:  # unhashable values are not cached
        return _prepare(world, pairs, robot_options(given, known), separation)
    if asked is not None and (distances is None or same_distances(asked[1], distances)):
        return asked[0]
    options = _prepare(world, pairs, robot_options(given, known), separation)
    if len(world.asked) >= MOST_KNOWN:
        world.asked.clear()
    copy = None if distances is None else {k: float(v) for k, v in distances.items()}
    world.asked[key] = options, copy
    return options


def _prepare(
    world: PreparedWorld, pairs: TestedPairs, options: core.RobotOptions, separation: Separation
) -> core.RobotOptions:
    """Add separations, ignored pairs, and pairs at rest that are proven apart."""
    pairs.check_geometry()
    pairs.meet(world)
    by_pair = isinstance(separation, Mapping)
    if pairs.padding or by_pair:
        given: Any = separation if by_pair else {"default": separation}
        table = _separations(world, pairs, given)
        if pairs.padding:
            table.pad([pairs.padding.get(link, 0.0) for link in pairs.link_names])
        options.set_separations(table, len(pairs.link_names))
    if pairs.ignores_bodies or pairs.has_resting:
        options.set_ignored(pairs.ignored_bodies(world), pairs.core, world.native)
    return options


def clearance_options_in(
    world: PreparedWorld, pairs: TestedPairs, given: Mapping[str, Any]
) -> core.ClearanceOptions:
    """Return the options of a clearance query in a world."""
    check_known(given, ClearanceOptions.__optional_keys__)
    as_self_contact(given.get("self_contact", True))
    options = core.ClearanceOptions(**given)
    pairs.check_geometry()
    pairs.meet(world)
    if pairs.ignores_bodies:
        options.set_ignored(pairs.ignored_bodies(world))
    return options


def _separations(
    world: PreparedWorld, pairs: TestedPairs, given: Mapping[Any, float]
) -> core.Separations:
    """Return the separations of all pairs; raise ValueError for a pair that is not tested."""
    links, bodies = pairs.number, {name: i for i, name in enumerate(world.names)}

    def tested(a: str, b: str) -> Iterator[tuple[int, int]]:
        """Yield the pairs that two names denote, because a link and a body may share a name."""
        if a in links and b in links and pairs.core.tests(links[a], links[b]):
            yield min(links[a], links[b]), max(links[a], links[b])
        for link, body in ((a, b), (b, a)):
            if link in links and body in bodies and not pairs.ignores_body(link, body):
                yield links[link], len(links) + bodies[body]

    def known(a: str, b: str) -> frozenset[str]:
        for name in (a, b):
            if name not in links and name not in bodies:
                wanted = "a link with geometry or a body of the world"
                raise ValueError(f"expected {wanted}, got {name!r}")
        return frozenset((a, b))

    distances = pair_distances(given, known)
    rest = distances.pop(None)
    entries: dict[tuple[int, int], float] = {}
    for names, distance in distances.items():
        a, b = (sorted(names or ()) * 2)[:2]
        own = list(tested(a, b))
        if not own:
            raise ValueError(f"separation: expected a pair that is tested, got {(a, b)}")
        entries.update(dict.fromkeys(own, distance))
    count = len(links) + len(bodies)
    return core.Separations(list(entries), list(entries.values()), rest, count)


def same_distances(known: Mapping[Any, float] | None, given: Mapping[Any, float]) -> bool:
    """Return whether a mapping of separations still equals its copy `known`.

    Values other than plain numbers never count as equal. An array may change in place, and a number
    of another type may equal a different float in its own, lower precision.
    """
    return set(map(type, given.values())) <= {float, int} and known == given
