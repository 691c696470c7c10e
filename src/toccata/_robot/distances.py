"""How far the bodies of a robot are apart, pair by pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class RobotDistances:
    """Distances of all tested pairs, a row for each configuration and a column for each pair.

    Where a pair is not nearer than the limit, `lower` is the limit, `upper` and the distance are
    infinite, and there are no points and no normal.
    """

    lower: Floats
    upper: Floats
    """(n, pairs), certified."""
    distance: Floats
    """(n, pairs), measured between the points."""
    point_a: Floats
    point_b: Floats
    """(n, pairs, 3), in world coordinates."""
    normal: Floats
    """(n, pairs, 3), of length 1, from b to a; NaN where the distance is not above rounding."""
    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """(pairs,) indices into `link_names`, and from its length on into the bodies of the world."""
    pairs: tuple[tuple[str, str], ...]
    """Names of the bodies of each pair."""

    def __len__(self) -> int:
        return len(self.lower)
