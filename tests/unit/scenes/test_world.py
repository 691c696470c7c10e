"""Scenes of simulations: closed models, nothing in contact at the start, the same every time."""

from collections.abc import Callable
from math import pi

import numpy as np
import pytest

import toccata as tc
from toccata.scenes import _piles as piles
from toccata.scenes import models
from toccata.scenes._world_scene import WorldScene, random_turns
from toccata.scenes.surface import MeshArrays
from toccata.scenes.worlds import make_world, mass_properties
from toccata_bench.scenes import hare, mechanisms, thrown, worlds

SMALL = {"bunnies": 3, "bunny-dynamics": 2, "heap": 30}
"""Fewer bodies where the default takes long."""


@pytest.fixture(autouse=True)
def own_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests to models made by code, wherever they run."""
    monkeypatch.setattr(hare, "bunny", lambda: None)
    hare.hare.cache_clear()


def build(name: str) -> WorldScene:
    return worlds.get(name, **({"bodies": SMALL[name]} if name in SMALL else {}))


@pytest.mark.parametrize("name", worlds.names())
def test_nothing_is_in_contact_at_the_start(name: str) -> None:
    made = build(name)
    assert made.name == name and made.why.endswith(".")
    scene = made.scene()
    near = scene.proximities(1e-4)
    assert len(near) == 0, [
        (scene.names[a], scene.names[b]) for a, b in zip(near.body_a, near.body_b, strict=True)
    ]


@pytest.mark.parametrize("name", worlds.names())
def test_world_is_the_same_every_time(name: str) -> None:
    first, second = build(name), build(name)
    assert list(first.bodies) == list(second.bodies)
    for name in first.robots:
        assert first.robots[name].q.tobytes() == second.robots[name].q.tobytes()
    for a, b in zip(first.bodies.values(), second.bodies.values(), strict=True):
        assert a.pose.tobytes() == b.pose.tobytes()
        assert a.mesh[0].tobytes() == b.mesh[0].tobytes()
        assert (a.velocity, a.angular_velocity) == (b.velocity, b.angular_velocity)


@pytest.mark.parametrize("name", worlds.names())
def test_moving_bodies_are_closed_and_weigh_something(name: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    made = build(name)
    moving = [body for body in made.bodies.values() if not body.fixed]
    assert moving or made.robots
    for mesh, body in {id(body.mesh): (body.mesh, body) for body in moving}.values():
        solid = trimesh.Trimesh(*mesh, process=False)
        assert solid.is_watertight and solid.is_winding_consistent and solid.volume > 0
        assert mass_properties(body).mass > 0


@pytest.mark.parametrize(
    ("made", "count"),
    [
        (lambda: piles.torus(*piles.RING, 15, 8), 240),
        (lambda: hare.own_hare(6_000), 6_000),
        (lambda: hare.own_hare(26_400), 26_400),
    ],
)
def test_models_have_their_counts(made: Callable[[], MeshArrays], count: int) -> None:
    assert len(made()[1]) == count


def test_heap_grows_in_area_and_not_in_height() -> None:
    tops, sides = [], []
    for bodies in (50, 200, 800):
        made = piles.heap(bodies)
        places = np.array([body.pose[:3, 3] for body in made.bodies.values() if body.moves])
        assert len(places) == bodies
        tops.append(places[:, 2].max())
        sides.append(np.ptp(places[:, 0]) + 0.6)
    assert np.ptp(tops) < 0.7
    assert sides[2] / sides[0] == pytest.approx(4.0, rel=0.2)


def test_seed_changes_a_heap() -> None:
    poses = [piles.heap(5, seed).bodies["ring0"].pose for seed in (0, 1)]
    assert not np.allclose(*poses)
    turns = random_turns(3, 1_000)
    assert np.linalg.norm(turns, axis=1).max() <= pi
    assert np.abs(turns.mean(axis=0)).max() < 0.2


def test_nut_turns_on_its_bolt_and_does_not_slide() -> None:
    bolt, nut = tc.Mesh(*mechanisms.bolt()), tc.Mesh(*mechanisms.nut())
    start = tc.pose((0, 0, 0.05))
    down = tc.Motion.twist(start, linear=(0, 0, -0.0025), angular=(0, 0, -pi / 2))
    assert not tc.first_contact(nut, bolt, down, separation=1e-4, tolerance=1e-5)
    assert tc.first_contact(
        nut, bolt, tc.Motion.twist(start, linear=(0, 0, -0.002), angular=(0, 0, 0))
    )
    assert tc.first_contact(nut, bolt, tc.Motion.twist(start, linear=(0, 0, 0), angular=(0, 0, 2)))


def test_gears_run_together_and_hold_each_other() -> None:
    gear = tc.Mesh(*mechanisms.spur_gear())
    made = mechanisms.gear_box(2)
    a, b = made.bodies["gear0"].pose, made.bodies["gear1"].pose
    spin = [
        tc.Motion.twist(pose, linear=(0, 0, 0), angular=(0, 0, w)) for pose, w in ((a, 1), (b, -1))
    ]
    assert not tc.first_contact(gear, gear, *spin, separation=1e-4, tolerance=1e-5)
    assert tc.first_contact(gear, gear, spin[0], tc.Motion.fixed(b))


def test_ball_passes_the_sheet_between_two_steps() -> None:
    made = thrown.ball_and_sheet()
    ball = made.bodies["ball"]
    way = np.array(ball.velocity) * made.step
    assert way[2] < -4 * 0.1
    meshes = made.meshes()
    fall = tc.Motion.linear(tc.pose((0, 0, 0.25)), tc.pose(np.array([0, 0, 0.25]) + way))
    assert tc.first_contact(meshes["ball"], meshes["sheet"], fall)
    for t in (0.0, 1.0):
        assert tc.distance(meshes["ball"], meshes["sheet"], fall.pose(t)).lower > 0.1


def test_car_weighs_what_a_car_weighs() -> None:
    body = thrown.bouncing_car().bodies["car"]
    found = mass_properties(body)
    assert found.mass == thrown.CAR_MASS
    own = tc.MassProperties.of(tc.Mesh(*body.mesh))
    assert np.allclose(found.inertia / found.mass, own.inertia / own.mass)


def test_coarser_mesh_keeps_its_shape() -> None:
    ball = models.icosphere(1.0, 5)
    vertices, faces = hare.clustered(ball, 0.2)
    assert 200 < len(faces) < 4_000
    assert np.linalg.norm(vertices, axis=1) == pytest.approx(1.0, abs=0.05)
    assert hare.clustered(ball, 1e-3)[1].shape == ball[1].shape


def test_real_bunny_is_made_coarser(monkeypatch: pytest.MonkeyPatch) -> None:
    if (model := hare.bunny()) is None:
        pytest.skip("the Stanford bunny is not at hand: TOCCATA_DATA names the folder of meshes")
    monkeypatch.setattr(hare, "bunny", lambda: model)
    hare.hare.cache_clear()
    assert len(hare.hare(6_000)[1]) == pytest.approx(6_000, rel=0.02)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("heaps", {}, "name: expected one of bunnies, .*, got 'heaps'"),
        ("nut", {"bodies": 3}, "bodies: expected an option of 'nut', which has none"),
        ("heap", {"bodies": 0}, "bodies: expected 1 or more, got 0"),
        ("heap", {"seed": -1}, "seed: expected 0 or more, got -1"),
    ],
)
def test_unknown_worlds_and_options_are_refused(
    name: str, given: dict[str, int], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        worlds.get(name, **given)


def test_gear_that_is_driven_turns_the_next_one() -> None:
    scene = worlds.get("gears", bodies=2)
    world = make_world(scene)
    assert world.names == tuple(scene.bodies)
    world.step(6)
    spins = dict(zip(world.names, world.velocities[:, 5], strict=True))
    assert spins["gear1"] == pytest.approx(-2.0, abs=0.5)


def test_world_starts_where_its_scene_does() -> None:
    scene = worlds.get("bunnies", bodies=2)
    world = make_world(scene)
    assert np.allclose(world.poses, [body.pose for body in scene.bodies.values()], atol=1e-12)
    bunny = world.names.index("bunny1")
    assert np.allclose(world.velocities[bunny][:3], scene.bodies["bunny1"].velocity)
    own = mass_properties(scene.bodies["bunny1"])
    falling = own.mass * 9.81 * (scene.bodies["bunny1"].pose @ [*own.center, 1.0])[2]
    assert world.energy > falling > 0
    assert isinstance(world.meshes["bunny0"], tc.Mesh)
    assert world.meshes["bunny0"] is world.meshes["bunny1"]
