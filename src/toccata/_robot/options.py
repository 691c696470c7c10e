"""Options of robot queries, checked and made ready for the core."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from toccata._arrays import as_number
from toccata._native import core
from toccata._options import (
    ClearanceOptions,
    Enclosures,
    RobotFreeOptions,
    RobotIntervalOptions,
    RobotMethod,
    RobotOptions,
    RobotPairsOptions,
    Separation,
    Stage,
    check_known,
)
from toccata._robot.tested import TestedPairs
from toccata._scene import PreparedWorld

METHODS = get_args(RobotMethod)
ENCLOSURES = get_args(Enclosures)
STAGES = get_args(Stage)
MOST_KNOWN = 64
"""Prepared options that a world keeps."""
CONTACT_OPTIONS = RobotOptions.__optional_keys__
FREE_OPTIONS = RobotFreeOptions.__optional_keys__
INTERVAL_OPTIONS = RobotIntervalOptions.__optional_keys__
PAIRS_OPTIONS = RobotPairsOptions.__optional_keys__


def as_stages(stages: Any, method: str) -> tuple[str, ...]:
    """Check which stages of method "interval" are to run."""
    wanted = f"stages: expected some of {', '.join(STAGES)}"
    if isinstance(stages, str) or not isinstance(stages, Iterable):
        raise TypeError(f"{wanted} in a tuple, got {stages!r}")
    own = tuple(stages)
    if any(stage not in STAGES for stage in own):
        raise ValueError(f"{wanted}, got {own}")
    if "exact" not in own:
        raise ValueError(f"stages: expected exact among them, got {own}")
    if method != "interval":
        raise ValueError(f"stages: expected None, since {method!r} has no stages, got {own}")
    return own


def as_self_contact(value: Any) -> bool:
    """Check whether links are tested against each other."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"self_contact: expected True or False, got {value!r}")
    return bool(value)


def as_enclosures(enclosures: Any, method: str) -> core.Enclosures:
    """Check how method "adaptive" bounds motions."""
    if enclosures not in ENCLOSURES:
        wanted = ", ".join(ENCLOSURES)
        raise ValueError(f"enclosures: expected one of {wanted}, got {enclosures!r}")
    if method != "adaptive":
        raise ValueError(
            f"enclosures: expected None, since {method!r} has no choice, got {enclosures!r}"
        )
    return core.Enclosures[enclosures]


def robot_options(given: Mapping[str, Any], known: Set[str] = CONTACT_OPTIONS) -> core.RobotOptions:
    """Return the options of a query, which are `known`, with one separation for all pairs."""
    check_known(given, known)
    method = given.get("method", "auto")
    if method not in METHODS:
        methods = ", ".join(METHODS)
        raise ValueError(f"method: expected one of {methods} for robots, got {method!r}")
    own = {"self_contact", "stages", "enclosures"}
    shared = {name: value for name, value in given.items() if name not in own}
    options = core.RobotOptions()
    options.options = core.Options(**shared, for_robot=True)
    options.self_contact = as_self_contact(given.get("self_contact", True))
    if (enclosures := given.get("enclosures")) is not None:
        options.enclosures = as_enclosures(enclosures, method)
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
    """Return the options of a query in a world; planners pass equal ones again and again."""
    distances: Mapping[Any, float] | None = None
    # The exact type comes first because isinstance is slow for an abstract Mapping.
    separation = given.get("separation", 0.0)
    if type(separation) is not float and isinstance(separation, Mapping):
        distances = separation
        given = {name: value for name, value in given.items() if name != "separation"}
    key = (pairs.version, known, distances is None, *given.items())
    try:
        asked = world.asked.get(key)
    except TypeError:  # unhashable values are not kept, and the check rejects the wrong ones
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
    one = not isinstance(separation, Mapping)
    if pairs.padding or not one:
        numbers = {name: i for i, name in enumerate(world.names)}
        names = PairNames(pairs.number, numbers, pairs.core, pairs.ignores_body)
        given: Any = {"default": separation} if one else separation
        table = names.separations(given)
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


@dataclass(frozen=True, slots=True)
class PairNames:
    """Indices of links and bodies by name, to read separations by pair."""

    links: Mapping[str, int]
    bodies: Mapping[str, int]
    robot: core.Robot
    ignores: Callable[[str, str], bool]
    """Function that returns whether a link is never tested against a body."""

    def separations(self, distances: Mapping[Any, float]) -> core.Separations:
        """Return the separations of all pairs; raise ValueError for a key that is no pair."""
        rest = as_number("separation, 'default'", distances.get("default", 0.0), least=0)
        known: dict[frozenset[str], float] = {}
        entries: dict[tuple[int, int], float] = {}
        for pair, value in distances.items():
            if isinstance(pair, str) and pair == "default":
                continue
            distance = as_number(f"separation, {pair!r}", value, least=0)
            names = self._pair(pair)
            if known.setdefault(frozenset(names), distance) != distance:
                raise ValueError(f"separation: expected one distance for {pair!r}, got two")
            entries.update(dict.fromkeys(self._tested(names), distance))
        count = len(self.links) + len(self.bodies)
        return core.Separations(list(entries), list(entries.values()), rest, count)

    def _pair(self, pair: Any) -> tuple[str, str]:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise ValueError(f"separation: expected pairs of names or 'default', got {pair!r}")
        for name in pair:
            if name not in self.links and name not in self.bodies:
                wanted = "a link with geometry or a body of the world"
                raise ValueError(f"separation: expected {wanted}, got {name!r}")
        return pair

    def _tested(self, names: tuple[str, str]) -> list[tuple[int, int]]:
        """Return the tested pairs with two names, as indices of links and then bodies.

        A name shared by a link and a body stands for both.
        """
        a, b = names
        links, bodies = self.links, self.bodies
        tested = []
        if a in links and b in links and self.robot.tests(links[a], links[b]):
            tested.append((min(links[a], links[b]), max(links[a], links[b])))
        for link, body in ((a, b), (b, a)):
            if link in links and body in bodies and not self.ignores(link, body):
                tested.append((links[link], len(links) + bodies[body]))
        if not tested:
            raise ValueError(f"separation: expected a pair that is tested, got {names!r}")
        return tested


def same_distances(known: Mapping[Any, float] | None, given: Mapping[Any, float]) -> bool:
    """Return whether a mapping of separations still equals the copy that was made of it.

    Only plain numbers count as equal: arrays may change in place, and numbers of other types
    compare as if they were more precise than they are.
    """
    return set(map(type, given.values())) <= {float, int} and known == given
