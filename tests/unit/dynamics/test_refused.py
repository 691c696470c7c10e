"""What a manipulator refuses, and what it says then."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from toccata.dynamics import Manipulator
from toccata.scenes import models

BOX = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
FLOOR = tc.Mesh(*models.box((9.0, 9.0, 1.0)))
WALL = tc.Mesh(*models.box((1.0, 9.0, 9.0)))


def test_a_start_in_contact_is_refused() -> None:
    scene = tc.Scene()
    scene.add("floor", FLOOR, tc.pose((0, 0, -0.5)))
    scene.add("wall", WALL, tc.pose((3, 0, 0)))
    with pytest.raises(ValueError, match=r"^pose: expected a start .*, got contact with 'floor'"):
        Manipulator(BOX, scene, tc.pose((0, 0, 0.3)))
    with pytest.raises(
        ValueError,
        match=r"^pose: expected a start .*, got a distance of [0-9.]+e-1[34] from 'wall'",
    ):
        Manipulator(BOX, scene, tc.pose((2 - 1e-13, 0, 2)))
    solid = tc.Mesh(*models.box((9.0, 9.0, 9.0)), solid=True)
    with pytest.raises(ValueError, match=r"^pose: expected a start .*, got contact with 'world'"):
        Manipulator(BOX, solid, np.eye(4))


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match=r"^order: expected 1 or 2, got 3"):
        Manipulator(BOX, None, np.eye(4), order=3)
    with pytest.raises(
        ValueError, match=r"^response: expected None for a body of order 1, got 0.1"
    ):
        Manipulator(BOX, None, np.eye(4), response=0.1)
    for bad in ({"response": 0}, {"mass": -1}, {"mass": np.inf}):
        with pytest.raises(ValueError, match=r"^(response|mass): expected a finite number"):
            Manipulator(BOX, None, np.eye(4), order=2, **bad)
    with pytest.raises(ValueError, match=r"^step: expected None for a body of order 1, got 0.1"):
        Manipulator(BOX, None, np.eye(4)).move(np.eye(4), step=0.1)
    with pytest.raises(ValueError, match=r"^step: expected a finite number"):
        Manipulator(BOX, None, np.eye(4), order=2).move(np.eye(4), step=0)
    with pytest.raises(ValueError, match=r"^shell: expected a finite number of more than 0, got 0"):
        Manipulator(BOX, None, np.eye(4), shell=0)
    with pytest.raises(ValueError, match=r"^shell: expected at least"):
        Manipulator(BOX, FLOOR, tc.pose((0, 0, 2)), shell=1e-12)
    with pytest.raises(ValueError, match=r"^pose: expected"):
        Manipulator(BOX, None, np.zeros((4, 4)))
    with pytest.raises(TypeError, match=r"^body: expected"):
        Manipulator(3, None, np.eye(4))
    hand = Manipulator(BOX, None, np.eye(4))
    with pytest.raises(ValueError, match=r"^target: expected"):
        hand.move(np.full((4, 4), np.nan))
    with pytest.raises(ValueError, match=r"^max_substeps: expected"):
        hand.move(np.eye(4), max_substeps=0)
    assert (hand.pose == np.eye(4)).all() and len(hand.path) == 0
