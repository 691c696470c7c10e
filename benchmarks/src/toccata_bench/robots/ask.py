"""How the library is asked; what it does not know yet is left out of the tables."""

from __future__ import annotations

from typing import Any

import numpy as np

import toccata as tc
from toccata._robot import RobotContact
from toccata_bench.robots.cases import Case, Motions

METHODS = ("auto", "hca", "interval")
STAGES = {
    "1+2+3": ("hierarchy", "swept", "exact"),
    "1+3": ("hierarchy", "exact"),
    "2+3": ("swept", "exact"),
    "3": ("exact",),
}
"""The rows of table 2 of Redon et al. 2004."""


def is_known(robot: tc.Robot, how: dict[str, Any]) -> bool:
    """Whether the library takes these options."""
    q = robot.zero_configuration()
    try:
        robot.first_contact(q, q, **how)
    except (TypeError, ValueError):
        return False
    return True


def known_methods(robot: tc.Robot) -> list[str]:
    """Return the methods that the library has."""
    return [method for method in METHODS if is_known(robot, {"method": method})]


def first_contacts(case: Case, motions: Motions, how: dict[str, Any]) -> list[RobotContact]:
    """Ask for the first contact of each motion, call by call as a planner does."""
    ask, world = case.robot.first_contact, case.world
    return [ask(q0, q1, world, **how) for q0, q1 in zip(motions.start, motions.end, strict=True)]


def are_free(
    case: Case, motions: Motions, how: dict[str, Any]
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Ask of each motion whether it is free, call by call."""
    ask, world = case.robot.motion_is_free, case.world
    ways = zip(motions.start, motions.end, strict=True)
    return np.array([ask(q0, q1, world, **how) for q0, q1 in ways], dtype=bool)
