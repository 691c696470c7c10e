"""Answers of queries as exit codes, lines and JSON: the same words and fields for all commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_FLOOR, Context
from enum import Enum
from math import isfinite
from typing import Any

import numpy as np

from toccata._result import Answer, Contact, Status

FREE, CONTACT, FAILURE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes; shells report 130 for Ctrl-C."""
EXIT_CODES = {
    Status.FREE: FREE,
    Status.CONTACT: CONTACT,
    Status.INITIAL_OVERLAP: CONTACT,
    Status.UNDECIDED: UNDECIDED,
}
CLOCK_DIGITS = 9
"""Number of digits of times on the clock of a file. These times may be far from zero."""


def plain(value: Any) -> Any:
    """Return a value for JSON. Numbers and arrays that are not finite become None."""
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, np.ndarray):
        return plain(value.tolist()) if np.isfinite(value).all() else None
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    return None if isinstance(value, float) and not isfinite(value) else value


def fields_of(answer: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in names}


def answer_fields(answer: Answer) -> dict[str, Any]:
    return fields_of(answer, "status", "toc", "safe_until", "tolerance")


def contact_fields(contact: Contact) -> dict[str, Any]:
    """Return the fields of a contact of two bodies. Unknown triangles are None."""
    triangles = fields_of(contact, "triangle_a", "triangle_b")
    return {
        **answer_fields(contact),
        **fields_of(contact, "distance", "point_a", "point_b", "normal", "feature"),
        **{name: i if i >= 0 else None for name, i in triangles.items()},
    }


def rounded_down(value: float, digits: int = 4) -> str:
    """Return a certified lower bound with a few digits, rounded down to remain a lower bound."""
    context = Context(prec=digits, rounding=ROUND_FLOOR)
    return f"{float(context.create_decimal_from_float(value)):.{digits}g}"


def summary_line(answer: Answer, during: str = "motion", *, where: str = "") -> str:
    """Return an answer in one line; `where` is text to insert after the time."""
    if answer.status is Status.FREE:
        return f"free: no contact during the {during}"
    if answer.status is Status.UNDECIDED:
        why = "the budget ran out, or rounding allows no further step"
        return f"undecided: free before t = {rounded_down(answer.safe_until)}{where}; {why}"
    return f"{answer.status.name.lower().replace('_', ' ')} at t = {answer.toc:.4g}{where}"


def detail(name: str, value: str) -> str:
    return f"  {name:<10} {value}"


def contact_details(contact: Contact, a: str | None, b: str | None) -> list[str]:
    """Return lines about a contact, or no lines if a body starts inside the other body."""
    if contact.triangle_a < 0:
        return []
    return [
        detail("distance", f"{contact.distance:.3g} (tolerance {contact.tolerance:.3g})"),
        detail("triangles", f"{contact.triangle_a} of {a}, {contact.triangle_b} of {b}"),
        detail("features", contact.feature or "-"),
        detail("point", vector(contact.point_a)),
        detail("normal", f"{vector(contact.normal)} (from {b} to {a})"),
    ]


def columns(*rows: Sequence[str]) -> list[str]:
    """Return the rows of a table as lines. All cells except those of the last column are padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    cells = ([cell.ljust(w) for cell, w in zip(row, widths, strict=False)] for row in rows)
    return ["  ".join([*left, row[-1]]) for left, row in zip(cells, rows, strict=True)]


def vector(values: Any) -> str:
    """Return coordinates with six digits, or a dash if they are unknown.

    Coordinates far below the largest one are rounding errors, shown as 0.
    """
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        return "-"
    small = np.abs(array) <= 1e-12 * np.abs(array).max()
    return " ".join(f"{x:.6g}" for x in np.where(small, 0.0, array))
