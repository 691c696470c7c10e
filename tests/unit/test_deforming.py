"""Steps of deforming meshes: what callers may do with their arrays, and the limits of input."""

import numpy as np
import pytest

import toccata as tc

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
