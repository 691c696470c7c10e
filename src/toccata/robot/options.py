"""Options of robot queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from toccata._native import core
from toccata.options import RobotMethod, RobotOptions, Stage, check_known

METHODS = get_args(RobotMethod)
STAGES = get_args(Stage)
"""Of interval."""
FREE_OPTIONS = RobotOptions.__optional_keys__ - {"initial", "stages"}
"""Those of `Robot.motion_is_free`."""


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


def robot_options(given: Mapping[str, Any]) -> core.RobotOptions:
    """Return the options of a query, with one separation for all pairs."""
    check_known(given, RobotOptions.__optional_keys__)
    method = given.get("method", "auto")
    if method not in METHODS:
        methods = ", ".join(METHODS)
        raise ValueError(f"method: expected one of {methods} for robots, got {method!r}")
    own = ("self_contact", "stages")
    shared = {name: value for name, value in given.items() if name not in own}
    options = core.RobotOptions()
    options.options = core.Options(**shared)
    options.self_contact = bool(given.get("self_contact", True))
    if (given_stages := given.get("stages")) is not None:
        stages = as_stages(given_stages, method)
        options.hierarchy, options.swept = "hierarchy" in stages, "swept" in stages
    return options
