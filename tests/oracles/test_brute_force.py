"""Filters of brute force save exact tests and miss no contact."""

from __future__ import annotations

import numpy as np
import pytest

from .brute_force import (
    apart_along_a_direction,
    apart_along_an_axis,
    crosses,
    may_be_coplanar,
    piercing,
)
from .deforming_cases import MAKERS, sample
from .deforming_meshes import deforming_mesh
from .linear_features import KINDS, Kind, touching
from .size import cases


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAKERS)
def test_filters_keep_all_contacts(name: str, kind: Kind) -> None:
    one = sample(name, kind, cases(150), seed=11)
    touch = touching(kind, one.start, one.end)
    assert may_be_coplanar(one.start, one.end)[touch].all()
    assert not apart_along_an_axis(kind, one.start, one.end)[touch].any()
    assert not apart_along_a_direction(kind, one.start, one.end)[touch].any()


@pytest.mark.parametrize("kind", KINDS)
def test_filters_exclude_most_free_pairs(kind: Kind) -> None:
    one = sample("anywhere", kind, cases(300), seed=12)
    free = ~touching(kind, one.start, one.end)
    decided = apart_along_a_direction(kind, one.start, one.end)
    assert np.mean(decided[free]) > 0.5


@pytest.mark.parametrize("name", ["soup", "lattice", "piercing", "knotted"])
def test_piercing_edges_agree_with_exact_crossings(name: str) -> None:
    """Every edge against every face, one exact question each."""
    count = 0
    for seed in range(cases(4)):
        step = deforming_mesh(name, seed)
        edges = step.edges
        every = {
            (e, f)
            for e in range(len(edges))
            for f in range(len(step.faces))
            if not set(edges[e].tolist()) & set(step.faces[f].tolist())
            and crosses(step.v0[edges[e]], step.v0[step.faces[f]])
        }
        assert piercing(step) == every
        count += len(every)
    assert count > 0
