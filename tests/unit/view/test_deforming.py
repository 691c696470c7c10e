"""Deforming steps and sequences as views: contacts, cut edges, pieces in colors."""

import numpy as np
import pytest

import toccata as tc
from toccata.view import Arrows, Body, Points, view_of
from toccata.view._colors import YELLOW
from toccata.view._connected import crossings, cut_edges, edges_of, matched, pieces
from toccata.view._deforming import DeformingStep, of_steps

FACE = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
TIP = np.array([[0.5, 0.5, 1.0], [0.5, 0.6, 2.0], [0.6, 0.5, 2.0]])
FACES = np.array([[0, 1, 2], [3, 4, 5]])


def falling():
    """A triangle whose tip falls from height 1 to -1 through a face at height 0: halfway."""
    v0 = np.concatenate([FACE, TIP])
    v1 = np.concatenate([FACE, TIP - (0, 0, 2)])
    return v0, v1, tc.deforming_contacts(v0, v1, FACES, contacts="all")


def test_a_step_and_its_contacts():
    v0, v1, found = falling()
    view = view_of(found, v0=v0, v1=v1, faces=FACES)
    assert view.marks[0].name == "First contact" and view.marks[0].camera is not None
    assert view.marks[0].time == found.toc == pytest.approx(0.5, abs=1e-5)
    points = view["contact/points 0"]
    assert points.color == YELLOW and points.span[0] == found.toc
    assert points.positions[0, 0] == pytest.approx([0.5, 0.5, 0.0], abs=1e-4)
    bodies = list(view.of(Body))
    assert len({body.color for body in bodies}) == 2  # two pieces
    tip = bodies[1].vertices[view.row(0.5)][0]
    assert tip == pytest.approx([0.5, 0.5, 0.0], abs=1e-4)
    counts = view.plots[0].series["pairs"]
    assert counts[0] == 0 and counts[-1] == len(found.vertex_face) + len(found.edge_edge)


def test_points_come_one_after_the_other():
    v0, v1, found = falling()
    rows = view_of(found, v0=v0, v1=v1, faces=FACES)["contact/points 0"].positions
    different = [len(np.unique(np.round(row, 9), axis=0)) for row in rows]
    assert different[0] == 1 and different == sorted(different) and different[-1] > 1


def test_a_free_step_shows_the_mesh_alone():
    v0 = np.concatenate([FACE, TIP])
    found = tc.deforming_contacts(v0, v0, FACES)
    view = view_of(found, v0=v0, v1=v0, faces=FACES)
    assert not view.marks and not list(view.of(Points)) and view.outcome.status == "FREE"


def two_steps():
    """A square of two triangles, that comes apart along its diagonal in the second step."""
    whole = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    apart = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 1, 0], [0, 1, 0]])
    away = apart + (0, 0, 0.5) * (np.arange(6) >= 3)[:, None]
    joined, parted = np.array([[0, 1, 2], [0, 2, 3]]), np.array([[0, 1, 2], [3, 4, 5]])
    first = DeformingStep.of(whole, whole, joined)
    return first, DeformingStep.of(apart, away, parted, origin=np.array([0, 1, 2, 0, 2, 3]))


@pytest.mark.parametrize("known", [True, False])
def test_cut_edges_are_seen_after_the_cut(known):
    first, second = two_steps()
    if not known:  # then vertices are known by their places
        second = DeformingStep.of(second.v0, second.v1, second.faces)
    view = of_steps([first, second])
    (cut,) = view.of(Arrows)
    assert not cut.heads and cut.span[0] == 1.0
    assert cut.start.shape == (len(view.rows(cut)), 2, 3)  # the diagonal, once on each side
    lengths = np.linalg.norm(cut.end - cut.start, axis=-1)
    assert lengths == pytest.approx(np.sqrt(2))
    spans = {body.name: body.span for body in view.of(Body)}
    assert [name for name, span in spans.items() if span[0] == 0] == ["mesh/0"]
    assert [name for name, span in spans.items() if span[0] == 1] == ["mesh/1 0", "mesh/1 1"]


def test_frames_of_a_sequence():
    frames = [(FACE + (0, 0, k), FACES[:1]) for k in range(4)]
    answers = [answer for _, answer in tc.sequence_contacts(frames)]
    view = view_of(frames, contacts=answers)
    (body,) = view.of(Body)
    heights = body.vertices[:, 0, 2]
    assert heights == pytest.approx(view.times, abs=1e-5) and view.times[-1] == pytest.approx(3)
    assert view.unit == "frame" and view.clock(1.25) == "frame 1.25"


def test_a_step_that_was_not_checked_is_undecided():
    frames = [(FACE, FACES[:1]), (FACE + 1.0, FACES[:1]), (FACE + 2.0, FACES[:1])]
    (_, first), (_, second) = tc.sequence_contacts(frames)
    assert view_of(frames, contacts=[first, second]).outcome.status == "FREE"
    unknown = view_of(frames, contacts=[first, None]).outcome
    assert unknown.status == "UNDECIDED" and unknown.safe == ((0.0, 1.0), (1.0, 1.0))
    assert view_of(frames).outcome is None


def test_a_frame_with_other_faces_starts_anew():
    second = np.concatenate([FACE, TIP])
    view = view_of([(FACE, FACES[:1]), (second, FACES)])
    first, *rest = view.of(Body)
    assert first.span[1] < 1 and {body.span[0] for body in rest} == {1.0}


def test_groups_are_colored_as_they_are_given():
    v0, v1, found = falling()
    view = view_of(found, v0=v0, v1=v1, faces=FACES, groups=np.zeros(6, dtype=int))
    assert len(list(view.of(Body))) == 1


def test_loose_edges_and_points_are_drawn():
    vertices = np.concatenate([FACE, TIP])
    frame = (vertices, FACES[:1], [[3, 4]], [5])
    view = view_of([frame, frame])
    assert view["edges/0"].start[0, 0] == pytest.approx(TIP[0])
    assert view["points/0"].positions[0, 0] == pytest.approx(TIP[2])


def test_pieces_of_random_chains():
    rng = np.random.default_rng(1)
    order = rng.permutation(400)
    faces = np.array([order[[k, k + 1, k + 2]] for k in range(398) if k not in (148, 149)])
    found = pieces(faces, 400)
    assert (found[order[150:]] == 0).all() and (found[order[:150]] == 1).all()


def test_edges_and_their_faces():
    edges, count = edges_of(np.array([[0, 1, 2], [0, 2, 3]]))
    assert dict(zip(map(tuple, edges.tolist()), count, strict=True)) == {
        (0, 1): 1, (0, 2): 2, (0, 3): 1, (1, 2): 1, (2, 3): 1
    }  # fmt: skip
    assert not len(cut_edges(*2 * [np.array([[0, 1, 2], [0, 2, 3]])], np.arange(4)))
    assert matched(FACE, np.concatenate([TIP, FACE[::-1]])).tolist() == [-1, -1, -1, 2, 1, 0]


def test_segments_are_nearest_where_they_cross():
    rng = np.random.default_rng(2)
    middle, a, b = rng.normal(size=(3, 50, 3))
    ends = np.stack([middle - a, middle + a, middle - b, middle + b], axis=1)
    assert crossings(ends) == pytest.approx(middle, abs=1e-9)
    flat = np.zeros((1, 4, 3))
    flat[0, :, 0] = 0, 2, 0, 2
    assert crossings(flat)[0] == pytest.approx([1, 0, 0])
    assert np.isfinite(crossings(np.zeros((1, 4, 3)))).all()


def test_no_steps_are_refused():
    with pytest.raises(ValueError, match="steps: expected at least one"):
        of_steps([])


def test_a_step_after_a_cut_moves_from_its_origins():
    """The new mesh is there from the start of the step; cut edges are shown."""
    whole = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype=float)
    joined, parted = np.array([[0, 1, 2], [2, 1, 3]]), np.array([[0, 1, 2], [5, 4, 3]])
    origin = np.array([0, 1, 2, 3, 1, 2])
    away = whole[origin] + np.repeat([[0.0], [0.5]], 3, axis=0)
    frames = [tc.Frame(whole, joined), tc.Frame(whole + 0.0, joined, np.arange(4))]
    frames += [tc.Frame(away, parted, origin), tc.Frame(away + 1.0, parted)]
    answers = [answer for _, answer in tc.sequence_contacts(frames)]
    view = view_of(frames, contacts=answers)
    assert view.outcome.status == "FREE" and view.times[-1] == pytest.approx(3)
    (cut,) = view.of(Arrows)
    assert cut.span[0] == 1.0 and len(cut.start[0]) == 2
    spans = sorted(body.span[0] for body in view.of(Body))
    assert spans == [0.0, 1.0, 1.0], "an origin that changes nothing starts no new mesh"
    moving = [body for body in view.of(Body) if body.span[0] == 1.0]
    at_start = np.concatenate([body.vertices[0] for body in moving])
    assert {tuple(row) for row in at_start.round(6)} == {tuple(row) for row in whole}
