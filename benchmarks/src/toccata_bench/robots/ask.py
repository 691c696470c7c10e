"""Queries of a case as single calls, and the compared methods and stages."""

from __future__ import annotations

from typing import Any

import numpy as np

from toccata._robot import RobotContact
from toccata_bench.robots.cases import Case, Motions

METHODS = ("auto", "hca", "interval")
STAGES = {
    "1+2+3": ("hierarchy", "swept", "exact"),
    "1+3": ("hierarchy", "exact"),
    "2+3": ("swept", "exact"),
    "3": ("exact",),
}
"""Stages of each row of table 2 of Redon et al. 2004."""


def first_contacts(case: Case, motions: Motions, how: dict[str, Any]) -> list[RobotContact]:
    """Return the first contact of each motion, with a call for each motion as in a planner."""
    ask, world = case.robot.first_contact, case.world
    return [ask(q0, q1, world, **how) for q0, q1 in zip(motions.start, motions.end, strict=True)]


def are_free(
    case: Case, motions: Motions, how: dict[str, Any]
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return whether each motion is free, with a call for each motion."""
    ask, world = case.robot.motion_is_free, case.world
    ends = zip(motions.start, motions.end, strict=True)
    return np.array([ask(q0, q1, world, **how) for q0, q1 in ends], dtype=bool)
