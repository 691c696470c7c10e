"""Options of robot queries, made ready for a robot in a world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, get_args

from toccata._native import core
from toccata._options import (
    ClearanceOptions,
    Enclosures,
    RobotMethod,
    RobotOptions,
    Separation,
    Stage,
    check_known,
)
from toccata._robot.separation import PairNames, same_distances
from toccata._robot.tested import TestedPairs
from toccata._scene import PreparedWorld

METHODS = get_args(RobotMethod)
ENCLOSURES = get_args(Enclosures)
STAGES = get_args(Stage)
"""Of interval."""
MOST_KNOWN = 64
"""Options that a world remembers."""
FREE_OPTIONS = RobotOptions.__optional_keys__ - {"initial", "stages", "enclosures"}
"""Those of `Robot.motion_is_free`."""
INTERVAL_OPTIONS = FREE_OPTIONS - {"method"}
"""Those of `Robot.contact_intervals`."""


def as_stages(stages: Any, method: str) -> tuple[str, ...]:
    """Check which stages of interval are to run."""
    wanted = f"stages: expected some of {', '.join(STAGES)}"
    if isinstance(stages, str) or not isinstance(stages, Iterable):
        raise ValueError(f"{wanted} in a tuple, got {stages!r}")
    own = tuple(stages)
    if any(stage not in STAGES for stage in own):
        raise ValueError(f"{wanted}, got {own}")
    if "exact" not in own:
        raise ValueError(f"stages: expected exact among them, got {own}")
    if method != "interval":
        raise ValueError(f"stages: expected None, since {method!r} has no stages, got {own}")
    return own


def as_enclosures(enclosures: Any, method: str) -> core.Enclosures:
    """Check how adaptive bounds motions."""
    if enclosures not in ENCLOSURES:
        wanted = ", ".join(ENCLOSURES)
        raise ValueError(f"enclosures: expected one of {wanted}, got {enclosures!r}")
    if method != "adaptive":
        raise ValueError(
            f"enclosures: expected None, since {method!r} has no choice, got {enclosures!r}"
        )
    return core.Enclosures[enclosures]


def robot_options(
    given: Mapping[str, Any], known: Set[str] = RobotOptions.__optional_keys__
) -> core.RobotOptions:
    """Return the options of a query that takes the `known` ones, with one separation for all."""
    check_known(given, known)
    method = given.get("method", "auto")
    if method not in METHODS:
        methods = ", ".join(METHODS)
        raise ValueError(f"method: expected one of {methods} for robots, got {method!r}")
    own = {"self_contact", "stages", "enclosures"} | ({"method"} if method == "adaptive" else set())
    shared = {name: value for name, value in given.items() if name not in own}
    options = core.RobotOptions()
    options.options = core.Options(**shared)
    options.self_contact = bool(given.get("self_contact", True))
    options.adaptive = method == "adaptive"
    if (enclosures := given.get("enclosures")) is not None:
        options.enclosures = as_enclosures(enclosures, method)
    if (given_stages := given.get("stages")) is not None:
        stages = as_stages(given_stages, method)
        options.hierarchy, options.swept = "hierarchy" in stages, "swept" in stages
    return options


def options_in(
    bodies: PreparedWorld,
    pairs: TestedPairs,
    given: Mapping[str, Any],
    known: Set[str] = RobotOptions.__optional_keys__,
) -> core.RobotOptions:
    """Return options of queries; planners ask with the same ones again and again."""
    distances: Mapping[Any, float] | None = None
    # The type first: to ask what is not a Mapping whether it is takes a while.
    separation = given.get("separation", 0.0)
    if type(separation) is not float and isinstance(separation, Mapping):
        distances = separation
        given = {name: value for name, value in given.items() if name != "separation"}
    key = (pairs.version, known, distances is None, *given.items())
    try:
        asked = bodies.asked.get(key)
    except TypeError:  # what cannot be hashed is not remembered; the check says what is wrong
        return _prepare(bodies, pairs, robot_options(given, known), separation)
    if asked is not None and (distances is None or same_distances(asked[1], distances)):
        return asked[0]
    options = _prepare(bodies, pairs, robot_options(given, known), separation)
    if len(bodies.asked) >= MOST_KNOWN:
        bodies.asked.clear()
    copy = None if distances is None else {k: float(v) for k, v in distances.items()}
    bodies.asked[key] = options, copy
    return options


def _prepare(
    bodies: PreparedWorld, pairs: TestedPairs, options: core.RobotOptions, separation: Separation
) -> core.RobotOptions:
    """Enter what belongs to the world; what rests and is proven apart is not tested again."""
    pairs.check_geometry()
    pairs.meet(bodies)
    one = not isinstance(separation, Mapping)
    if pairs.padding or not one:
        numbers = {name: i for i, name in enumerate(bodies.names)}
        names = PairNames(pairs.number, numbers, pairs.core, pairs.ignores_body)
        given: Any = {"default": separation} if one else separation
        table = names.separations(given)
        if pairs.padding:
            table.pad([pairs.padding.get(link, 0.0) for link in pairs.link_names])
        options.set_separations(table)
    if pairs.ignores_bodies or pairs.has_resting:
        options.set_untested(pairs.untested(bodies), pairs.core, bodies.native)
    return options


def clearance_options_in(
    bodies: PreparedWorld, pairs: TestedPairs, given: Mapping[str, Any]
) -> core.ClearanceOptions:
    """Return options of queries about distances."""
    check_known(given, ClearanceOptions.__optional_keys__)
    options = core.ClearanceOptions(**given)
    pairs.check_geometry()
    pairs.meet(bodies)
    if pairs.ignores_bodies:
        options.set_untested(pairs.untested(bodies))
    return options
