"""Three-vectors and 3x3 matrices of 80-digit numbers, as plain tuples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

mpmath = pytest.importorskip("mpmath", reason="the multi-precision oracle needs mpmath")

# A context of our own: the precision of the oracle does not depend on what other code sets.
mp: Any = mpmath.MPContext()
mp.dps = 80

Real = Any
Vec = tuple[Real, Real, Real]
Mat = tuple[Vec, Vec, Vec]

ZERO: Vec = (mp.mpf(0), mp.mpf(0), mp.mpf(0))


def vec(values: Iterable[Any]) -> Vec:
    """Take three numbers exactly; a double is a dyadic rational and loses nothing."""
    x, y, z = (mp.mpf(value) for value in values)
    return (x, y, z)


def mat(rows: Iterable[Iterable[Any]]) -> Mat:
    """Take a 3x3 matrix exactly."""
    a, b, c = (vec(row) for row in rows)
    return (a, b, c)


def add(a: Vec, b: Vec) -> Vec:
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a: Vec, b: Vec) -> Vec:
    """Return a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def mul(k: Real, a: Vec) -> Vec:
    """Return k a."""
    return (k * a[0], k * a[1], k * a[2])


def dot(a: Vec, b: Vec) -> Real:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec, b: Vec) -> Vec:
    """Return the vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def norm(a: Vec) -> Real:
    """Return the Euclidean length."""
    return mp.sqrt(dot(a, a))


def apply(m: Mat, a: Vec) -> Vec:
    """Return the matrix times the column a."""
    return (dot(m[0], a), dot(m[1], a), dot(m[2], a))


def transpose(m: Mat) -> Mat:
    """Return the transposed matrix."""
    a, b, c = zip(*m, strict=True)
    return (a, b, c)


def matmul(m: Mat, k: Mat) -> Mat:
    """Return the matrix product m k."""
    return transpose(tuple(apply(m, column) for column in transpose(k)))  # type: ignore[arg-type]


def rounded(rows: Iterable[Vec]) -> NDArray[np.float64]:
    """Round vectors to doubles, one row each."""
    return np.array([[float(x) for x in row] for row in rows], dtype=np.float64).reshape(-1, 3)
