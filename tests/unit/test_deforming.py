"""Steps of deforming meshes: what callers may do with their arrays, and the limits of input."""

import numpy as np
import pytest

import toccata as tc
from toccata._deforming import StepMethod

VERTICES = np.array(
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, 1), (1, 0.3, 2), (0.3, 1, 2)], float
)
FACES = [(0, 1, 2), (3, 4, 5)]
METHODS = ("clusters", "bvh", "auto")


def crossing(scale=1.0):
    """The second triangle passes through the first at the start."""
    return np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0), (1, 1, -1), (1, 1, 1), (9, 9, 1)]) * scale


@pytest.mark.parametrize("method", METHODS)
def test_a_frame_that_is_updated_in_place_still_moves(method):
    frame = VERTICES.copy()
    model = tc.DeformingMesh(frame, FACES)
    frame[3:, 2] -= 0.5
    assert not model.step(frame, method=method)
    frame[3:, 2] -= 1.0
    step = model.step(frame, method=method)
    assert step.status is tc.Status.CONTACT and step.toc == pytest.approx(0.5, abs=1e-5)
    assert not model.vertices.flags.writeable


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [1e-90, 1e-60, 1.0, 1e12])
def test_a_crossing_is_seen_at_every_scale(method, scale):
    frame = crossing(scale)
    step = tc.deforming_contacts(frame, frame, FACES, method=method)
    assert step.status is tc.Status.INITIAL_OVERLAP
    assert len(step.initial_edge_face) > 0


def test_what_boxes_cannot_hold_is_refused():
    far = VERTICES.copy()
    far[4, 1] = 2e15
    with pytest.raises(ValueError, match="v1: row 4 has a coordinate beyond 1e15"):
        tc.deforming_contacts(VERTICES, far, FACES)
    with pytest.raises(ValueError, match="separation: expected a number from 0 to 1e15"):
        tc.deforming_contacts(VERTICES, VERTICES, FACES, separation=1e30)


def test_the_model_keeps_arrays_of_its_own():
    faces = np.array(FACES, dtype=np.int32)
    model = tc.DeformingMesh(VERTICES, faces)
    faces[0] = (1, 2, 3)
    assert model.faces.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert not model.faces.flags.writeable and not model.edges.flags.writeable
    assert faces.flags.writeable
    assert not model.step(VERTICES).edges.flags.writeable


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"edges": [(0, 1), (0, -1)]}, r"^edges: row 1 has index -1, expected 0\.\.5$"),
        ({"edges": [(0, 1), (6, 1)]}, r"^edges: row 1 has index 6, expected 0\.\.5$"),
        ({"edges": [0, 1]}, r"^edges: expected shape \(n, 2\), got \(2,\)$"),
        ({"points": [1, 6]}, r"^points: row 1 is 6, expected 0\.\.5$"),
        (
            {"ignored_groups": [(0, 1), (0, 0, 0)]},
            r"^ignored_groups: expected a pair of integers in row 1, got \(0, 0, 0\)$",
        ),
        (
            {"ignored_groups": [(0, 0), (0, 7)]},
            r"^ignored_groups: row 1 is \(0, 7\), but no vertex has group 7$",
        ),
        ({"threads": 2.7}, r"^threads: expected a whole number, got 2\.7$"),
        ({"budget": 1.5}, r"^budget: expected a whole number, got 1\.5$"),
    ],
)
def test_a_message_names_the_argument_and_its_row(options, message):
    with pytest.raises(ValueError, match=message):
        tc.deforming_contacts(VERTICES, VERTICES, FACES, groups=np.zeros(6, int), **options)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (0, "expected pairs of groups, got 0"),
        ("ab", "expected pairs of groups, got 'ab'"),
        ([0], "expected a pair of integers in row 0, got 0"),
        ((0, 0), "expected a pair of integers in row 0, got 0"),
        ([("a", "b")], r"expected a pair of integers in row 0, got \('a', 'b'\)"),
        ([(0, 0), (0, 1.5)], r"expected a pair of integers in row 1, got \(0, 1\.5\)"),
    ],
)
def test_ignored_groups_of_a_wrong_type_are_named(pairs, message):
    with pytest.raises(TypeError, match=f"^ignored_groups: {message}$"):
        tc.deforming_contacts(
            VERTICES, VERTICES, FACES, groups=np.zeros(6, int), ignored_groups=pairs
        )


def test_groups_may_be_numpy_pairs():
    pairs = np.array([(0, 0)], dtype=np.int16)
    down = VERTICES.copy()
    down[3:, 2] -= 2
    options = {"groups": np.zeros(6, int), "threads": np.int64(1), "budget": 20_000.0}
    assert tc.deforming_contacts(VERTICES, down, FACES, **options)
    assert not tc.deforming_contacts(VERTICES, down, FACES, ignored_groups=pairs, **options)


def test_groups_that_vanish_may_stay_ignored_and_new_ones_be_named():
    model = tc.DeformingMesh(
        VERTICES, FACES, groups=[1, 1, 1, 2, 2, 2], ignored_groups=[(1, 2), (2, 2)]
    )
    model.retopologize(VERTICES, FACES, np.arange(6), groups=[1] * 6)
    with pytest.raises(ValueError, match=r"^ignored_groups: row 0 is \(1, 3\), .* has group 3$"):
        model.retopologize(VERTICES, FACES, np.arange(6), ignored_groups=[(1, 3)])
    down = VERTICES.copy()
    down[3:, 2] -= 2
    model.retopologize(VERTICES, FACES, np.arange(6), groups=[1, 1, 1, 3, 3, 3])
    assert model.step(down)
    model.retopologize(VERTICES, FACES, np.arange(6), ignored_groups=[(1, 3)])
    assert not model.step(down)


def test_an_empty_list_is_no_rows():
    down = VERTICES.copy()
    down[3:, 2] -= 2
    whole = tc.deforming_contacts(VERTICES, down, FACES, edges=[], points=[])
    assert whole.toc == tc.deforming_contacts(VERTICES, down, FACES).toc
    strands = tc.deforming_contacts(VERTICES, down, [], edges=[(0, 1), (3, 4)])
    assert strands.edges.tolist() == [[0, 1], [3, 4]]
    assert tc.deforming_contacts([], [], []).status is tc.Status.FREE
    for test in (tc.elementary.vertex_face, tc.elementary.edge_edge):
        assert len(test([], [])) == 0
    with pytest.raises(ValueError, match=r"^vertices: expected shape"):
        tc.Mesh([], [])
    with pytest.raises(ValueError, match=r"^faces: expected shape"):
        tc.Mesh(VERTICES, [])


def test_whether_the_start_was_clean_is_told():
    falling = np.array([(20, 0, 0), (24, 0, 0), (20, 4, 0), (21, 1, 1), (22, 1, 2), (21, 2, 2)])
    v0 = np.concatenate([crossing(), falling.astype(float)])
    v1 = v0.copy()
    v1[9:, 2] -= 2
    faces = np.arange(12).reshape(4, 3)
    both = tc.deforming_contacts(v0, v1, faces)
    assert both.status is tc.Status.CONTACT and both.toc == pytest.approx(0.5, abs=1e-5)
    assert both.starts_overlapping and len(both.initial_edge_face)
    still = tc.deforming_contacts(v0, v0, faces)  # only pierced faces: never FREE
    assert still.status is tc.Status.INITIAL_OVERLAP and still.toc == 0
    alone = tc.deforming_contacts(v0[6:], v1[6:], faces[:2])
    assert alone.status is tc.Status.CONTACT and not alone.starts_overlapping
    touching = v0[6:].copy()
    touching[3:, 2] -= 1
    at_once = tc.deforming_contacts(touching, touching, faces[:2])
    assert at_once.toc == 0 and at_once.starts_overlapping and not len(at_once.initial_edge_face)
    assert not tc.deforming_contacts(VERTICES, VERTICES, FACES).starts_overlapping


def test_models_and_answers_are_written_in_a_line():
    down = VERTICES.copy()
    down[3:, 2] -= 2
    model = tc.DeformingMesh(VERTICES, FACES[:1], edges=[(3, 4)], points=[5])
    assert repr(model) == "DeformingMesh(6 vertices, 1 faces, 1 loose edges, 1 points)"
    step = model.step(down)
    assert str(step).startswith("CONTACT at t = 0.5: vertex 3 and face 0 (tolerance ")
    assert repr(step).startswith("StepContacts(status=CONTACT, toc=0.5, safe_until=0.5, ")
    assert "feature='vertex-face', pair=(3, 0), " in repr(step)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("method", ["auto", "clusters", "bvh"])
def test_a_start_in_contact_has_no_normal(side: float, method: StepMethod) -> None:
    """A vertex in a face, and its body above or below: nothing tells which way is out."""
    vertices = np.array(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0], [0, 0, side], [1, 0, side]]
    )
    step = tc.deforming_contacts(vertices, vertices, [[0, 1, 2], [3, 4, 5]], method=method)
    assert step.status is tc.Status.INITIAL_OVERLAP and step.pair == (3, 0)
    assert step.normal is not None and np.isnan(step.normal).all()


def test_pairs_that_are_undecided_say_so() -> None:
    """With a budget of one plane, what is listed is not all contact; each with its safe time."""
    rng = np.random.default_rng(3)
    v0 = rng.normal(size=(30, 3))
    faces = np.arange(30).reshape(10, 3)
    v1 = v0 + rng.normal(size=(30, 3)) * 0.5
    full, short = (
        tc.deforming_contacts(v0, v1, faces, contacts="all", budget=budget) for budget in (None, 1)
    )
    for kind in ("vertex_face", "edge_edge"):
        assert set(getattr(full, f"{kind}_status")) <= {tc.Status.CONTACT}
        status, toc = getattr(short, f"{kind}_status"), getattr(short, f"{kind}_toc")
        assert len(status) == len(toc) == len(getattr(short, kind))
        known = {
            tuple(row): t
            for row, t in zip(
                getattr(full, kind).tolist(), getattr(full, f"{kind}_toc"), strict=True
            )
        }
        for row, code, time in zip(getattr(short, kind).tolist(), status, toc, strict=True):
            assert code == tc.Status.UNDECIDED or time == known[tuple(row)]
            assert time <= known.get(tuple(row), np.inf)
    both = np.concatenate([short.vertex_face_status, short.edge_edge_status])
    assert (both == tc.Status.UNDECIDED).any()


def test_all_contacts_of_a_step_are_later_than_the_first():
    """Unlike the contacts of rigid bodies, which are listed at `toc` only."""
    down = VERTICES.copy()
    down[3:, 2] -= (1.2, 1.6, 2.0)
    step = tc.deforming_contacts(VERTICES, down, FACES, contacts="all")
    times = np.concatenate((step.vertex_face_toc, step.edge_edge_toc))
    assert times.min() == step.toc < times.max()
    text = " ".join((tc.deforming_contacts.__doc__ or "").split())
    assert 'For rigid bodies and robots, "all" lists only contacts at `toc`.' in text
