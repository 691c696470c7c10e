"""Bad input raises ValueError that names the argument, what was expected, and the row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from oracles.shapes import box, pose

import toccata as tc

GOOD = np.eye(4)
VERTICES, FACES = box()


def changed(array: Any, index: Any, value: float) -> Any:
    result = np.array(array, dtype=float)
    result[index] = value
    return result


BAD_POSES: dict[str, Any] = {
    "nan": changed(GOOD, (0, 3), nan),
    "inf": changed(GOOD, (1, 3), inf),
    "nan rotation": changed(GOOD, (2, 1), nan),
    "scaled": np.diag([2.0, 2.0, 2.0, 1.0]),
    "mirrored": np.diag([-1.0, 1.0, 1.0, 1.0]),
    "sheared": changed(GOOD, (0, 1), 0.5),
    "slightly scaled": np.diag([1.001, 1.001, 1.001, 1.0]),
    "zero": np.zeros((4, 4)),
    "last row": changed(GOOD, (3, 0), 0.5),
    "last entry": changed(GOOD, (3, 3), 2.0),
    "3x3": np.eye(3),
    "3x4": np.eye(4)[:3],
    "flat": np.eye(4).ravel(),
    "stack": np.eye(4)[None],
}

BAD_VECTORS: dict[str, Any] = {
    "nan": (0.0, nan, 0.0),
    "inf": (inf, 0.0, 0.0),
    "short": (0.0, 0.0),
    "long": (0.0, 0.0, 0.0, 0.0),
    "matrix": np.eye(3),
    "number": 1.0,
}

BAD_VERTICES: dict[str, Any] = {
    "nan": changed(VERTICES, (5, 1), nan),
    "inf": changed(VERTICES, (5, 1), inf),
    "flat": VERTICES.ravel(),
    "two columns": VERTICES[:, :2],
    "four columns": np.zeros((8, 4)),
    "empty": np.zeros((0, 3)),
}

BAD_FACES: dict[str, Any] = {
    "too large": changed(FACES, (7, 2), 8).astype(int),
    "negative": changed(FACES, (7, 2), -1).astype(int),
    "very large": changed(FACES, (7, 2), 2.0**40).astype(np.int64),
    "flat": FACES.ravel(),
    "quads": np.zeros((3, 4), dtype=int),
    "empty": np.zeros((0, 3), dtype=int),
}


@dataclass(frozen=True)
class Entry:
    """An entry point: a call with one free argument, and the name of this argument."""

    call: Callable[[Any], Any]
    argument: str

    def assert_refuses(self, value: Any, row: int | None = None) -> None:
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below
            self.call(value)
        message = str(caught.value)
        assert self.argument in message, "does not name the argument"
        assert "expected" in message, "does not say what was expected"
        assert row is None or str(row) in message, "does not say which row"


def parameter(function: Any, position: int) -> str:
    """Return the name of a positional parameter, which messages must use."""
    return list(signature(function).parameters)[position]


M = tc.Motion
SPLINE_TIMES = (0.0, 0.5, 1.0)

POSE_ENTRIES = {
    "fixed": Entry(M.fixed, parameter(M.fixed, 0)),
    "linear start": Entry(lambda x: M.linear(x, GOOD), parameter(M.linear, 0)),
    "linear end": Entry(lambda x: M.linear(GOOD, x), parameter(M.linear, 1)),
    "screw start": Entry(lambda x: M.screw(x, GOOD), parameter(M.screw, 0)),
    "screw end": Entry(lambda x: M.screw(GOOD, x), parameter(M.screw, 1)),
    "twist start": Entry(
        lambda x: M.twist(x, linear=(0, 0, 0), angular=(0, 0, 0)), parameter(M.twist, 0)
    ),
    "scene": Entry(lambda x: tc.Scene().add("part", tc.Mesh(VERTICES, FACES), x), "pose"),
}

VECTOR_ENTRIES = {
    "pivot": Entry(lambda x: M.linear(GOOD, GOOD, pivot=x), "pivot"),
    "linear": Entry(lambda x: M.twist(GOOD, linear=x, angular=(0, 0, 0)), "linear"),
    "angular": Entry(lambda x: M.twist(GOOD, linear=(0, 0, 0), angular=x), "angular"),
    "translation": Entry(lambda x: tc.pose(translation=x), "translation"),
    "rotvec": Entry(lambda x: tc.pose(rotvec=x), "rotvec"),
}


@pytest.mark.parametrize("bad", BAD_POSES)
@pytest.mark.parametrize("entry", POSE_ENTRIES)
def test_bad_poses_are_refused(entry: str, bad: str) -> None:
    POSE_ENTRIES[entry].assert_refuses(BAD_POSES[bad])


@pytest.mark.parametrize("bad", BAD_VECTORS)
@pytest.mark.parametrize("entry", VECTOR_ENTRIES)
def test_bad_vectors_are_refused(entry: str, bad: str) -> None:
    VECTOR_ENTRIES[entry].assert_refuses(BAD_VECTORS[bad])


@pytest.mark.parametrize("bad", BAD_VERTICES)
def test_bad_vertices_are_refused(bad: str) -> None:
    row = 5 if bad in ("nan", "inf") else None
    Entry(lambda x: tc.Mesh(x, FACES), "vertices").assert_refuses(BAD_VERTICES[bad], row)


@pytest.mark.parametrize("bad", BAD_FACES)
def test_bad_faces_are_refused(bad: str) -> None:
    row = 7 if bad in ("too large", "negative", "very large") else None
    Entry(lambda x: tc.Mesh(VERTICES, x), "faces").assert_refuses(BAD_FACES[bad], row)


def test_faces_must_be_whole_numbers() -> None:
    with pytest.raises((ValueError, TypeError), match="faces"):
        tc.Mesh(VERTICES, FACES + 0.5)
    with pytest.raises((ValueError, TypeError), match="faces"):
        tc.Mesh(VERTICES, changed(FACES, (0, 0), nan))


@pytest.mark.parametrize("name", ["quat_xyzw", "quat_wxyz"])
@pytest.mark.parametrize(
    "bad", [(0, 0, 0, 0), (nan, 0, 0, 1), (inf, 0, 0, 1), (0, 0, 1), np.eye(4)]
)
def test_bad_quaternions_are_refused(name: str, bad: Any) -> None:
    Entry(lambda x: tc.pose(**{name: x}), name).assert_refuses(bad)


def test_a_pose_takes_at_most_one_rotation() -> None:
    with pytest.raises(ValueError, match=r"rotvec|quat"):
        tc.pose(rotvec=(0, 0, 1), quat_xyzw=(0, 0, 0, 1))
    with pytest.raises(ValueError, match="quat"):
        tc.pose(quat_wxyz=(1, 0, 0, 0), quat_xyzw=(0, 0, 0, 1))


BAD_TIMES: dict[str, Any] = {
    "falling": (0.0, 0.7, 0.5),
    "repeated": (0.0, 0.0, 1.0),
    "nan": (0.0, nan, 1.0),
    "inf": (0.0, 0.5, inf),
    "too few": (0.0, 1.0),
    "too many": (0.0, 0.2, 0.5, 1.0),
    "matrix": np.zeros((3, 1)),
}


@pytest.mark.parametrize("bad", BAD_TIMES)
def test_bad_spline_times_are_refused(bad: str) -> None:
    Entry(lambda x: M.spline(x, np.array([GOOD] * 3)), "times").assert_refuses(BAD_TIMES[bad])


@pytest.mark.parametrize("bad", ["nan", "inf", "scaled", "mirrored", "sheared", "last row"])
def test_a_bad_spline_pose_is_refused_with_its_row(bad: str) -> None:
    poses = np.array([GOOD, BAD_POSES[bad], GOOD])
    Entry(lambda x: M.spline(SPLINE_TIMES, x), "poses").assert_refuses(poses, row=1)


@pytest.mark.parametrize("shape", [(3, 3, 3), (4, 4), (3, 4), (3, 16)])
def test_spline_poses_of_a_wrong_shape_are_refused(shape: tuple[int, ...]) -> None:
    Entry(lambda x: M.spline(SPLINE_TIMES, x), "poses").assert_refuses(np.zeros(shape))


def test_a_bad_time_of_a_pose_is_refused() -> None:
    motion = M.linear(GOOD, pose((1, 0, 0)))
    Entry(motion.pose, "t").assert_refuses(nan)
    Entry(motion.pose, "t").assert_refuses(inf)
    Entry(motion.pose, "t").assert_refuses([0.0, nan])
