"""Bounds by a reference on the first time at which a distance falls to a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bracket:
    """The distance exceeds the level on [0, lo); at hi, if there is one, it does not.

    `free` says that it exceeds the level on all of [0, 1]. Neither `free` nor `hi` means that the
    bodies pass within the resolution of the level, and which side is not decided. Times are
    doubles or 80-digit numbers.
    """

    lo: Any
    hi: Any | None
    free: bool
