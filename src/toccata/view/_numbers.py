"""Numbers as text for readers."""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Decimal

import numpy as np
from numpy.typing import NDArray

NONE = "\N{EM DASH}"
_TIMES = "\N{MULTIPLICATION SIGN}"
_MINUS = "\N{MINUS SIGN}"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def count(value: int) -> str:
    """Return a whole number with its digits grouped by thousands."""
    return f"{value:,}"


def rounded_down(value: float, decimals: int = 6) -> Decimal:
    """Return a number, rounded down to `decimals` decimals."""
    return Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_FLOOR)


def length(value: float, digits: int = 4) -> str:
    """Return a length as text. Very small and very large lengths have a power of ten."""
    if not math.isfinite(value):
        return NONE
    if 1e3 <= abs(value) < 1e6:
        return f"{value:,.0f}".replace("-", _MINUS)
    if value == 0 or 1e-3 <= abs(value) < 1e3:
        return f"{value:.{digits}g}".replace("-", _MINUS)
    mantissa, exponent = f"{value:.1e}".split("e")
    power = str(int(exponent)).translate(_RAISED)
    return f"{mantissa.replace('-', _MINUS)} {_TIMES} 10{power}"


def milliseconds(value: float) -> str:
    """Return a duration with three digits."""
    if not math.isfinite(value):
        return NONE
    if value >= 100:
        return count(round(value))
    decimals = 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{decimals}f}"


def vector(value: NDArray[np.float64]) -> str:
    """Return coordinates with four decimals."""
    return "(" + ", ".join(decimals(x) for x in value) + ")"


def decimals(value: float) -> str:
    """Return a number with four decimals."""
    return f"{round(float(value), 4) + 0.0:.4f}".replace("-", _MINUS)
