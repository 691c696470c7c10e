"""Sine-generated curves: side views of sheets folded like an accordion.

The direction of the curve swings as `swing * sin(2 pi s / wave)` with its length s (Langbein and
Leopold 1966). A swing beyond a quarter turn makes loops that bulge toward each other.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from toccata.scenes._steps import Floats

_TOUCHING = 2.2
_SAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Curve:
    """Positions along and across a straight line, and angles to it, in rows."""

    along: Floats
    across: Floats
    angle: Floats


def meander(s: Floats, wave: float, swing: Floats) -> Curve:
    """Return the curve at rising lengths `s` from 0; `swing` has a value for each length."""
    angle = swing * np.sin(2 * np.pi * s / wave)
    middle = (angle[1:] + angle[:-1]) / 2
    steps = np.diff(s)
    x, y = (np.append(0.0, np.cumsum(steps * turn(middle))) for turn in (np.cos, np.sin))
    return Curve(x, y, angle)


@cache
def height(swing: float) -> float:
    """Return the height of the loops for wavelength 1."""
    u = np.pi * (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    return float(np.sin(swing * np.sin(u)).mean() / 2)


def neck(swing: float) -> float:
    """Return the least distance of the sides of a loop for wavelength 1; swing > pi / 2."""
    end = np.pi - np.arcsin(np.pi / 2 / swing)
    v = end * (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    return float(np.cos(swing * np.sin(v)).mean() * end / np.pi)


@cache
def tightest(gap: float) -> float:
    """Return the largest swing whose necks are at least `gap` wide, for wavelength 1."""
    low, high = np.pi / 2 + 1e-6, _TOUCHING
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if neck(middle) > gap else (low, middle)
    return low
