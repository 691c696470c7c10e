"""Short texts about things of any size."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

MOST_NAMES = 10
MOST_LETTERS = 40


def listed(names: Collection[str]) -> str:
    """Write some names, and how many there are beyond them."""
    some = [_cut(name) for name in islice(names, MOST_NAMES)]
    left = len(names) - len(some)
    return ", ".join(some) + (f" and {left} more" if left else "")


def _cut(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 3]}..."


def numbers(values: ArrayLike) -> str:
    """Write a row of numbers on a line, the middle of a long one left out."""
    return np.array2string(
        np.asarray(values), precision=6, separator=", ", threshold=12, max_line_width=1000
    )
