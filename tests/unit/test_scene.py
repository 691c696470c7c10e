"""Many bodies: names, ignored pairs, and the first contact of all pairs without asking them all."""

from __future__ import annotations

from itertools import combinations, product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.shapes import random_pose

import toccata as tc
from toccata.scenes import models

BOX = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
BALL = tc.Mesh(*models.icosphere(0.2, 1))
EYE = np.eye(4)


def row_of_three() -> tc.Scene:
    """A box that flies from the left to the right of two others, at the gaps of 1 and 3."""
    scene = tc.Scene()
    scene.add("flying", BOX, tc.Motion.linear(tc.pose((-4, 0, 0)), tc.pose((0, 0, 0))))
    scene.add("near", BOX, tc.pose((-2, 0, 0)))
    scene.add("far", BOX)
    return scene


def test_a_scene_knows_its_bodies() -> None:
    scene = row_of_three()
    assert len(scene) == 3
    assert "near" in scene and "nobody" not in scene


def test_parts_of_a_file_keep_names_and_places(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    hall = trimesh.Scene()
    for name, x in (("near", 2.0), ("far", 5.0)):
        box = trimesh.creation.box((1.0, 1.0, 1.0))
        hall.add_geometry(box, node_name=name, geom_name=name, transform=tc.pose((x, 0, 0)))
    hall.export(tmp_path / "hall.glb")
    scene = tc.Scene.load(tmp_path / "hall.glb")
    assert len(scene) == 2 and "near" in scene
    scene.add("flying", BOX, tc.Motion.linear(tc.pose((9, 0, 0)), tc.pose((0, 0, 0))))
    c = scene.first_contact(tolerance=1e-6)
    assert (c.body_a, c.body_b) == ("far", "flying")
    assert c.toc == pytest.approx(3 / 9, abs=1e-5)
    with pytest.raises(FileNotFoundError, match=r"none\.glb: no such file"):
        tc.Scene.load(tmp_path / "none.glb")
    (tmp_path / "broken.glb").write_text("no scene")
    with pytest.raises(ValueError, match=r"broken\.glb: expected a glTF file"):
        tc.Scene.load(tmp_path / "broken.glb")


def test_parts_of_a_file_may_be_solids(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    hall = trimesh.Scene()
    place = tc.pose((0.1, 0.2, 0.3), rotvec=(0.4, 0.5, 0.6))
    hall.add_geometry(trimesh.creation.icosphere(3), node_name="ball", transform=place)
    hall.export(tmp_path / "hall.glb")
    for solid, status in ((False, tc.Status.FREE), (True, tc.Status.INITIAL_OVERLAP)):
        scene = tc.Scene.load(tmp_path / "hall.glb", solid=solid)
        scene.add("pea", tc.Mesh([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0)], [(0, 1, 2)]))
        assert scene.first_contact().status is status
    hall.add_geometry(trimesh.Trimesh([(5, 0, 0), (6, 0, 0), (5, 1, 0)], [(0, 1, 2)]), "sheet")
    hall.export(tmp_path / "hall.glb")
    with pytest.raises(ValueError, match=r"hall\.glb, 'sheet': .*closed"):
        tc.Scene.load(tmp_path / "hall.glb", solid=True)


def test_the_first_contact_names_the_bodies() -> None:
    c = row_of_three().first_contact()
    assert c.status is tc.Status.CONTACT
    assert (c.body_a, c.body_b) == ("flying", "near")
    assert c.toc == c.safe_until == pytest.approx(0.25, abs=1e-5)
    assert np.allclose(c.normal, (-1, 0, 0), atol=1e-6), "from body_b to body_a"
    assert 0 < c.stats.broad_phase_pairs <= 3 and c.stats.bv_tests > 0


def test_ignored_pairs_do_not_count_in_either_order() -> None:
    scene = row_of_three()
    scene.ignore("near", "flying")
    c = scene.first_contact()
    assert (c.body_a, c.body_b) == ("flying", "far")
    assert c.toc == pytest.approx(0.75, abs=1e-5)
    scene.ignore("flying", "far")
    assert scene.first_contact().status is tc.Status.FREE


def test_an_empty_scene_is_free() -> None:
    scene = tc.Scene()
    for bodies in range(2):
        c = scene.first_contact()
        assert c.status is tc.Status.FREE and c.toc == inf and c.safe_until == 1.0
        assert c.body_a is None and c.body_b is None and c.stats.broad_phase_pairs == 0
        scene.add(f"body {bodies}", BOX)


def random_scene(seed: int) -> dict[str, tc.Motion]:
    rng = np.random.default_rng(seed)
    paths = {}
    for name in "abcdefg":
        start, end = random_pose(rng, 2.5), random_pose(rng, 2.5)
        make = tc.Motion.linear if rng.integers(2) else tc.Motion.screw
        paths[name] = make(start, end)
    return paths


@pytest.mark.parametrize("separation", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_a_scene_finds_the_best_of_all_pairs(seed: int, separation: float) -> None:
    options: dict[str, Any] = {"tolerance": 1e-6, "separation": separation}
    scene, paths = tc.Scene(), random_scene(seed)
    for name, motion in paths.items():
        scene.add(name, BALL, motion)
    pairs = {
        (x, y): tc.first_contact(BALL, BALL, paths[x], paths[y], **options)
        for x, y in combinations(paths, 2)
    }
    best = min(pairs, key=lambda pair: pairs[pair].toc)
    c = scene.first_contact(**options)
    assert c.status is pairs[best].status
    if c:
        assert c.toc == pytest.approx(pairs[best].toc, abs=1e-5)
        assert (c.body_a, c.body_b) == best
    assert c.stats.broad_phase_pairs <= len(pairs)


def test_random_scenes_are_of_both_kinds() -> None:
    free = 0
    for seed in range(6):
        scene = tc.Scene()
        for name, motion in random_scene(seed).items():
            scene.add(name, BALL, motion)
        free += not scene.first_contact()
    assert 0 < free < 6, "too one-sided to prove anything"


def grid(collide: bool) -> tc.Scene:
    """A thousand balls that tremble in their places; one of them flies into its neighbour's."""
    scene, rng = tc.Scene(), np.random.default_rng(9)
    for k, place in enumerate(product(range(10), repeat=3)):
        start = tc.pose(place)
        end = tc.pose(place + rng.uniform(-0.1, 0.1, 3), rotvec=rng.normal(size=3))
        if collide and k == 555:
            end = tc.pose(np.array(place) + (0.9, 0, 0))
        scene.add(f"ball {k}", BALL, tc.Motion.linear(start, end))
    return scene


def test_the_broad_phase_looks_at_few_pairs() -> None:
    c = grid(collide=True).first_contact()
    assert c.status is tc.Status.CONTACT
    assert (c.body_a, c.body_b) == ("ball 555", "ball 655")
    assert 0.5 < c.toc < 0.9
    assert 0 < c.stats.broad_phase_pairs < 5_000, "nearly half a million pairs exist"
    free = grid(collide=False).first_contact()
    assert free.status is tc.Status.FREE and free.stats.broad_phase_pairs < 5_000


def test_the_end_of_a_motion_counts() -> None:
    scene = tc.Scene()
    scene.add("still", BOX)
    scene.add("fast", BOX, tc.Motion.linear(tc.pose((-101, 0, 0)), tc.pose((-0.5, 0, 0))))
    assert scene.first_contact().toc == pytest.approx(100 / 100.5, abs=1e-6)


def test_options_reach_every_pair() -> None:
    apart = row_of_three().first_contact(separation=0.5, tolerance=1e-3)
    assert apart.toc == pytest.approx(0.125, abs=1e-3) and apart.tolerance == 1e-3
    scarce = row_of_three().first_contact(budget=1)
    assert scarce.status is tc.Status.UNDECIDED and scarce
    assert scarce.toc == scarce.safe_until <= 0.25
    assert scarce.body_a is not None


@pytest.mark.parametrize("separation", [1e37, 1e39, 1e300])
@pytest.mark.parametrize("count", [2, 3, 9])
def test_a_separation_may_be_beyond_all_boxes(separation: float, count: int) -> None:
    scene = tc.Scene()
    for i in range(count):
        start = tc.pose((3 * i, 0, 0))
        moving = tc.Motion.linear(start, tc.pose((3 * i, 1, 0)))
        scene.add(f"box{i}", BOX, moving if i % 2 else start)
    assert scene.first_contact(separation=separation).status is tc.Status.INITIAL_OVERLAP


def test_each_pair_has_the_tolerance_of_its_smaller_body() -> None:
    scene = row_of_three()
    alone = scene.first_contact().tolerance
    assert alone == pytest.approx(1e-6 * BOX.radius)
    scene.add("hall", tc.Mesh(*models.box((100.0, 100.0, 100.0))))
    assert scene.first_contact().tolerance == alone


@pytest.mark.parametrize("method", ["auto", "hca", "c2a", "interval"])
def test_a_ball_on_large_plates_is_as_precise_as_the_ball(method: Any) -> None:
    """Pairs of large bodies do not make the tolerance of others larger."""
    ball, plate = tc.Mesh(*models.icosphere(1.0, 2)), tc.Mesh(*models.box((1000.0, 1000.0, 2.0)))
    scene = tc.Scene()
    scene.add("ball", ball, tc.Motion.linear(tc.pose((100, 50, 5)), tc.pose((100, 50, 1.5))))
    scene.add("plate", plate)
    scene.add("ceiling", plate, tc.pose((0, 0, 500)))
    lowest = np.asarray(ball.vertices)[:, 2].min()
    for c in (
        scene.first_contact(method=method),
        tc.first_contact(ball, plate, scene["ball"].motion, method=method),
    ):
        assert c.tolerance == pytest.approx(1e-6 * ball.radius)
        assert 0 <= 5 - 3.5 * c.toc + lowest - 1 <= c.tolerance + 1e-11
    rows = scene.contacts()
    assert len(rows.toc) == 1 and rows.tolerance[0] == c.tolerance
    scene.move("ball", tc.pose((100, 50, 5)))
    clearance = scene.clearance()
    assert clearance.tolerance == pytest.approx(1e-4 * ball.radius)
    assert clearance.upper - clearance.lower <= clearance.tolerance
    assert clearance.lower <= 4 + lowest <= clearance.upper


def test_a_scene_without_a_pair_to_test_has_the_tolerance_of_a_pair() -> None:
    scene = tc.Scene()
    for i, size in enumerate((1.0, 4.0, 100.0)):
        start, end = tc.pose((1000 * i, 0, 0)), tc.pose((1000 * i, 0, 1))
        body = tc.Mesh(*models.box((size, size, size)))
        scene.add(f"{i}", body, tc.Motion.linear(start, end))
    c = scene.first_contact()
    assert c.status is tc.Status.FREE and c.stats.broad_phase_pairs == 0
    assert c.tolerance == pytest.approx(1e-6 * 2 * 3**0.5)


def test_small_bodies_far_from_the_origin_need_no_tolerance() -> None:
    scene = tc.Scene()
    ball = tc.Mesh(*models.icosphere(0.2, 1))
    scene.add("a", ball, tc.Motion.linear(tc.pose((1e7, 0, 0)), tc.pose((1e7 + 1, 0, 0))))
    scene.add("b", ball, tc.pose((1e7 + 1, 0, 0)))
    assert scene.first_contact().toc == pytest.approx(0.6, abs=0.05)


def test_a_solid_contains_what_starts_inside() -> None:
    scene = tc.Scene()
    scene.add("rock", tc.Mesh(*models.box((4.0, 4.0, 4.0)), solid=True))
    scene.add("fossil", BALL)
    c = scene.first_contact()
    assert c.status is tc.Status.INITIAL_OVERLAP and c.toc == 0
    assert (c.body_a, c.body_b) == ("rock", "fossil")


def test_overlooked_starts() -> None:
    scene = tc.Scene()
    scene.add("floor", BOX)
    scene.add("crate", BOX, tc.Motion.linear(tc.pose((0, 0, 1)), tc.pose((0, 0, 2))))
    assert scene.first_contact().toc == 0
    assert not scene.first_contact(initial="ignore_separating")


def test_bodies_and_names_are_refused() -> None:
    scene = row_of_three()
    with pytest.raises(ValueError, match=r"^name: the scene already has a body named 'near'"):
        scene.add("near", BOX)
    with pytest.raises(ValueError, match=r"^pose_or_motion: expected a Motion or a \(4, 4\) pose"):
        scene.add("new", BOX, 2 * EYE)
    assert "new" not in scene, "what was refused is not added"
    with pytest.raises(ValueError, match=r"^name: expected a body of the scene, got 'nobody'"):
        scene.ignore("near", "nobody")
    with pytest.raises(ValueError, match=r"^name_b: expected a body other than 'near'"):
        scene.ignore("near", "near")
    with pytest.raises(ValueError, match=r"^method: expected one of"):
        scene.first_contact(method="magic")  # type: ignore[arg-type]


def test_descriptions_are_one_printable_line() -> None:
    """Names come from files, and a terminal obeys escape sequences."""
    hostile = "a\x1b[31m\u202e\nScene(no bodies)"
    box = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
    scene = tc.Scene()
    scene.add(hostile, box, tc.Motion.linear(tc.pose(), tc.pose((1, 0, 0))))
    joint = tc.Joint(hostile, "prismatic", "base", hostile)
    robot = tc.Robot([tc.Link("base"), tc.Link(hostile, box)], [joint])
    for text in (repr(scene), repr(robot)):
        assert text.isprintable() and r"a\x1b[31m\u202e\nScene(no bodies)" in text
