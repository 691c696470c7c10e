"""Options of robot queries."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from toccata._native import core
from toccata.query import make_options

RobotMethod = Literal["auto"]
METHODS = ("auto",)
"""More are to come: interval, hca, adaptive."""


def robot_options(
    self_contact: bool,
    method: str,
    tolerance: float | None,
    separation: float | core.Separations,
    initial: str,
    budget: int | None,
    any_contact: bool = False,
) -> core.RobotOptions:
    """Check the options; planners ask with the same ones again and again."""
    if isinstance(separation, core.Separations):
        own = _checked.__wrapped__(
            self_contact, method, tolerance, 0.0, initial, budget, any_contact
        )
        own.set_separations(separation)
        return own
    try:
        return _checked(self_contact, method, tolerance, separation, initial, budget, any_contact)
    except TypeError:  # what cannot be hashed is no option: the check says what is wrong
        return _checked.__wrapped__(
            self_contact, method, tolerance, separation, initial, budget, any_contact
        )


@lru_cache(maxsize=64)
def _checked(
    self_contact: bool,
    method: str,
    tolerance: float | None,
    separation: float,
    initial: str,
    budget: int | None,
    any_contact: bool,
) -> core.RobotOptions:
    if method not in METHODS:
        raise ValueError(f"method: expected one of {', '.join(METHODS)} for robots, got {method!r}")
    options = core.RobotOptions()
    options.options = make_options("auto", tolerance, separation, initial, budget, None)
    options.self_contact = bool(self_contact)
    options.any = any_contact
    return options
