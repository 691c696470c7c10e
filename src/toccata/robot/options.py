"""Options of robot queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from toccata._native import core
from toccata.query import make_options

RobotMethod = Literal["auto", "interval", "hca"]
METHODS = ("auto", "interval", "hca")
Stage = Literal["hierarchy", "swept", "exact"]
STAGES = ("hierarchy", "swept", "exact")
"""Of interval."""


def as_stages(stages: Iterable[str], method: str) -> tuple[str, ...]:
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


def robot_options(
    self_contact: bool,
    method: str,
    tolerance: float | None,
    separation: float,
    initial: str,
    budget: int | None,
    stages: tuple[str, ...] | None = None,
) -> core.RobotOptions:
    """Check the options."""
    if method not in METHODS:
        raise ValueError(f"method: expected one of {', '.join(METHODS)} for robots, got {method!r}")
    options = core.RobotOptions()
    options.options = make_options(method, tolerance, separation, initial, budget, None)
    options.self_contact = bool(self_contact)
    if stages is not None:
        options.hierarchy, options.swept = "hierarchy" in stages, "swept" in stages
    return options
