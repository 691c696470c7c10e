"""Checks of surfaces that are given by Python functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape, came


def as_range(name: str, values: ArrayLike) -> Floats:
    """Return the lower and the upper end of a range."""
    pair = as_shape(name, values, 2)
    if not pair[0] < pair[1]:
        raise ValueError(f"{name}: expected the lower end, then the upper end, got {came(values)}")
    return pair


def as_function(name: str, value: object, *, optional: bool = False) -> None:
    """Raise TypeError for a value that is not a function."""
    if not (callable(value) or (optional and value is None)):
        raise TypeError(f"{name}: expected a function, got {came(value)}")


def as_pair(values: Floats) -> tuple[float, float]:
    """Return an array of two numbers as floats."""
    return float(values[0]), float(values[1])


def as_interval(name: str, result: Any) -> tuple[float, float]:
    """Return the ends of an interval, the result of a function."""
    try:
        low, high = (float(x) for x in result)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: expected two numbers, got {came(result)}") from error
    if not -np.inf < low <= high < np.inf:
        raise ValueError(f"{name}: expected finite bounds in order, got {(low, high)}")
    return low, high


def as_box(name: str, result: Any) -> tuple[float, ...]:
    """Return the three lower and the three upper ends of a box, the result of a function."""
    try:
        (x0, y0, z0), (x1, y1, z1) = result
        ends = (float(x0), float(y0), float(z0), float(x1), float(y1), float(z1))
    except (TypeError, ValueError) as error:
        wanted = "expected two corners of three numbers"
        raise type(error)(f"{name}: {wanted}, got {came(result)}") from error
    if not all(-np.inf < a <= b < np.inf for a, b in zip(ends[:3], ends[3:], strict=True)):
        raise ValueError(f"{name}: expected finite bounds in order, got {came(result)}")
    return ends


def check_patch(
    point: Callable[..., Any], over: Callable[..., Any], u_range: Floats, v_range: Floats
) -> None:
    """Check for 4 x 4 cells of a patch that the box of a cell contains the middle of the cell."""
    u, v = (np.linspace(lo, hi, 5) for lo, hi in (u_range, v_range))
    for i in range(4):
        for j in range(4):
            middle = (u[i] + u[i + 1]) / 2, (v[j] + v[j + 1]) / 2
            where = as_shape("point", point(*middle), 3)
            ends = np.array(over(u[i], u[i + 1], v[j], v[j + 1]))
            slack = 1e-9 * float(np.abs(ends).max())
            if not ((ends[:3] <= where + slack) & (where <= ends[3:] + slack)).all():
                raise ValueError(
                    f"enclose: expected a box that contains point{middle} = {where}, got {ends}"
                )
