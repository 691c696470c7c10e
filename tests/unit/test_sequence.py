"""Queries in a row remember, and answer as if they did not."""

from __future__ import annotations

from math import pi
from time import perf_counter

import numpy as np
import pytest
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes import models

BALL = tc.Mesh(*models.icosphere(0.5, 3))
TORUS = tc.Mesh(*models.torus(1.0, 0.25, 32, 16))
FRAMES = 24


def frame(k: int) -> tc.Motion:
    """One of many short steps of a ball that bobs around the ring."""

    def at(step: int) -> NDArray[np.float64]:
        turn = 2 * pi * step / FRAMES
        height = 0.9 + 0.35 * np.sin(3 * turn)
        return tc.pose((np.cos(turn), np.sin(turn), height), rotvec=(0, turn / 3, 0))

    return tc.Motion.linear(at(k), at(k + 1))


def test_every_frame_is_answered_as_if_it_were_the_only_one() -> None:
    sequence, touched = tc.ContactSequence(BALL, TORUS), 0
    for k in range(FRAMES):
        alone = tc.first_contact(BALL, TORUS, frame(k), tolerance=1e-4)
        began = perf_counter()
        c = sequence.first_contact(frame(k), tolerance=1e-4)
        assert 0 < c.stats.seconds < perf_counter() - began
        touched += bool(alone)
        assert c.status is alone.status
        if alone:
            assert c.toc == pytest.approx(alone.toc, abs=5e-3)
            assert c.distance <= c.tolerance == 1e-4
    assert 0.2 * FRAMES < touched < 0.8 * FRAMES, "too one-sided to prove anything"


def test_memory_of_one_place_does_not_spoil_another() -> None:
    sequence = tc.ContactSequence(BALL, TORUS)
    hit = tc.Motion.linear(tc.pose((1, 0, 2)), tc.pose((1, 0, 0)))
    miss = tc.Motion.linear(tc.pose((0, 0, 9)), tc.pose((9, 0, 9)))
    other = tc.Motion.linear(tc.pose((-1, 0, -2)), tc.pose((-1, 0, 0)))
    first = sequence.first_contact(hit)
    assert first.status is tc.Status.CONTACT
    assert sequence.first_contact(miss).status is tc.Status.FREE
    there = sequence.first_contact(other)
    assert there.status is tc.Status.CONTACT and there.point_a[0] < 0
    again = sequence.first_contact(hit)
    assert again.toc == pytest.approx(first.toc, abs=1e-5)


def test_options_and_the_motion_of_b() -> None:
    sequence = tc.ContactSequence(BALL, TORUS)
    up = tc.Motion.linear(tc.pose((0, 0, -2)), tc.pose((0, 0, 2)))
    c = sequence.first_contact(tc.pose((1, 0, 0)), up)
    assert c.toc == pytest.approx(1.25 / 4, abs=1e-2)
    apart = sequence.first_contact(tc.pose((1, 0, 0)), up, separation=0.5)
    assert apart.toc == pytest.approx(0.75 / 4, abs=1e-2)
    scarce = sequence.first_contact(tc.pose((1, 0, 0)), up, budget=1)
    assert scarce.status in (tc.Status.UNDECIDED, tc.Status.CONTACT)
    assert scarce.toc == scarce.safe_until <= c.toc + 1e-5


def test_bodies_and_motions_are_refused() -> None:
    with pytest.raises(TypeError, match=r"^a: expected a toccata\.Mesh"):
        tc.ContactSequence(None, TORUS)
    with pytest.raises(TypeError, match=r"^b: expected a toccata\.Mesh"):
        tc.ContactSequence(BALL, 3)
    sequence = tc.ContactSequence(BALL, TORUS)
    with pytest.raises(ValueError, match=r"^motion_a: expected a Motion or a \(4, 4\) pose"):
        sequence.first_contact(2 * np.eye(4))
    with pytest.raises(ValueError, match=r"^motion_b: expected a Motion or a \(4, 4\) pose"):
        sequence.first_contact(np.eye(4), np.eye(3))
    with pytest.raises(ValueError, match=r"^tolerance: expected"):
        sequence.first_contact(np.eye(4), tolerance=-1.0)
