"""Bad queries: the rules of `test_bad_input`, at the entry points of queries."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from oracles.shapes import box, pose, tetrahedron

import toccata as tc

from .asking import METHODS
from .test_bad_input import BAD_POSES, FACES, GOOD, VERTICES, Entry, M

A, B = tc.Mesh(*box()), tc.Mesh(*tetrahedron())
MOVE = M.linear(pose((3, 0, 0)), GOOD)
START, END = np.array([pose((3, 0, 0))] * 4), np.array([GOOD] * 4)

BAD_OPTIONS: dict[str, list[Any]] = {
    "tolerance": [0.0, -1.0, nan, inf],
    "separation": [-1e-9, nan, inf],
    "method": ["gjk", "", "C2A"],
}


def single(**options: Any) -> Any:
    return tc.first_contact(A, B, MOVE, **options)


def batch(**options: Any) -> Any:
    return tc.first_contact_batch(A, B, START, END, **options)


def scene(**options: Any) -> Any:
    world = tc.Scene()
    world.add("a", A, MOVE)
    world.add("b", B, GOOD)
    return world.first_contact(**options)


QUERIES: dict[str, Callable[..., Any]] = {"single": single, "batch": batch, "scene": scene}


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    ("name", "bad"), [(name, bad) for name, values in BAD_OPTIONS.items() for bad in values]
)
def test_bad_options_are_refused(query: str, name: str, bad: Any) -> None:
    Entry(lambda x: QUERIES[query](**{name: x}), name).assert_refuses(bad)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bad", [0, -1])
def test_bad_budgets_are_refused(method: str, bad: int) -> None:
    Entry(lambda x: single(budget=x, method=method), "budget").assert_refuses(bad)


def test_a_bad_initial_rule_is_refused() -> None:
    Entry(lambda x: single(initial=x), "initial").assert_refuses("ignore")


def test_a_bad_kind_of_motion_is_refused() -> None:
    Entry(lambda x: batch(motion=x), "motion").assert_refuses("twist")


@pytest.mark.parametrize("bad", [0, -2])
def test_bad_numbers_of_threads_are_refused(bad: int) -> None:
    Entry(lambda x: batch(threads=x), "threads").assert_refuses(bad)


BATCH_ENTRIES = {
    "start_a": Entry(lambda x: tc.first_contact_batch(A, B, x, END), "start_a"),
    "end_a": Entry(lambda x: tc.first_contact_batch(A, B, START, x), "end_a"),
    "start_b": Entry(lambda x: tc.first_contact_batch(A, B, START, END, x, END), "start_b"),
    "end_b": Entry(lambda x: tc.first_contact_batch(A, B, START, END, START, x), "end_b"),
}


@pytest.mark.parametrize("bad", ["nan", "inf", "scaled", "mirrored", "sheared", "last row"])
@pytest.mark.parametrize("entry", BATCH_ENTRIES)
def test_a_batch_names_the_bad_row(entry: str, bad: str) -> None:
    poses = END.copy()
    poses[2] = BAD_POSES[bad]
    BATCH_ENTRIES[entry].assert_refuses(poses, row=2)


BAD_SHAPES: dict[str, Any] = {
    "one pose": GOOD,
    "too few": END[:3],
    "too many": np.concatenate([END, END]),
    "none": END[:0],
    "3x4": END[:, :3],
    "flat": END.reshape(4, 16),
}


@pytest.mark.parametrize("bad", BAD_SHAPES)
@pytest.mark.parametrize("entry", BATCH_ENTRIES)
def test_poses_of_a_batch_of_a_wrong_shape_are_refused(entry: str, bad: str) -> None:
    # If two arrays disagree in length, the message may name either of them.
    with pytest.raises(ValueError, match="expected"):
        BATCH_ENTRIES[entry].call(BAD_SHAPES[bad])


@pytest.mark.parametrize("name", ["a", "b", "motion_a", "motion_b"])
@pytest.mark.parametrize("bad", [None, 3, "box", np.eye(3)])
def test_bad_bodies_and_motions_are_refused(name: str, bad: Any) -> None:
    if name == "motion_b" and bad is None:
        return  # None means a body at rest
    arguments: dict[str, Any] = {"a": A, "b": B, "motion_a": MOVE, "motion_b": MOVE} | {name: bad}
    with pytest.raises((ValueError, TypeError), match=name):
        tc.first_contact(**arguments)


def test_bad_names_in_a_scene_are_refused() -> None:
    world = tc.Scene()
    world.add("a", A, GOOD)
    with pytest.raises(ValueError, match="name"):
        world.add("a", B, GOOD)
    with pytest.raises((ValueError, KeyError), match="nobody"):
        world.ignore("a", "nobody")


def test_a_mesh_does_not_change_when_its_arrays_do() -> None:
    vertices, faces = VERTICES.copy(), FACES.copy()
    mesh = tc.Mesh(vertices, faces)
    before = tc.first_contact(mesh, B, MOVE).toc
    vertices += 100.0
    faces[:] = 0
    assert tc.first_contact(mesh, B, MOVE).toc == before
    assert mesh.vertices == pytest.approx(VERTICES)
