"""Frames with another topology: what origins mean, what is found by positions, what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.scenes import deforming

FREE, CONTACT, OVERLAP = tc.Status.FREE, tc.Status.CONTACT, tc.Status.INITIAL_OVERLAP
# Two triangles with a common side, which is then cut: vertices 0 and 1 get the twins 4 and 5.
WHOLE = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [-1, 0, 0]], float)
JOINED = np.array([[0, 2, 1], [0, 1, 3]])
PARTED = np.array([[0, 2, 1], [4, 5, 3]])
ORIGIN = np.array([0, 1, 2, 3, 0, 1])
WAY = np.array([[1, 0, 0.3], [1, 0, -0.3], [1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])


def sides(shift: float) -> np.ndarray:
    """Return the parted triangles; below 0, the side of the right one pierces the left one."""
    return WHOLE[ORIGIN] + shift * WAY


def answers(frames: Any, **options: Any) -> list[tc.Status | None]:
    return [
        None if step is None else step.status for _, step in tc.sequence_contacts(frames, **options)
    ]


def changes(frames: Any, **options: Any) -> list[tc.TopologyChange]:
    found: list[tc.TopologyChange] = []
    list(tc.sequence_contacts(frames, changes=found.append, **options))
    return found


def test_the_step_of_a_cut_is_checked() -> None:
    first = tc.Frame(WHOLE, JOINED)
    assert answers([first, tc.Frame(sides(0.1), PARTED, ORIGIN)]) == [FREE]
    through = tc.Frame(sides(-0.5), PARTED, ORIGIN)
    ((_, step),) = tc.sequence_contacts([first, through])
    assert step is not None and step.status in (CONTACT, OVERLAP)
    assert answers([first, tc.Frame(sides(0.1), PARTED)]) == [None]


def test_a_closed_crack_is_known_in_later_frames() -> None:
    cut = tc.Frame(sides(0), PARTED, ORIGIN)
    frames = [tc.Frame(WHOLE, JOINED), cut, tc.Frame(sides(0) + 1, PARTED)]
    frames += [tc.Frame(sides(0.1) + 1, PARTED), tc.Frame(sides(-0.5) + 1, PARTED)]
    assert answers(frames) == [FREE, FREE, FREE, CONTACT]
    assert answers([cut, *frames[2:4]]) == [OVERLAP, OVERLAP], "in the first frame they touch"


def test_a_vertex_moves_from_its_origin() -> None:
    """One of two renumbered triangles falls through the other."""
    order = np.array([3, 4, 5, 0, 1, 2])
    start = np.concatenate([WHOLE[:3], WHOLE[:3] + (0.1, 0.1, 1)])
    end = start - np.repeat([[0.0], [2.0]], 3, axis=0) * (0, 0, 1)
    faces = np.arange(6).reshape(2, 3)
    frames = [tc.Frame(start, faces), tc.Frame(end[order], faces, order)]
    ((_, step),) = tc.sequence_contacts(frames)
    plain = tc.deforming_contacts(start, end, faces)
    assert step is not None and step.toc == plain.toc and 0 < plain.toc < 1
    assert answers([frames[0], frames[1]._replace(origin=np.arange(6))]) == [FREE], "both fall"


def test_a_new_vertex_stands_still_unless_it_has_a_start() -> None:
    """A triangle appears below the other one; with a start above, it falls through it."""
    low, high = WHOLE[:3] + (0.1, 0.1, -1), WHOLE[:3] + (0.1, 0.1, 1)
    first = tc.Frame(WHOLE[:3], JOINED[:1])
    both, origin = np.array([[0, 2, 1], [3, 5, 4]]), [0, 1, 2, -1, -1, -1]
    after = tc.Frame(np.concatenate([WHOLE[:3], low]), both, origin)
    assert answers([first, after]) == [FREE]
    falls = after._replace(start=np.concatenate([WHOLE[:3], high]))
    ((_, step),) = tc.sequence_contacts([first, falls])
    assert step is not None and step.toc == pytest.approx(0.5, abs=1e-5)
    assert [change.new for change in changes([first, falls])] == [3]


def test_all_vertices_may_appear_and_disappear() -> None:
    empty = tc.Frame(np.empty((0, 3)), np.empty((0, 3), dtype=int), [])
    full = tc.Frame(WHOLE, JOINED, [-1] * 4)
    assert answers([empty, full, empty, full]) == [FREE] * 3


def test_a_crack_may_be_welded() -> None:
    parted = tc.Frame(sides(0.1), PARTED)
    assert answers([parted, tc.Frame(WHOLE, JOINED, [0, 1, 2, 3])]) == [FREE]


def test_loose_edges_and_points_belong_to_the_topology() -> None:
    """A point passes a triangle in the step in which it becomes a point."""
    above, below = (np.append(WHOLE[:3], [[0.2, 0.2, z]], axis=0) for z in (1, -1))
    first = tc.Frame(above, JOINED[:1])
    assert answers([first, tc.Frame(below, JOINED[:1])]) == [FREE]
    after = tc.Frame(below, JOINED[:1], np.arange(4), points=[3])
    assert answers([first, after]) == [CONTACT]
    assert answers([first, after._replace(points=None, edges=[[3, 3]])]) == [CONTACT]


def test_an_origin_that_changes_nothing_is_no_change() -> None:
    frames = [tc.Frame(WHOLE + z, JOINED, np.arange(4)) for z in (0, 1, 2)]
    assert answers(frames) == [FREE, FREE] and changes(frames) == []


def test_the_origin_of_the_first_frame_is_not_used() -> None:
    frames = [tc.Frame(WHOLE, JOINED, [7, 8, 9, 10]), tc.Frame(WHOLE + 1, JOINED)]
    assert answers(frames) == [FREE]


def test_arrays_may_be_edited_after_a_change() -> None:
    def frames() -> Iterator[tc.Frame]:
        yield tc.Frame(WHOLE, JOINED)
        vertices, faces, origin = sides(0.1), PARTED.copy(), ORIGIN.copy()
        yield tc.Frame(vertices, faces, origin)
        vertices[:] = sides(-0.5)
        yield tc.Frame(vertices, faces)
        faces[0] = 0, 1, 3
        yield tc.Frame(vertices, faces)

    assert answers(frames()) == [FREE, CONTACT, None]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"origin": [0, 1, 2, 3, 0, 4]}, r"origin: row 5 is 4, expected -1\.\.3$"),
        ({"origin": [0, 1, -2, 3, 0, 1]}, r"origin: row 2 is -2, expected -1\.\.3$"),
        ({"origin": [0, 1, 2]}, r"origin: expected shape \(6,\), got \(3,\)$"),
        ({"origin": ORIGIN[:, None]}, r"origin: expected shape"),
        ({"start": sides(0)[:3]}, r"start: expected shape \(6, 3\), got \(3, 3\)$"),
        ({"start": np.full((6, 3), np.nan)}, r"start: expected finite numbers, got nan"),
        ({"start": np.full((6, 3), 2e15)}, r"start: row 0 has a coordinate beyond 1e15"),
        ({"start": sides(0), "origin": None}, r"start: requires origin$"),
        ({"vertices": np.full((6, 3), np.nan)}, r"vertices: expected finite numbers, got nan"),
        ({"vertices": np.full((6, 3), 2e15)}, r"vertices: row 0 has a coordinate beyond 1e15"),
        ({"faces": [[0, 1, 6]]}, r"faces: row 0 has index 6, expected 0\.\.5$"),
        ({"points": [6]}, r"points: row 0 is 6, expected 0\.\.5$"),
    ],
)
def test_a_message_names_the_frame_and_the_array(change: Any, message: str) -> None:
    frame = tc.Frame(sides(0), PARTED, ORIGIN)._replace(**change)
    with pytest.raises(ValueError, match=f"^frame 2: {message}"):
        list(tc.sequence_contacts([tc.Frame(WHOLE, JOINED)] * 2 + [frame]))


@pytest.mark.parametrize("origin", [[0.0, 1, 2, 3, 0, 1], "012301", [None] * 6])
def test_an_origin_of_a_wrong_type_is_named(origin: Any) -> None:
    with pytest.raises(TypeError, match=r"^frame 1: origin: expected integers"):
        list(tc.sequence_contacts([tc.Frame(WHOLE, JOINED), tc.Frame(sides(0), PARTED, origin)]))


def test_origins_are_found_by_equal_positions() -> None:
    frames = [tc.Frame(WHOLE, JOINED), tc.Frame(sides(0), PARTED), tc.Frame(sides(0.1), PARTED)]
    assert answers(frames, find_origins=True) == [FREE, FREE]
    (change,) = changes(frames, find_origins=True)
    assert (change.frame, change.known_by, change.new, change.lost) == (1, "positions", 0, 0)
    assert change.origin.tolist() == ORIGIN.tolist()
    assert answers(frames) == [None, OVERLAP]


def test_a_vertex_that_is_not_found_leaves_the_step_unchecked() -> None:
    frames = [tc.Frame(WHOLE, JOINED), tc.Frame(sides(0.1), PARTED)]
    assert answers(frames, find_origins=True) == [None]
    (change,) = changes(frames, find_origins=True)
    assert change.known_by is None and change.lost == 3
    (change,) = changes(frames)
    assert change.known_by is None and change.lost == 6


def test_a_position_of_several_vertices_is_unclear_unless_they_were_one() -> None:
    """Sides that touch without being cut remain in contact; sides of a crack remain free."""
    again = np.array([5, 4, 3, 2, 1, 0])
    turned = tc.Frame(sides(0)[again], again[PARTED])
    touching = [tc.Frame(sides(0), PARTED), turned]
    assert answers(touching, find_origins=True) == [OVERLAP]
    assert changes(touching, find_origins=True)[0].new == 4
    cracked = [tc.Frame(WHOLE, JOINED), tc.Frame(sides(0), PARTED, ORIGIN), turned]
    assert answers(cracked, find_origins=True) == [FREE, FREE]


def test_the_nidus_is_cut_in_one_sequence() -> None:
    found: list[tc.TopologyChange] = []
    frames = deforming.scene("nidus", 7296).frames()
    assert answers(frames, changes=found.append) == [FREE] * 5
    assert [(change.frame, change.known_by, change.new) for change in found] == [(3, "origin", 0)]
