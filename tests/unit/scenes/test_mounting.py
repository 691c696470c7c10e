"""The car, its door and its motor are what they claim to be, and can be mounted."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import toccata as tc
from toccata.scenes import mounting
from toccata.scenes._car import car_skeleton
from toccata.scenes._door import car_door
from toccata.scenes._outline import Cells, cut, disc, flat_mesh, inset, polygon, rectangle
from toccata.scenes.surface import MeshArrays, boundary
from toccata_bench.scenes.motor import motor_removal, window_motor

COUNTS: dict[Callable[[], MeshArrays], int] = {
    car_skeleton: 29_000,
    car_door: 16_000,
    window_motor: 4_000,
}


@pytest.mark.parametrize("build", COUNTS)
def test_part_is_closed_with_its_count_the_same_every_time(
    build: Callable[[], MeshArrays],
) -> None:
    trimesh = pytest.importorskip("trimesh")
    vertices, faces = build()
    assert len(faces) == COUNTS[build]
    solid = trimesh.Trimesh(vertices, faces, process=False)
    assert solid.is_watertight and solid.is_winding_consistent
    assert all(part.volume > 0 for part in solid.split(only_watertight=False))
    assert solid.area_faces.min() > 0
    again = build()
    assert vertices.tobytes() == again[0].tobytes() and faces.tobytes() == again[1].tobytes()


def test_car_has_the_size_of_a_car() -> None:
    vertices, _ = car_skeleton()
    length, width, height = np.ptp(vertices, axis=0)
    assert 4.0 < length < 4.2 and 1.6 < width < 1.8 and 1.3 < height < 1.6
    door, motor = np.ptp(car_door()[0], axis=0), np.ptp(window_motor()[0], axis=0)
    assert 0.9 < door[0] < 1.1 and 1.0 < door[2] < 1.2
    assert motor.max() < 0.2


@pytest.mark.parametrize("make", [mounting.door_mounting, motor_removal])
def test_start_target_and_the_way_between_them_are_free(
    make: Callable[[], mounting.Mounting],
) -> None:
    given = make()
    part, poses = tc.Mesh(*given.part), [given.start, *given.via, given.target]
    for other in (tc.Mesh(*mesh) for mesh in given.fixed.values()):
        assert min(tc.distance(part, other, pose).lower for pose in poses) > 0.005
        for start, end in pairwise(poses):
            motion = tc.Motion.linear(start, end)
            assert not tc.first_contact(part, other, motion, separation=0.004, tolerance=0.0005)
    assert given.scene().names == tuple(given.fixed)


def test_seated_door_has_little_room_and_is_held_from_inside() -> None:
    given = mounting.door_mounting()
    door, car = tc.Mesh(*given.part), tc.Mesh(*given.fixed["car"])
    assert tc.distance(door, car, given.target).upper < 0.008
    for way in ((0, -0.02, 0), (0.01, 0, 0), (-0.01, 0, 0), (0, 0, 0.01), (0, 0, -0.01)):
        moved = tc.pose(way) @ given.target
        assert tc.first_contact(door, car, tc.Motion.linear(given.target, moved))
    assert tc.first_contact(door, car, tc.Motion.linear(given.start, given.target))


def test_motor_does_not_come_straight_out() -> None:
    given = motor_removal()
    motor, door = tc.Mesh(*given.part), tc.Mesh(*given.fixed["door"])
    assert tc.first_contact(motor, door, tc.Motion.linear(given.start, given.target))
    straight = tc.pose((0, -0.3, 0)) @ given.start
    assert tc.first_contact(motor, door, tc.Motion.linear(given.start, straight))


@pytest.mark.parametrize("size", [0.02, 0.027, 0.034])
def test_flat_mesh_fills_its_outline(size: float) -> None:
    outer = polygon([(0, 0), (1, 0), (1.1, 0.6), (0.4, 1.1), (0, 1.1)], 0.1)
    outline = cut(outer, rectangle((0.2, 0.2), (0.7, 0.6), 0.08), disc((0.3, 0.85), 0.1))
    vertices, faces = flat_mesh(outline, Cells((-0.1, -0.1), (1.2, 1.2), size))
    rim = boundary(faces)
    assert np.abs(outline(vertices[np.unique(rim)][:, :2])).max() < 1e-3 * size
    assert np.abs(outline(vertices[rim].mean(axis=1)[:, :2])).max() < 0.02 * size
    corners = vertices[faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] / 2
    assert areas.min() > 0
    square = np.stack(np.meshgrid(*2 * [np.linspace(-0.1, 1.2, 1301)]), axis=-1).reshape(-1, 2)
    assert areas.sum() == pytest.approx((outline(square) < 0).mean() * 1.3**2, rel=2e-3)


def test_border_of_an_outline_keeps_its_width() -> None:
    ring = cut(disc((0, 0), 1.0), inset(disc((0, 0), 1.0), 0.25))
    assert ring(np.array([(0.9, 0.0), (0.5, 0.0), (1.5, 0.0)])).tolist() == pytest.approx(
        [-0.1, 0.25, 0.5]
    )
