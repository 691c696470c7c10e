"""What the commands about first contact share: options, exit codes and answers in words."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from toccata._motion import pose
from toccata._result import Contact, Status

EXIT_CODES = {
    Status.FREE: 0,
    Status.CONTACT: 1,
    Status.INITIAL_OVERLAP: 1,
    Status.UNDECIDED: 3,
}
FAILURE = 2
INTERRUPTED = 130
"""What shells make of Ctrl-C."""
EXIT_CODES_HELP = "exit codes: 0 free, 1 contact, 2 usage or failure, 3 undecided"
POSE_HELP = (
    "3 numbers: translation; 6: and a rotation vector in radians; 7: and a quaternion x y z w; "
    "16: a matrix by rows"
)
WHY_UNDECIDED = "the budget ran out or rounding allows no further step"


def add_query_options(parser: Any, methods: Sequence[str], budget: str) -> None:
    """Declare the options that all queries take; `budget` explains that one."""
    parser.add_argument("--method", choices=methods, default="auto")
    parser.add_argument("--tolerance", type=float, help="default: a millionth of the smaller body")
    parser.add_argument("--separation", type=float, default=0.0, help="distance that counts")
    starts = ("report", "ignore_separating", "resting")
    parser.add_argument("--initial", choices=starts, default="report", help="what starts close by")
    parser.add_argument("--budget", type=int, help=budget)


def query_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was given for the options of `add_query_options`."""
    names = ("method", "tolerance", "separation", "initial", "budget")
    return {name: getattr(args, name) for name in names}


def add_solid_option(parser: argparse.ArgumentParser, name: str, what: str) -> None:
    """Add an option that says whether meshes are solids: yes, no, or those that are closed."""
    text = f"{what} are solids, and open ones an error, or all are surfaces; else closed ones are"
    parser.add_argument(name, action=argparse.BooleanOptionalAction, default="auto", help=text)


def read_pose(option: str, numbers: list[float]) -> Any:
    """Return the pose that an option gives."""
    if len(numbers) == 3:
        return pose(numbers)
    if len(numbers) == 6:
        return pose(numbers[:3], rotvec=numbers[3:])
    if len(numbers) == 7:
        return pose(numbers[:3], quat_xyzw=numbers[3:])
    if len(numbers) == 16:
        return np.array(numbers).reshape(4, 4)
    raise ValueError(f"{option}: expected 3, 6, 7 or 16 numbers, got {len(numbers)}")


def as_json(contact: Contact) -> dict[str, Any]:
    """Return the answer as plain values."""

    def number(value: float) -> float | None:
        return float(value) if np.isfinite(value) else None

    def vector(values: Any) -> list[float] | None:
        return [float(x) for x in values] if np.isfinite(values).all() else None

    return {
        "status": contact.status.name,
        "toc": number(contact.toc),
        "safe_until": contact.safe_until,
        "distance": number(contact.distance),
        "tolerance": contact.tolerance,
        "point_a": vector(contact.point_a),
        "point_b": vector(contact.point_b),
        "normal": vector(contact.normal),
        "triangle_a": contact.triangle_a if contact.triangle_a >= 0 else None,
        "triangle_b": contact.triangle_b if contact.triangle_b >= 0 else None,
        "feature": contact.feature,
    }


def touching_lines(contact: Contact, a: str | None, b: str | None) -> list[str]:
    """Return in words where bodies a and b touch; nothing if one starts inside the other."""
    if contact.triangle_a < 0:
        return []
    return [
        f"  distance   {contact.distance:.3g} (tolerance {contact.tolerance:.3g})",
        f"  triangles  {contact.triangle_a} of {a}, {contact.triangle_b} of {b}",
        f"  features   {contact.feature}",
        f"  point      {_listed(contact.point_a)}",
        f"  normal     {_listed(contact.normal)}",
    ]


def _listed(values: Any) -> str:
    return " ".join(f"{x:.6g}" for x in values)
