"""Bounds by a reference on the first time at which a distance falls to a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bracket:
    """The distance exceeds the level on [0, lo), and does not exceed it at `hi` if this is set.

    With `free`, the distance exceeds the level on all of [0, 1]. If neither is set, the smallest
    distance is within the resolution of the level, and the oracle does not decide. Times are
    doubles or 80-digit numbers.
    """

    lo: Any
    hi: Any | None
    free: bool
