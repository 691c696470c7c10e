"""Elementary tests of deforming meshes: vertex-face and edge-edge pairs that move linearly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import as_many, as_unchecked, with_rows
from toccata._native import core
from toccata._options import PairOptions, pair_options, takes
from toccata._result import Answers

__all__ = ["ElementaryContacts", "edge_edge", "vertex_face"]


@dataclass(frozen=True, slots=True, eq=False)
class ElementaryContacts(Answers):
    """Answers to many elementary tests, one row each. INITIAL_OVERLAP is a contact at time 0."""


@takes(PairOptions)
def vertex_face(
    start: ArrayLike,
    end: ArrayLike,
    **options: Unpack[PairOptions],
) -> ElementaryContacts:
    """Return the first contacts of moving vertices with moving faces.

    Args:
        start: vertex and three corners of the face of each pair at time 0, (n, 4, 3).
        end: the same at time 1; each point moves on a straight line at constant speed.

    """
    return _solve(core.PairKind.vertex_face, start, end, options)


@takes(PairOptions)
def edge_edge(
    start: ArrayLike,
    end: ArrayLike,
    **options: Unpack[PairOptions],
) -> ElementaryContacts:
    """Return the first contacts of pairs of moving edges.

    Args:
        start: ends of the first and of the second edge of each pair at time 0, (n, 4, 3).
        end: the same at time 1; each point moves on a straight line at constant speed.

    """
    return _solve(core.PairKind.edge_edge, start, end, options)


def _solve(
    kind: core.PairKind, start: ArrayLike, end: ArrayLike, options: PairOptions
) -> ElementaryContacts:
    first = as_unchecked("start", with_rows("start", start, 4, 3), -1, 4, 3)
    last = as_many("end", with_rows("end", end, 4, 3), len(first), 4, 3, like="start")
    how, threads = pair_options(options)
    status, toc = core.elementary(kind, first, last, how, threads)
    safe_until = np.minimum(toc, 1.0)  # infinite when free
    return ElementaryContacts(status, toc, safe_until, np.full(len(toc), how.tolerance))
