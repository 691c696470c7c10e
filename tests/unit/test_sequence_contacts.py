"""Frames in a row: arrays that are edited in place, messages that name the frame, progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import toccata as tc

FACES = np.array([[3, 4, 5], [6, 7, 8]], dtype=np.int32)
VERTICES = np.array(
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (5, 5, 5), (6, 5, 5), (5, 6, 5)]
    + [(0.2, 0.2, 1), (0.3, 0.2, 1), (0.2, 0.3, 1)],
    dtype=float,
)


def fallen() -> np.ndarray:
    """The last triangle below the first three vertices."""
    down = VERTICES.copy()
    down[6:, 2] = -1
    return down


def answers(frames: Any) -> list[tc.Status | None]:
    return [None if step is None else step.status for _, step in tc.sequence_contacts(frames)]


def test_faces_that_are_edited_in_place_are_a_new_topology() -> None:
    def frames() -> Iterator[tuple[Any, Any]]:
        faces = FACES.copy()
        yield VERTICES, faces
        yield VERTICES, faces
        faces[0] = (0, 1, 2)
        yield VERTICES, faces
        yield fallen(), faces

    assert answers(frames()) == [tc.Status.FREE, None, tc.Status.CONTACT]


@pytest.mark.parametrize("name", ["edges", "points"])
def test_loose_features_that_are_edited_in_place_are_a_new_topology(name: str) -> None:
    others, ours = {"edges": ([[3, 4]], [[6, 7]]), "points": ([3], [6])}[name]

    def frames() -> Iterator[tc.Frame]:
        loose = np.array(others)
        yield tc.Frame(VERTICES, [[0, 1, 2]], **{name: loose})
        loose[:] = ours
        yield tc.Frame(VERTICES, [[0, 1, 2]], **{name: loose})
        yield tc.Frame(fallen(), [[0, 1, 2]], **{name: loose})

    assert answers(frames()) == [None, tc.Status.CONTACT]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ((np.full((9, 3), np.nan), FACES), r"^frame 2: vertices: expected finite numbers, got nan"),
        ((np.full((9, 3), 2e15), FACES), r"^frame 2: vertices: row 0 has a coordinate beyond 1e15"),
        ((VERTICES, [(0, 1, 9)]), r"^frame 2: faces: row 0 has index 9, expected 0\.\.8$"),
        ((VERTICES,), r"^frame 2: expected vertices, faces, .*, got 1 array$"),
    ],
)
def test_a_message_names_the_frame(frame: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(tc.sequence_contacts([(VERTICES, FACES), (VERTICES, FACES), frame]))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (7, r"^frame 2: expected vertices, faces, .*, got 7$"),
        ((None, FACES), r"^frame 2: vertices: expected numbers, got None$"),
        ((VERTICES, None), r"^frame 2: faces: expected integers, got None$"),
    ],
)
def test_a_frame_of_a_wrong_type_is_named(frame: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        list(tc.sequence_contacts([(VERTICES, FACES), (VERTICES, FACES), frame]))


def test_frames_have_to_be_iterable_at_the_call() -> None:
    for frames in (None, 7, "frames"):
        with pytest.raises(TypeError, match=r"^frames: expected an iterable of frames, got"):
            tc.sequence_contacts(frames)  # type: ignore[arg-type]


def test_a_first_frame_that_no_step_can_start_from_is_named() -> None:
    far = (np.full((9, 3), 2e15), FACES)
    with pytest.raises(ValueError, match=r"^frame 0: vertices: row 0 has a coordinate beyond 1e15"):
        list(tc.sequence_contacts([far, (VERTICES, FACES)]))


def test_progress_is_told_before_the_step_is_yielded() -> None:
    told: list[tuple[int, int | None]] = []
    frames = [(VERTICES, FACES)] * 3
    steps = tc.sequence_contacts(frames, progress=lambda *now: told.append(now))
    assert told == []
    next(steps)
    assert told == [(1, 2)]


def test_options_are_checked_at_the_call() -> None:
    with pytest.raises(ValueError, match=r"^method: expected one of"):
        tc.sequence_contacts([], method="nope")
    with pytest.raises(ValueError, match=r"^tolerance: expected"):
        tc.sequence_contacts([], tolerance=0.0)
