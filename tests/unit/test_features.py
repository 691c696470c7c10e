"""One table names the kinds of contact of all answers; 255 says that there is none."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from toccata import scenes
from toccata._result import NO_FEATURE, feature_name

BOX = tc.Mesh(*scenes.models.box((1.0, 1.0, 1.0)))
NEEDLE = tc.Mesh([(0, 0, 0), (0.01, 0, 1), (-0.01, 0, 1)], [(0, 1, 2)])
RIDGE = tc.Mesh([(-1, 0, 0), (1, 0, 0), (0, 0, -1)], [(0, 1, 2)])
ROOF = tc.Mesh([(0, -1, 0), (0, 1, 0), (0, 0, 1)], [(0, 1, 2)])
HIGH, LOW, PAST = tc.pose((0.1, 0.25, 3)), tc.pose((0.1, 0.25, -3)), tc.pose((9, 0, 3))
PAIRS = [
    (NEEDLE, BOX, "vertex-face"),
    (BOX, tc.Mesh(-NEEDLE.vertices, NEEDLE.faces), "face-vertex"),
    (ROOF, RIDGE, "edge-edge"),
    (tc.surfaces.sphere(0.5), BOX, "surface"),
]


def test_the_table_is_the_documented_one() -> None:
    assert tc.FEATURES == (
        "vertex-face",
        "face-vertex",
        "edge-edge",
        "vertex-edge",
        "edge-vertex",
        "vertex-vertex",
        "surface",
    )
    assert [feature_name(code) for code in range(7)] == list(tc.FEATURES)
    assert feature_name(NO_FEATURE) is None


@pytest.mark.parametrize(("a", "b", "feature"), PAIRS)
def test_single_answers_name_what_arrays_encode(a: tc.Mesh, b: tc.Mesh, feature: str) -> None:
    assert tc.first_contact(a, b, tc.Motion.linear(HIGH, LOW)).feature == feature
    batch = tc.first_contact_batch(a, b, [HIGH, HIGH], [LOW, PAST])
    assert batch.feature.tolist() == [tc.FEATURES.index(feature), NO_FEATURE]
    scene = tc.Scene()
    scene.add("a", a, tc.Motion.linear(HIGH, LOW))
    scene.add("b", b)
    assert scene.contacts().feature.tolist() == [tc.FEATURES.index(feature)]


@pytest.mark.parametrize(("a", "b", "feature"), PAIRS[:3])
def test_distances_use_the_same_table(a: tc.Mesh, b: tc.Mesh, feature: str) -> None:
    single = tc.distance(a, b, HIGH)
    batch = tc.distance_batch(a, b, [HIGH])
    assert single.feature == feature_name(batch.feature[0])
    assert single.feature in tc.FEATURES[:3]


def test_unknown_features_are_none_in_single_answers() -> None:
    assert tc.first_contact(BOX, BOX, tc.Motion.linear(HIGH, PAST)).feature is None
    crossing = tc.pose((0.3, 0.2, 0.4), rotvec=(0.3, 0.4, 0.5))
    assert tc.distance(BOX, BOX, crossing).feature is None
    assert tc.distance_batch(BOX, BOX, [crossing]).feature.tolist() == [NO_FEATURE]
    inside = tc.proximities(BOX, BOX, crossing, distance=0.01)
    assert tc.FEATURES.index("surface") in inside.kind


def test_steps_of_deforming_meshes_use_the_same_names() -> None:
    square = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=float)
    start = np.concatenate([square, square + (0.2, 0.2, 1)])
    faces = [(0, 1, 2), (3, 4, 5)]
    for distance, feature in ((2.0, "vertex-face"), (0.5, None)):
        end = start - np.repeat([[0.0], [distance]], 3, axis=0) * (0, 0, 1)
        step = tc.deforming_contacts(start, end, faces)
        assert step.feature == feature and (step.pair is None) == (feature is None)
    crossed = np.array(
        [(-1, 0, 0), (1, 0, 0), (-1, -1, 0), (0, -1, 1), (0, 1, 1), (0, 1, 2)], float
    )
    end = crossed - np.repeat([[0.0], [2.0]], 3, axis=0) * (0, 0, 1)
    step = tc.deforming_contacts(crossed, end, faces)
    assert step.feature == "edge-edge"
