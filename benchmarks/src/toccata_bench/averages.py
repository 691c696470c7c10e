"""Geometric means, and exponents of growth."""

from collections.abc import Iterable, Mapping

import numpy as np


def geometric_mean(values: Iterable[float]) -> float | None:
    """Return the geometric mean of positive values, None if there are no values."""
    logarithms = np.log(list(values))
    return float(np.exp(logarithms.mean())) if len(logarithms) else None


def growth_exponent(times: Mapping[int, float]) -> float | None:
    """Return the slope of log time over log size by least squares, None for less than two sizes."""
    if len(times) < 2:
        return None
    return float(np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0])
