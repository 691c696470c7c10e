"""A few motions of an arm, their files, and their answers by a batch query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from oracles.datasets import random_ends, table, wall, write
from toccata import scale
from toccata.scenes.robots import planar_arm

ROWS = 40
ARM, WORLD = planar_arm(), wall()
Q = random_ends(ARM, ROWS)
WANTED = ARM.first_contact_batch(*Q, WORLD)


def check(source: Any, target: Path, **how: Any) -> scale.Summary:
    """Check motions of the arm."""
    return scale.check_motions(source, target, **{"robot": ARM, "world": WORLD, **how})


def same(found: scale.Verdicts, rows: Any = slice(None)) -> None:
    """Check that the verdicts of some rows are equal to the answers of the batch."""
    assert (found["status"] == WANTED.status[rows]).all()
    assert found["toc"].tobytes() == WANTED.toc[rows].tobytes()


def files(folder: Path, *names: str) -> Path:
    """Write the motions in equal pieces, in the order of the names."""
    pieces = np.array_split(np.arange(ROWS), len(names))
    for name, piece in zip(names, pieces, strict=True):
        write(folder / name, table(Q[:, piece], id=piece))
    return folder
