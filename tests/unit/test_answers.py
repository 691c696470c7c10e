"""All answers have one shape: status, times, tolerance, a truth value, and NaN for the unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata import elementary, scenes
from toccata.scenes.robots import puma

MESH = tc.Mesh(*scenes.models.box((1.0, 1.0, 1.0)))
HIGH, LOW = tc.pose((0, 0, 3)), tc.pose((0, 0, -3))
PAST = tc.pose((9, 0, 3))


def slider() -> tc.Robot:
    links = [tc.Link("base", MESH), tc.Link("hand", MESH)]
    return tc.Robot(links, [tc.Joint("slide", "prismatic", "base", "hand", PAST, (0, 0, 1))])


def two_squares(height: float) -> tuple[Any, Any, Any]:
    square = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=float)
    start = np.concatenate([square, square + (0.2, 0.2, 1)])
    return (
        start,
        start - np.repeat([[0.0], [height]], 3, axis=0) * (0, 0, 1),
        [(0, 1, 2), (3, 4, 5)],
    )


def singles(touches: bool) -> dict[str, Any]:
    down = tc.Motion.linear(HIGH, LOW if touches else PAST)
    scene = tc.Scene()
    scene.add("falling", MESH, down)
    scene.add("floor", MESH)
    world = tc.Scene()
    world.add("block", MESH, tc.pose((9, 0, 6 if touches else 60)))
    return {
        "bodies": tc.first_contact(MESH, MESH, down),
        "scene": scene.first_contact(),
        "robot": slider().first_contact([0.0], [5.0], world),
        "path": slider().first_contact_path([[0.0], [2.0], [5.0]], world),
        "step": tc.deforming_contacts(*two_squares(2.0 if touches else 0.5)),
    }


def batches(touches: bool) -> dict[str, Any]:
    end = LOW if touches else PAST
    start, stop, _ = two_squares(2.0 if touches else 0.5)
    pairs = ([0, 3, 4, 5],)  # a vertex, and a face of the other square
    world = tc.Scene()
    world.add("block", MESH, tc.pose((9, 0, 6 if touches else 60)))
    return {
        "bodies": tc.first_contact_batch(MESH, MESH, [HIGH, HIGH], [PAST, end]),
        "robot": slider().first_contact_batch([[0.0], [0.0]], [[0.1], [5.0]], world),
        "elementary": elementary.vertex_face(*(x[np.array(pairs * 2)] for x in (start, stop))),
    }


@pytest.mark.parametrize("touches", [True, False])
def test_single_answers_have_one_shape(touches: bool) -> None:
    expected = tc.Status.CONTACT if touches else tc.Status.FREE
    for name, answer in singles(touches).items():
        assert isinstance(answer, tc.Answer), name
        assert answer.status is expected, name
        assert bool(answer) is touches, name
        assert answer.tolerance > 0, name
        assert answer.safe_until == (answer.toc if touches else 1), name
        assert np.isfinite(answer.toc) == touches, name
        for field in ("point_a", "point_b", "normal", *(("q",) if "q" in dir(answer) else ())):
            values = getattr(answer, field)
            assert values.shape == ((1,) if field == "q" else (3,)), (name, field)
            assert np.isfinite(values).all() == touches, (name, field)
            assert np.isnan(values).all() != touches, (name, field)


@pytest.mark.parametrize("touches", [True, False])
def test_batches_have_the_same_shape(touches: bool) -> None:
    for name, batch in batches(touches).items():
        assert len(batch) == 2, name
        for field in ("status", "toc", "safe_until", "tolerance", "collides"):
            assert getattr(batch, field).shape == (2,), (name, field)
        assert bool(batch) is bool(batch.collides.any()), name
        assert (batch.tolerance > 0).all(), name
        assert np.array_equal(np.minimum(batch.toc, 1.0), batch.safe_until), name
    assert bool(batches(True)["bodies"]) and not batches(False)["bodies"]


def test_the_tolerance_of_a_row_is_that_of_the_same_question_alone() -> None:
    for end in (LOW, PAST, tc.pose((1e9, 0, 3))):
        batch = tc.first_contact_batch(MESH, MESH, [HIGH], [end])
        assert (
            batch.tolerance[0]
            == tc.first_contact(MESH, MESH, tc.Motion.linear(HIGH, end)).tolerance
        )


def test_a_clearance_of_nothing_has_no_place() -> None:
    alone = tc.Robot([tc.Link("only", MESH)], [])
    found = alone.clearance([], [])
    assert np.isnan(found.time) and found.q.shape == (0,)
    far = slider().clearance([0.0], [1.0], limit=0.1)
    assert np.isnan(found.point_a).all()
    assert np.isnan(far.q).all() == np.isnan(far.time)


@pytest.mark.parametrize(
    "ask",
    [
        lambda **how: tc.first_contact(MESH, MESH, HIGH, **how),
        lambda **how: tc.deforming_contacts(*two_squares(1.0), **how),
        lambda **how: tc.DeformingMesh(MESH.vertices, MESH.faces).step(MESH.vertices, **how),
        lambda **how: list(tc.sequence_contacts([(MESH.vertices, MESH.faces)] * 2, **how)),
    ],
)
def test_all_contacts_are_asked_for_in_one_way(ask: Any) -> None:
    ask(contacts="first")
    ask(contacts="all")
    with pytest.raises(ValueError, match=r"^contacts: expected .*first.*all.*, got 'some'$"):
        ask(contacts="some")
    with pytest.raises(TypeError, match="all_contacts"):
        ask(all_contacts=True)


def test_rows_name_both_bodies() -> None:
    cube, arm = MESH, puma()
    scene = tc.Scene()
    for name, x in (("a", 0.0), ("b", 0.5), ("c", 5.0)):
        scene.add(name, cube, tc.pose((x, 0, 0)))
    every = (("a", "b"), ("a", "c"), ("b", "c"))
    assert scene.contacts().pairs == every[:1]
    assert scene.distances().pairs == scene.clearances().pairs == every
    start = np.array([tc.pose((x, 0, 0)) for x in (2.0, 9.0)])
    assert tc.clearance_batch(cube, cube, start, start, limit=3).pairs == (("a", "b"), (None, None))
    Q = np.zeros((2, arm.dof))
    found = arm.first_contact_batch(Q, Q + [[0], [2.5]])
    assert found.pairs == ((None, None), ("wrist_1", "hand"))
    assert arm.clearance_batch(Q, Q + [[0], [2.5]], limit=0.01).pairs == found.pairs
