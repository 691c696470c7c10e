"""Every argument of a wrong type raises TypeError, every wrong value ValueError; both name it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import toccata as tc
from toccata import elementary, scenes, surfaces

BOX = tc.Mesh(*scenes.models.box((1.0, 1.0, 1.0)))
POSE, END = tc.pose((0, 0, 3)), tc.pose((0, 0, -3))
VERTICES, FACES = np.array(BOX.vertices), np.array(BOX.faces)
ROWS = np.stack([POSE, END])
CORNERS = np.arange(12.0).reshape(1, 4, 3)
NAN = float("nan")


class Hostile(NamedTuple):
    """A value that no argument of its kind accepts, and the error that it deserves."""

    value: Any
    error: type[Exception]


TYPES = [
    Hostile(None, TypeError),
    Hostile("text", TypeError),
    Hostile(["a", "b"], TypeError),
    Hostile(object(), TypeError),
    Hostile(np.array([None, "x"], dtype=object), TypeError),
    Hostile({"a": 1}, TypeError),
    Hostile(1j, TypeError),
    Hostile(lambda: 1, TypeError),
]
NUMBERS = [
    *TYPES,
    Hostile([1.0, 2.0], TypeError),
    Hostile(NAN, ValueError),
    Hostile(-1.0, ValueError),
]
ARRAYS = [
    *TYPES,
    Hostile(np.zeros((2, 2)) * 1j, TypeError),
    Hostile([[1.0, 2.0], [3.0]], ValueError),
    Hostile(0.5, ValueError),
    Hostile(True, ValueError),
    Hostile(np.zeros((2, 5)), ValueError),
    Hostile(np.zeros((2, 2, 2, 2, 2)), ValueError),
]
INDICES = [
    *TYPES,
    Hostile(np.zeros((2, 3)), TypeError),
    Hostile(np.zeros((2, 3), dtype=bool), TypeError),
    Hostile([[0, 1, 2], [3]], ValueError),
    Hostile(3, ValueError),
    Hostile(np.zeros((2, 2, 2, 2), dtype=int), ValueError),
]
BODIES = [*TYPES, Hostile(VERTICES, TypeError), Hostile((VERTICES, FACES), TypeError)]
WORDS = [
    Hostile(None, TypeError),
    Hostile(3, TypeError),
    Hostile(["auto"], TypeError),
    Hostile(b"auto", TypeError),
    Hostile("no such word", ValueError),
]
NAMES = [Hostile(None, TypeError), Hostile(3, TypeError), Hostile(["a"], TypeError)]
FUNCTIONS = [Hostile(None, TypeError), Hostile(3, TypeError), Hostile("f", TypeError)]


def scene() -> tc.Scene:
    bodies = tc.Scene()
    bodies.add("a", BOX, POSE)
    bodies.add("b", BOX)
    return bodies


def model() -> tc.DeformingMesh:
    return tc.DeformingMesh(VERTICES, FACES)


def sequence() -> tc.ContactSequence:
    return tc.ContactSequence(BOX, BOX)


def optional(kind: list[Hostile]) -> list[Hostile]:
    """Return a kind of values for an argument that may be None."""
    return [hostile for hostile in kind if hostile.value is not None]


EFFORT = {"tolerance": optional(NUMBERS), "budget": optional(NUMBERS)}
APART = {**EFFORT, "separation": NUMBERS}
RIGID = {**APART, "method": WORDS, "initial": WORDS}
PAIRS = {**APART, "threads": optional(NUMBERS)}
STEPS = {**PAIRS, "method": WORDS, "contacts": WORDS}
POSES = dict.fromkeys(("start_a", "end_a"), ARRAYS)
Calls = dict[str, tuple[Callable[..., Any], dict[str, Any], dict[str, list[Hostile]]]]
"""Functions with good arguments, and bad values for some of their arguments."""
CALLS: Calls = {
    "pose": (
        tc.pose,
        {},
        {"translation": ARRAYS, **dict.fromkeys(("rotvec", "quat_xyzw"), optional(ARRAYS))},
    ),
    "Mesh": (
        tc.Mesh,
        {"vertices": VERTICES, "faces": FACES},
        {"vertices": ARRAYS, "faces": INDICES, "solid": [Hostile(None, TypeError)]},
    ),
    "Motion.fixed": (tc.Motion.fixed, {"pose": POSE}, {"pose": ARRAYS}),
    "Motion.linear": (
        tc.Motion.linear,
        {"start": POSE, "end": END},
        {"start": ARRAYS, "end": ARRAYS, "pivot": optional(ARRAYS)},
    ),
    "Motion.screw": (
        tc.Motion.screw,
        {"start": POSE, "end": END},
        {"start": ARRAYS, "end": ARRAYS},
    ),
    "Motion.twist": (
        tc.Motion.twist,
        {"start": POSE, "linear": (0, 0, 0), "angular": (0, 0, 0)},
        dict.fromkeys(("start", "linear", "angular"), ARRAYS),
    ),
    "Motion.spline": (
        tc.Motion.spline,
        {"times": [0, 1], "poses": ROWS},
        {"times": ARRAYS, "poses": ARRAYS, "kind": WORDS},
    ),
    "Motion.pose": (tc.Motion.fixed(POSE).pose, {"t": 0}, {"t": TYPES}),
    "first_contact": (
        tc.first_contact,
        {"a": BOX, "b": BOX, "motion_a": POSE},
        {
            **{"a": BODIES, "b": BODIES, "motion_a": ARRAYS, "motion_b": optional(ARRAYS)},
            **{"contacts": WORDS, **RIGID},
        },
    ),
    "first_contact_batch": (
        tc.first_contact_batch,
        {"a": BOX, "b": BOX, "start_a": ROWS, "end_a": ROWS},
        {
            **{"a": BODIES, "b": BODIES, **POSES, "start_b": optional(ARRAYS)},
            **{"motion": WORDS, "threads": optional(NUMBERS), **RIGID},
        },
    ),
    "first_contact_pairs": (
        tc.first_contact_pairs,
        {"meshes": [BOX, BOX], "body_a": [0, 0], "body_b": [1, 1], "start_a": ROWS},
        {
            **{"meshes": TYPES[:2], "body_a": INDICES, "body_b": INDICES, "start_a": ARRAYS},
            **dict.fromkeys(("end_a", "linear_a", "angular_a"), optional(ARRAYS)),
            **{"motion": WORDS, "threads": optional(NUMBERS), **RIGID},
        },
    ),
    "contact_intervals": (
        tc.contact_intervals,
        {"a": BOX, "b": BOX, "motion_a": POSE},
        {"a": BODIES, "motion_a": ARRAYS, "resolution": NUMBERS, **APART},
    ),
    "clearance": (
        tc.clearance,
        {"a": BOX, "b": BOX, "motion_a": POSE},
        {"a": BODIES, "motion_a": ARRAYS, "limit": optional(NUMBERS), **EFFORT},
    ),
    "distance": (
        tc.distance,
        {"a": BOX, "b": BOX, "pose_a": POSE},
        {"a": BODIES, "b": BODIES, "pose_a": ARRAYS, "pose_b": optional(ARRAYS)},
    ),
    "distance_batch": (
        tc.distance_batch,
        {"a": BOX, "b": BOX, "poses_a": ROWS},
        {"poses_a": ARRAYS, "poses_b": optional(ARRAYS), "threads": optional(NUMBERS)},
    ),
    "proximities": (
        tc.proximities,
        {"a": BOX, "b": BOX, "pose_a": POSE, "distance": 1.0},
        {"a": BODIES, "pose_a": ARRAYS, "distance": NUMBERS},
    ),
    "ContactSequence": (tc.ContactSequence, {"a": BOX, "b": BOX}, {"a": BODIES, "b": BODIES}),
    "ContactSequence.first_contact": (
        lambda **how: sequence().first_contact(**how),
        {"motion_a": POSE},
        {"motion_a": ARRAYS, "motion_b": optional(ARRAYS), "initial": WORDS, **APART},
    ),
    "Scene.add": (
        lambda **how: scene().add(**how),
        {"name": "c", "mesh": BOX},
        {"name": NAMES, "mesh": BODIES, "pose_or_motion": optional(ARRAYS)},
    ),
    "Scene.move": (
        lambda **how: scene().move(**how),
        {"name": "a", "pose_or_motion": POSE},
        {"name": [*NAMES, Hostile("c", ValueError)], "pose_or_motion": ARRAYS},
    ),
    "Scene.move_all": (
        lambda **how: scene().move_all(**how),
        {"start": ROWS},
        {"start": ARRAYS, **dict.fromkeys(("end", "linear", "angular"), optional(ARRAYS))},
    ),
    "Scene.remove": (lambda **how: scene().remove(**how), {"name": "a"}, {"name": NAMES}),
    "Scene.first_contact": (
        lambda **how: scene().first_contact(**how),
        {},
        {
            "contacts": WORDS,
            **{**RIGID, "separation": [h for h in NUMBERS if not isinstance(h.value, dict)]},
        },
    ),
    "Scene.contacts": (
        lambda **how: scene().contacts(**how),
        {},
        {"threads": optional(NUMBERS), **EFFORT, "method": WORDS},
    ),
    "Scene.clearance": (
        lambda **how: scene().clearance(**how),
        {},
        {"limit": optional(NUMBERS), **EFFORT},
    ),
    "Scene.distances": (
        lambda **how: scene().distances(**how),
        {},
        {"limit": NUMBERS, "threads": optional(NUMBERS)},
    ),
    "Scene.proximities": (
        lambda **how: scene().proximities(**how),
        {"distance": 1.0},
        {"distance": NUMBERS},
    ),
    "deforming_contacts": (
        tc.deforming_contacts,
        {"v0": VERTICES, "v1": VERTICES, "faces": FACES},
        {
            **{"v0": ARRAYS, "v1": ARRAYS, "faces": INDICES},
            **dict.fromkeys(("edges", "points", "groups"), optional(INDICES)),
            **STEPS,
        },
    ),
    "DeformingMesh": (
        tc.DeformingMesh,
        {"v0": VERTICES, "faces": FACES},
        {"v0": ARRAYS, "faces": INDICES, "threads": optional(NUMBERS)},
    ),
    "DeformingMesh.step": (
        lambda **how: model().step(**how),
        {"v1": VERTICES},
        {"v1": ARRAYS, **STEPS},
    ),
    "DeformingMesh.check": (
        lambda **how: model().check(**how),
        {"v1": VERTICES},
        {"v1": ARRAYS, **STEPS},
    ),
    "DeformingMesh.advance": (lambda **how: model().advance(**how), {"v": VERTICES}, {"v": ARRAYS}),
    "DeformingMesh.retopologize": (
        lambda **how: model().retopologize(**how),
        {"vertices": VERTICES, "faces": FACES, "origin": np.arange(len(VERTICES))},
        {"vertices": ARRAYS, "faces": INDICES, "origin": INDICES},
    ),
    "sequence_contacts": (
        lambda **how: list(tc.sequence_contacts(**how)),
        {"frames": [(VERTICES, FACES)] * 2},
        {"frames": [Hostile(None, TypeError), Hostile("ab", TypeError)], **STEPS},
    ),
    "vertex_face": (
        elementary.vertex_face,
        {"start": CORNERS, "end": CORNERS},
        {"start": ARRAYS, "end": ARRAYS, **PAIRS},
    ),
    "edge_edge": (
        elementary.edge_edge,
        {"start": CORNERS, "end": CORNERS},
        {"start": ARRAYS, "end": ARRAYS, **PAIRS},
    ),
    "sphere": (surfaces.sphere, {"radius": 1.0}, {"radius": NUMBERS}),
    "torus": (surfaces.torus, {"major": 1.0, "minor": 0.2}, {"major": NUMBERS, "minor": NUMBERS}),
    "bicubic_patch": (
        surfaces.bicubic_patch,
        {"control_points": np.random.default_rng(1).normal(size=(4, 4, 3))},
        {"control_points": ARRAYS},
    ),
    "triangulate": (surfaces.sphere(1.0).triangulate, {}, {"n": NUMBERS}),
    "ParametricSurface": (
        surfaces.ParametricSurface,
        {
            "point": lambda u, v: (u, v, 0.0),
            "enclose": lambda a, b, c, d: ((a, c, 0.0), (b, d, 0.0)),
            "u_range": (0, 1),
            "v_range": (0, 1),
        },
        {"point": FUNCTIONS, "enclose": FUNCTIONS, "u_range": ARRAYS, "bend": optional(ARRAYS)},
    ),
    "ImplicitSurface": (
        surfaces.ImplicitSurface,
        {"value": lambda lo, hi: (lo[0] - 0.3, hi[0] - 0.3), "box": [(-1, -1, -1), (1, 1, 1.5)]},
        {"value": FUNCTIONS, "box": ARRAYS, "gradient": optional(FUNCTIONS)},
    ),
}


def cases() -> Iterator[Any]:
    for name, (_, _, arguments) in CALLS.items():
        for argument in arguments:
            yield pytest.param(name, argument, id=f"{name}, {argument}")


@pytest.mark.parametrize("name", CALLS)
def test_good_arguments_are_accepted(name: str) -> None:
    call, good, _ = CALLS[name]
    call(**good)


@pytest.mark.parametrize(("name", "argument"), cases())
def test_a_hostile_argument_is_named(name: str, argument: str) -> None:
    call, good, arguments = CALLS[name]
    for hostile in arguments[argument]:
        with pytest.raises(hostile.error, match=rf"^{argument}\b.*: ?.*expected ") as raised:
            call(**{**good, argument: hostile.value})
        assert type(raised.value) is hostile.error, hostile.value
        assert len(str(raised.value)) < 300, "an error that shows all of a large value"


@pytest.mark.parametrize(("name", "argument"), cases())
def test_nan_in_an_array_is_a_wrong_value(name: str, argument: str) -> None:
    call, good, _ = CALLS[name]
    array = np.array(good.get(argument, 0) if argument != "frames" else 0)
    if array.dtype.kind != "f" or array.size < 6:
        return
    array = np.where(np.arange(array.size).reshape(array.shape) == 5, NAN, array)
    with pytest.raises(ValueError, match=rf"^{argument}: .*expected .*nan"):
        call(**{**good, argument: array})


def test_errors_name_the_row() -> None:
    bad = np.stack([POSE, np.where(np.eye(4) == 1, NAN, POSE)])
    with pytest.raises(ValueError, match=r"^start_a: .*row 1"):
        tc.first_contact_batch(BOX, BOX, bad, ROWS)
    with pytest.raises(TypeError, match=r"^vertices: expected numbers, got None in row 1$"):
        tc.Mesh([(0, 0, 0), (1, None, 0), (0, 1, 0)], [(0, 1, 2)])
    with pytest.raises(TypeError, match=r"^meshes, 1: expected a toccata\.Mesh"):
        tc.first_contact_pairs([BOX, None], [0], [1], ROWS[:1])  # type: ignore[list-item]
