"""Distances and proximities: shapes, closed forms, errors and pickles."""

import pickle

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.models import box

CUBE = tc.Mesh(*box())
SOLID = tc.Mesh(*box(), solid=True)
SMALL = tc.Mesh(np.asarray(box()[0]) * 0.1, box()[1])
FLOOR = tc.Mesh([[-5, -5, 0], [5, -5, 0], [5, 5, 0], [-5, 5, 0]], [[0, 1, 2], [0, 2, 3]])


def at(*place, **rotation):
    return tc.pose(translation=place, **rotation)


def kinds(rows):
    return sorted(tc.FEATURES[kind] for kind in rows.kind)


def slab(width, height):
    """A box of the given size, its middle at the origin."""
    return tc.Mesh(np.asarray(box()[0]) * (width, width, height), box()[1])


def test_distance_of_boxes():
    d = tc.distance(CUBE, CUBE, at(3.0, 0.2, 0.1))
    assert d.lower <= 2.0 <= d.upper
    assert d.upper - d.lower < 1e-11
    assert d.distance == pytest.approx(2.0)
    assert np.allclose(d.normal, (1, 0, 0))
    assert np.linalg.norm(d.point_a - d.point_b) == pytest.approx(2.0)
    assert d.point_a[0] == pytest.approx(2.5)
    assert d.feature in ("vertex-face", "face-vertex", "edge-edge")
    assert d.triangle_a >= 0 and d.triangle_b >= 0


def test_distance_of_bodies_that_intersect():
    d = tc.distance(CUBE, FLOOR, at(0.3, 0.1, 0.2, rotvec=(0.1, 0.2, 0.3)))
    assert (d.lower, d.upper, d.distance) == (0, 0, 0)
    assert np.isnan(d.normal).all() and np.isfinite(d.point_a).all()


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("shift", [0.0, 0.5, -0.25])
def test_distance_of_boxes_with_flush_faces(axis, shift):
    """Each pair of triangles meets within rounding only, the boxes by much more."""
    pose = at(*(shift * np.eye(3)[axis]))
    turned = at(0.3, -7.0, 0.1, rotvec=(0.4, 1.0, -2.0))
    for other in (CUBE, SOLID, tc.Mesh(*box())):
        for common in (np.eye(4), turned):
            d = tc.distance(CUBE, other, common @ pose, common)
            assert (d.lower, d.upper, d.distance) == (0, 0, 0)
            assert np.isnan(d.normal).all() and d.feature is None
            assert abs(np.linalg.inv(common @ pose) @ [*d.point_a, 1])[:3].max() < 0.5 + 1e-12
            batch = tc.distance_batch(CUBE, other, [common @ pose], [common])
            assert (batch.lower[0], batch.upper[0]) == (0, 0)
            scene = tc.Scene()
            scene.add("a", CUBE, common @ pose)
            scene.add("b", other, common)
            assert list(scene.distances().upper) == [0]
    slide = tc.Robot(
        [tc.Link("base"), tc.Link("cube", CUBE)],
        [tc.Joint("slide", "prismatic", "base", "cube", axis=np.eye(3)[axis])],
    )
    world = tc.Scene()
    world.add("other", CUBE)
    assert np.ravel(slide.distances([[shift]], world).upper).tolist() == [0]


@pytest.mark.parametrize("inner", [(1.0, 1.0, 1.0), (1.0, 0.5, 0.25)])
def test_distance_of_a_box_within_an_ulp_of_others(inner):
    """What is apart by less than rounding is not said to intersect: beside a box, and within."""
    ulp = 2.0**-52
    small = tc.Mesh(np.asarray(box()[0]) * inner, box()[1])
    beside = tc.distance(small, CUBE, at(0.5 * inner[0] + 0.5 + ulp, 0, 0))
    assert beside.lower <= ulp <= beside.upper < 1e-12
    around = tc.Mesh(np.asarray(box()[0]) * (np.asarray(inner) * (1 + 2 * ulp)), box()[1])
    within = tc.distance(small, around, np.eye(4))
    assert within.lower <= ulp * min(inner) <= within.upper < 1e-12


def test_distance_of_bodies_that_touch():
    d = tc.distance(CUBE, FLOOR, at(0.3, 0.1, 0.5))
    assert d.lower == 0 <= d.upper < 1e-12
    assert np.isnan(d.normal).all()


def test_distance_of_a_body_inside_a_solid():
    inside = tc.distance(SMALL, SOLID, np.eye(4))
    assert (inside.lower, inside.upper, inside.distance) == (0, 0, 0)
    assert np.isnan(inside.point_a).all() and np.isnan(inside.normal).all()
    assert (inside.triangle_a, inside.triangle_b, inside.feature) == (-1, -1, None)
    assert tc.first_contact(SMALL, SOLID, np.eye(4)).status is tc.Status.INITIAL_OVERLAP
    hollow = tc.distance(SMALL, CUBE, np.eye(4))
    assert hollow.lower <= 0.45 <= hollow.upper
    assert tc.distance(SMALL, SOLID, at(1.0, 0, 0)).lower > 0.4


def test_distance_batch_has_the_bits_of_single_calls():
    rng = np.random.default_rng(3)
    poses = np.array([at(*rng.normal(size=3) * 2, rotvec=rng.normal(size=3)) for _ in range(50)])
    other = np.array([at(*rng.normal(size=3) * 0.1) for _ in range(50)])
    for poses_b in (None, other):
        one, four = (tc.distance_batch(CUBE, SOLID, poses, poses_b, threads=n) for n in (1, 4))
        assert len(one) == 50
        for k, pose in enumerate(poses):
            d = tc.distance(CUBE, SOLID, pose, None if poses_b is None else poses_b[k])
            for name in ("lower", "upper", "distance", "point_a", "normal", "triangle_b"):
                assert np.array_equal(getattr(d, name), getattr(one, name)[k], equal_nan=True)
                assert np.array_equal(getattr(four, name)[k], getattr(one, name)[k], equal_nan=True)


def test_box_on_a_floor_lists_its_corners():
    rows = tc.proximities(CUBE, FLOOR, at(2.0, -1.0, 0.51), distance=0.02)
    assert kinds(rows) == ["vertex-face"] * 4
    assert np.allclose(rows.distance, 0.01) and np.allclose(rows.normal, (0, 0, 1))
    assert np.allclose(rows.point_b[:, 2], 0)
    corners = np.asarray(CUBE.vertices)[rows.vertices_a[:, 0]]
    assert np.allclose(rows.point_a, corners + (2.0, -1.0, 0.51))
    assert (rows.vertices_a[:, 1:] == -1).all() and (rows.vertices_b == (0, 1, 2)).all()


def test_box_across_edges_of_a_floor():
    rows = tc.proximities(CUBE, FLOOR, at(0.3, 0.1, 0.51), distance=0.02)
    assert kinds(rows) == ["edge-edge", "edge-edge", *["vertex-face"] * 4]


def test_wide_distance_lists_the_lower_side_only():
    rows = tc.proximities(CUBE, FLOOR, at(2.0, -1.0, 0.51), distance=3.0)
    assert kinds(rows) == ["vertex-face"] * 4


@pytest.mark.parametrize("turned", [False, True])
def test_thin_sheet_lists_its_near_side(turned):
    sheet = slab(4.0, 1e-3)
    place = at(0.3, 0.2, 0.5 + 5e-4 + 1e-4)
    if turned:
        rows = tc.proximities(sheet, CUBE, np.eye(4), place, distance=0.01)
    else:
        rows = tc.proximities(CUBE, sheet, place, distance=0.01)
    assert np.allclose(rows.distance, 1e-4)
    name = "face-vertex" if turned else "vertex-face"
    assert kinds(rows).count(name) == 4


def test_parallel_edges_have_two_points():
    upper = tc.Mesh([[0, 0, 0], [2, 0, 0], [1, 0, 3]], [[0, 1, 2]])
    lower = tc.Mesh([[0, 0, 0], [2, 0, 0], [1, 0, -3]], [[0, 1, 2]])
    rows = tc.proximities(upper, lower, at(0.5, 0.0, 0.1), distance=0.2)
    assert kinds(rows) == ["edge-vertex", "vertex-edge"]
    assert np.allclose(sorted(rows.point_a[:, 0]), (0.5, 2.0))
    same = tc.proximities(upper, lower, at(0.0, 0.0, 0.1), distance=0.2)
    assert kinds(same) == ["vertex-vertex", "vertex-vertex"]


def test_equal_faces_list_their_corners():
    face = tc.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])
    assert kinds(tc.proximities(face, face, at(0, 0, 0.1), distance=0.2)) == ["vertex-vertex"] * 3


def test_triangles_that_pass_through_each_other():
    face = tc.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])
    blade = tc.Mesh([[0.5, 0.5, -1], [0.5, 0.5, 1], [3, 3, 1]], [[0, 1, 2]])
    rows = tc.proximities(blade, face, np.eye(4), distance=0.1)
    surface = rows.kind == tc.FEATURES.index("surface")
    assert surface.sum() == 1
    assert rows.distance[surface] == 0 and np.isnan(rows.normal[surface]).all()
    assert (rows.vertices_a[surface] == (0, 1, 2)).all()


def test_soups_hang_together_by_coordinates():
    vertices, faces = np.asarray(box()[0]), np.asarray(box()[1])
    loose = tc.Mesh(vertices[faces].reshape(-1, 3), np.arange(faces.size).reshape(-1, 3))
    pose = at(0.3, 0.1, 0.51, rotvec=(1e-3, 2e-3, 0.3))
    tight_rows, loose_rows = (
        tc.proximities(mesh, FLOOR, pose, distance=0.1) for mesh in (CUBE, loose)
    )
    assert np.array_equal(tight_rows.point_a, loose_rows.point_a)
    assert np.array_equal(tight_rows.kind, loose_rows.kind)


def test_least_distance_is_listed_first():
    rng = np.random.default_rng(1)
    for _ in range(30):
        pose = at(*rng.normal(size=3) * 1.5, rotvec=rng.normal(size=3))
        d = tc.distance(CUBE, CUBE, pose)
        rows = tc.proximities(CUBE, CUBE, pose, distance=d.upper * 1.5 + 1e-9)
        assert rows.distance[0] == pytest.approx(d.distance, abs=1e-12)
        assert (np.diff(rows.distance) >= 0).all()


def test_scene_lists_all_pairs():
    scene = tc.Scene()
    scene.add("floor", FLOOR)
    scene.add("left", CUBE, at(-2.0, 1.0, 0.51))
    scene.add("right", CUBE, tc.Motion.linear(at(2.0, -1.0, 0.502), at(2.0, -1.0, 9.0)))
    scene.add("far", CUBE, at(0.0, 0.0, 50.0))
    rows = scene.proximities(0.02)
    assert list(zip(rows.body_a, rows.body_b, strict=True)) == [(0, 2)] * 4 + [(0, 1)] * 4
    assert np.allclose(rows.normal, (0, 0, -1))
    scene.ignore("floor", "left")
    assert len(scene.proximities(0.02)) == 4


def arm_of_two():
    """Return a box on a turntable that carries a small one, which slides up and down."""
    arm = tc.Robot(
        [tc.Link("base", CUBE), tc.Link("bare"), tc.Link("hand", SMALL)],
        [
            tc.Joint("turn", "revolute", "base", "bare", at(0, 0, 1.0), axis=(0, 0, 1)),
            tc.Joint("slide", "prismatic", "bare", "hand", at(2.0, 0, 0), axis=(0, 0, 1)),
        ],
    )
    arm.unignore("base", "hand")
    return arm


def test_robot_lists_links_and_bodies():
    arm = arm_of_two()
    world = tc.Scene()
    world.add("floor", FLOOR, at(0, 0, 0.9))
    rows = arm.proximities([np.pi / 2, -0.04], world, distance=0.02)
    hand = arm.link_names.index("hand")
    assert set(zip(rows.body_a, rows.body_b, strict=True)) == {(hand, len(arm.link_names))}
    assert np.allclose(rows.distance, 0.01) and np.allclose(rows.point_a[:, 1].mean(), 2.0)
    near = arm.proximities([np.pi / 2, -1.0], distance=1.5)
    assert set(zip(near.body_a, near.body_b, strict=True)) == {(0, hand)}
    assert np.allclose(near.distance[0], 1.45) and np.allclose(near.normal[0], (0, -1, 0))
    arm.ignore("hand", "floor")
    assert len(arm.proximities([np.pi / 2, -0.04], world, distance=0.02)) == 0


def test_robot_distances_are_those_of_its_pairs():
    arm, rng = arm_of_two(), np.random.default_rng(2)
    world = tc.Scene()
    world.add("floor", FLOOR, at(0, 0, 0.9))
    world.add("far", CUBE, at(0, 0, 30.0))
    Q = rng.uniform(-3, 3, (20, 2))
    one, two = (arm.distances(Q, world, threads=n) for n in (1, 2))
    base, hand = (arm.links[name].mesh for name in ("base", "hand"))
    bodies = {"base": base, "hand": hand, "floor": FLOOR, "far": CUBE}
    places = {"floor": at(0, 0, 0.9), "far": at(0, 0, 30.0)}
    assert one.lower.shape == (20, 5) and one.normal.shape == (20, 5, 3)
    assert one.pairs[0] == ("base", "hand") and ("hand", "far") in one.pairs
    for row, q in enumerate(Q):
        at_q = arm.forward_kinematics(q) | places
        for k, (a, b) in enumerate(one.pairs):
            alone = tc.distance(bodies[a], bodies[b], at_q[a], at_q[b])
            assert one.distance[row, k] == pytest.approx(alone.distance, abs=1e-12)
            if alone.distance > 1e-9:
                assert one.normal[row, k] == pytest.approx(alone.normal, abs=1e-6)
                line = one.point_a[row, k] - one.point_b[row, k]
                assert np.linalg.norm(line) == pytest.approx(alone.distance)
    assert np.array_equal(one.point_a, two.point_a, equal_nan=True)
    near = arm.distances(Q, world, limit=1.5)
    beyond = one.distance >= 1.5
    assert np.isinf(near.distance[beyond]).all() and (near.lower[beyond] == 1.5).all()
    assert np.array_equal(near.distance[~beyond], one.distance[~beyond])
    arm.ignore("hand", "far")
    assert ("hand", "far") not in arm.distances(Q, world).pairs
    assert len(pickle.loads(pickle.dumps(near))) == 20


def test_lengths_of_any_size():
    for scale in (2.0**-300, 2.0**40):
        cube = tc.Mesh(np.asarray(box()[0]) * scale, box()[1])
        pose = at(3.0 * scale, 0.2 * scale, 0.1 * scale)
        assert tc.distance(cube, cube, pose).distance == 2.0 * scale
        rows = tc.proximities(cube, cube, pose, distance=2.5 * scale)
        plain = tc.proximities(CUBE, CUBE, at(3.0, 0.2, 0.1), distance=2.5)
        assert np.array_equal(rows.distance, plain.distance * scale)
        assert np.array_equal(rows.kind, plain.kind)


def test_answers_pickle():
    d = pickle.loads(pickle.dumps(tc.distance(CUBE, CUBE, at(3, 0, 0))))
    assert d.distance == 2.0
    rows = tc.proximities(CUBE, FLOOR, at(2.0, -1.0, 0.51), distance=0.02)
    again = pickle.loads(pickle.dumps(rows))
    assert np.array_equal(again.point_a, rows.point_a) and len(again) == 4
    many = pickle.loads(pickle.dumps(tc.distance_batch(CUBE, CUBE, [at(3, 0, 0)])))
    assert many.lower[0] <= 2.0


def test_bad_input_is_named():
    bent = np.eye(4)
    bent[0, 0] = 2.0
    with pytest.raises(ValueError, match=r"^pose_a: "):
        tc.distance(CUBE, CUBE, bent)
    with pytest.raises(ValueError, match=r"^pose_b: expected shape"):
        tc.distance(CUBE, CUBE, np.eye(4), np.eye(3))
    with pytest.raises(ValueError, match=r"^poses_a: .*row 1"):
        tc.distance_batch(CUBE, CUBE, [np.eye(4), bent])
    with pytest.raises(ValueError, match=r"^poses_b: expected 2"):
        tc.distance_batch(CUBE, CUBE, [np.eye(4)] * 2, [np.eye(4)])
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"^distance: expected a"):
            tc.proximities(CUBE, CUBE, np.eye(4), distance=bad)
    for wrong in ("1", None):
        with pytest.raises(TypeError, match=r"^distance: expected a number, got"):
            tc.proximities(CUBE, CUBE, np.eye(4), distance=wrong)
    with pytest.raises(ValueError, match=r"^b: expected a mesh of triangles"):
        tc.distance(CUBE, tc.surfaces.sphere(1.0), np.eye(4))
    with pytest.raises(ValueError, match=r"^limit: expected"):
        arm_of_two().distances(np.zeros((1, 2)), limit=-1.0)


def test_a_scene_tells_the_distances_of_its_pairs() -> None:
    cube = tc.Mesh(*box())
    scene = tc.Scene()
    places = {
        "a": (0.0, 0.0, 0.0),
        "b": (3.0, 0.0, 0.0),
        "c": (0.0, 1.5, 0.0),
        "d": (9.0, 9.0, 9.0),
    }
    for name, place in places.items():
        away = tc.Motion.linear(tc.pose(place), tc.pose((50.0, 50.0, 50.0)))
        scene.add(name, cube, away if name == "b" else tc.pose(place))
    scene.ignore("b", "c")
    found = scene.distances()
    pairs = [
        (scene.names[i], scene.names[j]) for i, j in zip(found.body_a, found.body_b, strict=True)
    ]
    assert pairs == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "d")]
    for row, (a, b) in enumerate(pairs):
        one = tc.distance(cube, cube, tc.pose(places[a]), tc.pose(places[b]))
        assert (found.lower[row], found.upper[row]) == (one.lower, one.upper)
        np.testing.assert_array_equal(found.point_a[row], one.point_a)
    near = scene.distances(limit=2.5, threads=2)
    assert [
        (scene.names[i], scene.names[j]) for i, j in zip(near.body_a, near.body_b, strict=True)
    ] == [
        ("a", "b"),
        ("a", "c"),
    ]
    np.testing.assert_allclose(near.distance, [2.0, 0.5])
    np.testing.assert_array_equal(near.distance, found.distance[:2])
    assert pickle.loads(pickle.dumps(near)).names == scene.names
    with pytest.raises(ValueError, match="limit: expected"):
        scene.distances(limit=-1.0)


@pytest.mark.parametrize("thin", [1e-3, 1e-5, 1e-6, 1e-7])
def test_the_nearest_corner_of_a_sliver_is_listed(thin):
    # The plane of a needle, rounded, may seem to pass between its own corner and a wall.
    corners = np.array([[0, 0, 0], [1, thin, 0], [0.5, thin, thin], [0.3, 0, 10 * thin]])
    sliver = tc.Mesh(corners, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
    room = tc.Mesh(np.asarray(box()[0]) * 4, np.asarray(box()[1])[:, ::-1])
    rng = np.random.default_rng(0)
    for turn in rng.normal(size=(300, 3)) * 2:
        pose = tc.pose((0, 0, 0), rotvec=turn)
        pose[1, 3] = room.vertices[:, 1].max() - (corners @ pose[:3, :3].T)[:, 1].max() - 1e-3
        least = tc.distance(sliver, room, pose).upper
        near = tc.proximities(sliver, room, pose, distance=2 * least)
        assert len(near.distance) > 0
        assert near.distance.min() <= least * (1 + 1e-9) + 1e-12
