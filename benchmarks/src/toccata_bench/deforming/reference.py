"""Reference for the time of first contact of a pair, independent of the core.

The four points of a pair in contact are coplanar, so contact is at a root of a cubic. The cubic is
written in Bernstein form over the step and cut at its extrema. Each monotone piece has at most one
root, which is bisected to the last bits. A pair cannot touch between the roots, so its first
contact is the first root at which its distance is zero.
"""

import numpy as np
from numpy.typing import NDArray

from toccata_bench.deforming.distance import Array, Kind, distance, dot

BISECTIONS = 60
PAIRS_AT_ONCE = 1 << 18
# Distances below this fraction of the size of a pair are rounding errors of the root.
TOUCH = 1e-9
# Rounding error of a triple product, relative to the product of the three lengths.
ROUNDING = 64.0 * float(np.finfo(np.float64).eps)


def at(start: Array, end: Array, t: Array | float) -> Array:
    """Return the corners of each pair at its own time, or at one time for all."""
    share = np.broadcast_to(np.asarray(t, dtype=np.float64), start.shape[:1])[:, None, None]
    moved: Array = start + share * (end - start)
    return moved


def size(start: Array, end: Array) -> Array:
    """Return the extent of each pair over the step, the scale of its rounding errors."""
    lo = np.minimum(start, end).min(axis=1)
    hi = np.maximum(start, end).max(axis=1)
    extent: Array = np.linalg.norm(hi - lo, axis=1)
    return extent


def coplanarity(kind: Kind, start: Array, end: Array) -> tuple[Array, Array]:
    """Return four Bernstein coefficients of the volume of each pair, and a bound of their error."""
    first, last = edges_of(kind, start), edges_of(kind, end)

    def volume(*ends: int) -> Array:
        u, v, w = (last[i] if late else first[i] for i, late in enumerate(ends))
        return dot(u, np.cross(v, w))

    one = volume(1, 0, 0) + volume(0, 1, 0) + volume(0, 0, 1)
    two = volume(1, 1, 0) + volume(1, 0, 1) + volume(0, 1, 1)
    found = np.stack([volume(0, 0, 0), one / 3.0, two / 3.0, volume(1, 1, 1)], axis=1)
    lengths = [
        np.maximum(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1))
        for a, b in zip(first, last, strict=True)
    ]
    # Corners have rounding errors when a step is cut; they scale with the coordinates.
    offset = np.maximum(np.abs(start).max(axis=(1, 2)), np.abs(end).max(axis=(1, 2)))
    u, v, w = (length + offset * 1e-9 for length in lengths)
    return found, ROUNDING * u * v * w


def edges_of(kind: Kind, corners: Array) -> tuple[Array, Array, Array]:
    """Return the three edges whose volume vanishes when the corners are coplanar."""
    a, b, c, d = (corners[:, i] for i in range(4))
    if kind == "vertex-face":
        return c - b, d - b, a - b
    return b - a, d - c, c - a


def apart(kind: Kind, start: Array, end: Array) -> NDArray[np.bool_]:
    """Return the pairs that two cheap filters prove free."""
    found, error = coplanarity(kind, start, end)
    signed = (found > error[:, None]).all(axis=1) | (found < -error[:, None]).all(axis=1)
    cut = 1 if kind == "vertex-face" else 2
    lo, hi = np.minimum(start, end), np.maximum(start, end)
    gaps = np.maximum(
        lo[:, :cut].min(axis=1) - hi[:, cut:].max(axis=1),
        lo[:, cut:].min(axis=1) - hi[:, :cut].max(axis=1),
    )
    proven: NDArray[np.bool_] = signed | (gaps > 0.0).any(axis=1)
    return proven


def touch_times(kind: Kind, start: Array, end: Array) -> Array:
    """Return the time of first contact of each pair, inf for none.

    A pair that stays coplanar has no isolated root. It is tested at a few times only, and its
    answer is an upper bound of the time of first contact.
    """
    found = np.full(len(start), np.inf)
    for low in range(0, len(start), PAIRS_AT_ONCE):
        part = slice(low, low + PAIRS_AT_ONCE)
        open_ = np.flatnonzero(~apart(kind, start[part], end[part]))
        found[low + open_] = _touch(kind, start[part][open_], end[part][open_])
    return found


def _touch(kind: Kind, start: Array, end: Array) -> Array:
    """Return the first root at which each pair touches, inf for none."""
    slack = TOUCH * size(start, end)
    first = np.full(len(start), np.inf)
    for t in _roots(coplanarity(kind, start, end)[0]).T:
        near = distance(kind, at(start, end, t)) <= slack
        first = np.where(near, np.minimum(first, t), first)
    return first


def _roots(cubic: Array) -> Array:
    """Return times (n, 7): the root of each monotone piece, or one of its ends; then all ends."""
    turns = _turns(cubic)
    ends = np.concatenate([np.zeros((len(cubic), 1)), turns, np.ones((len(cubic), 1))], axis=1)
    lo, hi = ends[:, :-1].copy(), ends[:, 1:].copy()
    rising = _value(cubic, hi) >= _value(cubic, lo)
    for _ in range(BISECTIONS):
        middle = 0.5 * (lo + hi)
        before = (_value(cubic, middle) < 0.0) == rising
        lo, hi = np.where(before, middle, lo), np.where(before, hi, middle)
    return np.concatenate([lo, ends], axis=1)


def _turns(cubic: Array) -> Array:
    """Return the extrema of the cubic, clipped to the step: (n, 2), sorted."""
    d = np.diff(cubic, axis=1)
    a, b, c = d[:, 0] - 2.0 * d[:, 1] + d[:, 2], d[:, 1] - d[:, 0], d[:, 0]
    # a t^2 + 2 b t + c, solved without cancellation.
    root = np.sqrt(np.maximum(b * b - a * c, 0.0))
    q = -(b + np.where(b >= 0.0, root, -root))
    with np.errstate(divide="ignore", invalid="ignore"):
        both = np.stack([q / a, c / q], axis=1)
    turns: Array = np.sort(np.clip(np.nan_to_num(both, nan=0.0), 0.0, 1.0), axis=1)
    return turns


def _value(cubic: Array, t: Array) -> Array:
    """Evaluate each cubic at its row of times."""
    s = 1.0 - t
    b = [cubic[:, i, None] for i in range(4)]
    value: Array = s * s * (s * b[0] + 3.0 * t * b[1]) + t * t * (3.0 * s * b[2] + t * b[3])
    return value
