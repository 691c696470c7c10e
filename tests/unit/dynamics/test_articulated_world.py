"""Articulated bodies among others: closed forms, dense systems, rest, energy, and states."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.worlds import box, on_floor

import toccata as tc
from toccata.dynamics import ArticulatedBody, World, WorldState

Floats = NDArray[np.float64]
NONE = (0.0, 0.0, 0.0)
LENGTH = 0.3


def limb(length: float = LENGTH) -> tc.Mesh:
    """A rod of 5 cm along -z, from its joint."""
    mesh = box(0.05, 0.05, 0.9 * length)
    return tc.Mesh(mesh.vertices - [0, 0, length / 2], mesh.faces)


def chain(
    count: int, *, hangs: bool = False, axes: Any = ((0, 1, 0),), limit: float = np.inf
) -> tc.Robot:
    """Rods joined by hinges; the first one hangs on the ground, or is the base."""
    names = [f"rod {i}" for i in range(count)]
    links = [tc.Link(name, limb()) for name in names]
    joints = []
    if hangs:
        links.insert(0, tc.Link("ground"))
        names.insert(0, "ground")
    for i, (parent, child) in enumerate(pairwise(names)):
        place = tc.pose((0, 0, 0 if parent == "ground" else -LENGTH))
        limits = {"lower": -limit, "upper": limit}
        joints.append(
            tc.Joint(f"hinge {i}", "revolute", parent, child, place, axes[i % len(axes)], **limits)
        )
    return tc.Robot(links, joints)


def laid(count: int, height: float, gravity: Any = (0, 0, -9.81), **options: Any) -> Any:
    """A floating chain along x."""
    body = ArticulatedBody(chain(count, **options), gravity, floating=True)
    q = body.q
    q[:3] = 0, 0, height
    q[3:7] = 0, np.sin(np.pi / 4), 0, np.cos(np.pi / 4)
    body.q = q
    return body


@pytest.mark.parametrize("restitution", [0.0, 0.25, 0.5, 1.0])
def test_a_pendulum_hits_a_wall(restitution: float) -> None:
    """It comes back with its angular velocity times the coefficient."""
    body = ArticulatedBody(chain(1, hangs=True), NONE)
    body.q, body.v = [-0.3], [4.0]
    world = World(NONE)
    world.add("wall", box(1, 1, 1), tc.pose((-0.6, 0, -0.15)), fixed=True)
    world.add_articulated("p", body, restitution=restitution)
    report = world.step(60)
    assert report.impacts >= 1
    assert body.v[0] == pytest.approx(-4 * restitution, abs=2e-3)
    assert report.least_distance > 0


def jacobian(body: ArticulatedBody, link: str, point: Floats) -> Floats:
    """The velocity of a point of a link by rates, by differences of forward kinematics."""
    robot, q = body.robot, body.q
    seen = np.linalg.inv(robot.forward_kinematics(q)[link]) @ np.append(point, 1)
    columns = []
    for i in range(robot.dof):
        step = np.zeros(robot.dof)
        step[i] = 1e-6
        ends = [(robot.forward_kinematics(q + s * step)[link] @ seen)[:3] for s in (1, -1)]
        columns.append((ends[0] - ends[1]) / 2e-6)
    return np.array(columns).T


def mass_matrix(body: ArticulatedBody) -> Floats:
    """By accelerations: M a = tau, without gravity and at rest."""
    n = body.freedoms
    zero = np.zeros(n)
    free = body.acceleration(body.q, zero, zero)
    columns = [body.acceleration(body.q, zero, unit) - free for unit in np.eye(n)]
    return np.linalg.inv(np.array(columns).T)


def test_a_double_pendulum_against_the_dense_system() -> None:
    """Without friction and restitution, v' = v - M^-1 J^T (J M^-1 J^T)^-1 J v."""
    body = ArticulatedBody(chain(2, hangs=True), NONE)
    body.q, body.v = [-0.2, -0.1], [3.0, 2.0]
    world = World(NONE)
    world.add("wall", box(1, 1, 1), tc.pose((-0.68, 0, -0.55)), fixed=True, friction=0)
    world.add_articulated("p", body, friction=0)
    for _ in range(200):
        before = body.v
        report = world.step()
        if report.impacts:
            break
    assert report.impacts == 1
    normal, point = report.events.normal[0], report.events.point[0]
    a, b = report.events.pairs[0]
    link = a.partition("/")[2] or b.partition("/")[2]
    row = normal @ jacobian(body, link, point)
    inverse = np.linalg.inv(mass_matrix(body))
    impulse = -(row @ before) / (row @ inverse @ row)
    # Half a step of Coriolis forces and of the way to the wall lie between.
    assert body.v == pytest.approx(before + inverse @ row * impulse, rel=0.05)
    assert row @ body.v == pytest.approx(0, abs=1e-2 * abs(row @ before))


@pytest.mark.parametrize(("friction", "restitution"), [(0.5, 0.0), (0.5, 0.5), (0.0, 0.6)])
def test_one_link_that_floats_is_a_free_body(friction: float, restitution: float) -> None:
    mesh, pose = box(0.2, 0.2, 0.2), tc.pose((0, 0, 0.4), rotvec=(0.3, 0.5, 0.1))
    given: dict[str, Any] = {"friction": friction, "restitution": restitution}
    velocity, spin = (1, 0.3, 0), (1, 2, 3)
    free, articulated = on_floor(friction), on_floor(friction)
    free.add("b", mesh, pose, velocity=velocity, angular_velocity=spin, **given)
    body = ArticulatedBody(tc.Robot([tc.Link("b", mesh)], []).placed(pose), floating=True)
    body.v = [*velocity, *spin]
    articulated.add_articulated("r", body, **given)
    for _ in range(60):
        free.step()
        articulated.step()
        assert articulated.poses[1] == pytest.approx(free.poses[1], abs=1e-7)
    assert articulated.energy == pytest.approx(free.energy, rel=1e-6)


def test_momentum_of_two_that_collide_in_flight() -> None:
    """Impulses are equal and opposite: only steps in time change momentum, to second order."""
    errors = []
    for step in (1 / 120, 1 / 480):
        world = World(NONE, step, sleeping=False)
        bodies = [laid(3, 0.0, NONE, axes=((1, 0, 0),)) for _ in range(2)]
        for k, body in enumerate(bodies):
            q, v = body.q, np.zeros(body.freedoms)
            q[1], v[1] = (-0.3, 1.0) if k == 0 else (0.3, -1.0)
            q[0] += 0.4 * k
            body.q, body.v = q, v
            world.add_articulated(f"chain {k}", body, restitution=0.5)
        start = sum(body.momentum for body in bodies)
        report = world.step(round(0.6 / step))
        assert report.impacts > 0
        size = sum(np.abs(body.momentum).sum() for body in bodies)
        assert all(np.abs(body.v[6:]).max() > 0.1 for body in bodies)  # joints were moved
        errors.append(np.abs(sum(body.momentum for body in bodies) - start).max() / size)
    assert errors[0] < 3e-3
    assert errors[1] < errors[0] / 4


def test_impulses_of_an_impact_keep_momentum() -> None:
    """The law of impacts itself, without time: to rounding."""
    world = World(NONE, 1e-4, sleeping=False)
    bodies = [laid(3, 0.0, NONE, axes=((1, 0, 0),)) for _ in range(2)]
    for k, body in enumerate(bodies):
        q, v = body.q, np.zeros(body.freedoms)
        q[1], v[1] = (-0.0252, 1.0) if k == 0 else (0.0252, -1.0)
        q[0] += 0.4 * k
        body.q, body.v = q, v
        world.add_articulated(f"chain {k}", body, restitution=0.5)
    before = [body.momentum for body in bodies]
    report = world.step(10)
    assert report.impacts > 0
    after = [body.momentum for body in bodies]
    assert np.abs(after[0] - before[0]).max() > 0.1
    assert sum(after) == pytest.approx(sum(before), abs=1e-6)


@pytest.mark.parametrize("count", [2, 5, 12])
def test_a_chain_laid_on_the_floor_rests(count: int) -> None:
    world = on_floor()
    body = laid(count, 0.03)
    world.add_articulated("c", body)
    report = world.step(120)
    assert report.stopped == 0
    assert world.asleep[1:].all()
    assert world.poses[1:, 2, 3] == pytest.approx(np.full(count, 0.025), abs=4e-4)
    place = world.poses
    assert world.step(60).substeps == 0
    assert (world.poses == place).all()


def test_who_passes_by_wakes_nobody() -> None:
    world = on_floor()
    body = laid(4, 0.03)
    world.add_articulated("c", body)
    world.add("b", box(0.1, 0.1, 0.1), tc.pose((1, 0.09, 0.0502)), friction=0)
    world.step(120)
    assert world.asleep[1:].all()
    place = body.q
    world.set_velocity("b", (-3, 0, 0))
    for _ in range(100):
        world.step()
        assert world.asleep[1:5].all()
    assert world.poses[5, 0, 3] < -1.3
    assert (body.q == place).all()
    world.set_velocity("b", (3, -0.1, 0))  # and back, into it
    world.step(100)
    assert (body.q != place).any()


def test_contacts_bear_the_weight() -> None:
    world = on_floor(sleeping=False)
    body = laid(4, 0.0253)
    world.add_articulated("c", body)
    world.step(60)
    contacts = world.contacts
    assert {name for pair in contacts.pairs for name in pair} == {"floor", *world.names[1:]}
    signs = [1 if name != "floor" else -1 for name, _ in contacts.pairs]
    lifted = (np.array(signs)[:, None] * contacts.force).sum(axis=0)
    weight = 9.81 * 4 * tc.MassProperties.of(limb()).mass
    assert lifted == pytest.approx([0, 0, weight], abs=1e-3 * weight)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("restitution", [0.0, 0.7, 1.0])
def test_energy_does_not_rise(seed: int, restitution: float) -> None:
    rng = np.random.default_rng(seed)
    world = on_floor(0.3, restitution, sleeping=False)
    body = laid(5, 0.7, axes=((0, 1, 0), (1, 0, 0)))
    body.v = rng.normal(size=body.freedoms) * 2
    world.add_articulated("c", body, restitution=restitution)
    world.add("b", box(0.2, 0.2, 0.2), tc.pose((0.3, 0, 0.2)), restitution=restitution)
    allowed = world.energy
    for _ in range(120):
        report = world.step()
        allowed += report.lift
        assert report.energy <= allowed + 1e-9 * abs(allowed)


def test_links_do_not_pass_through_each_other() -> None:
    """A motor closes a chain to a ring: its ends meet."""
    robot = chain(8, axes=((0, 1, 0),))
    body = ArticulatedBody(robot, NONE, floating=True)
    body.damping = np.r_[np.zeros(6), np.full(7, 0.05)]
    body.tau = np.r_[np.zeros(6), np.full(7, 0.3)]
    world = World(NONE, sleeping=False)
    world.add_articulated("c", body)
    log = world.start_log()
    report = world.step(240)
    assert tc.audit(log.arrays()).status == tc.Status.FREE
    touching = set(report.events.pairs)
    touching |= set(world.contacts.pairs)
    assert touching
    free = ArticulatedBody(robot, NONE, floating=True)
    free.damping, free.tau = body.damping, body.tau
    free.step(1 / 120, n=240)
    assert robot.first_contact(free.q[7:], free.q[7:])  # what would have happened


def test_limits_and_contacts() -> None:
    world = on_floor()
    body = laid(4, 0.5, limit=0.3)
    body.v = np.r_[np.zeros(6), 2.0, -2.0, 1.0]
    world.add_articulated("c", body)
    world.step(240)
    assert np.abs(body.q[7:]).max() < 0.3 + 1e-3
    assert world.asleep[1:].all()


@pytest.mark.parametrize("inside", [True, False])
def test_springs_between_bodies_that_touch_others(inside: bool) -> None:
    """Two boxes that slide on a floor come together as x = 2 cos(w t), each from x = 2."""
    world = on_floor(friction=0, sleeping=False)
    mesh = box(0.2, 0.2, 0.2)
    bodies = []
    for x in (-2.0, 2.0):
        robot = tc.Robot([tc.Link("b", mesh)], []).placed(tc.pose((x, 0, 0.1003)))
        bodies.append(ArticulatedBody(robot, floating=True))
    if inside:
        bodies[0].add_spring("b", "b", body=bodies[1], stiffness=50)
    for name, body in zip("ab", bodies, strict=True):
        if not inside:
            body.add_spring("b", other_point=(0, 0, 0.1003), stiffness=100)
        world.add_articulated(name, body, friction=0)
    world.step(36)
    rate = np.sqrt(2 * 50 / 8)
    assert bodies[1].q[0] == pytest.approx(2 * np.cos(rate * 0.3), rel=2e-3)
    assert bodies[0].q[0] == pytest.approx(-bodies[1].q[0], rel=1e-6)


def test_forces_on_links() -> None:
    """A force on a link accelerates the body as the dense system says."""
    body = ArticulatedBody(chain(2, hangs=True), NONE)
    body.q = [0.3, -0.2]
    world = World(NONE, 1e-4)
    world.add_articulated("p", body)
    force = np.array([2.0, 0.0, 1.0])
    row = list(world.names).index("p/rod 1")
    center = np.array(world.poses[row] @ [0, 0, -LENGTH / 2, 1])[:3]
    expected = np.linalg.inv(mass_matrix(body)) @ jacobian(body, "rod 1", center).T @ force
    world.apply("p/rod 1", force)
    world.step()
    assert body.v / 1e-4 == pytest.approx(expected, rel=1e-3)


def test_contacts_make_joints_active() -> None:
    """A chain of which one joint is simulated falls on a step, and gives way there."""
    bodies = {}
    for active in (None, 1):
        world = on_floor(sleeping=False)
        world.add("step", box(0.2, 0.2, 0.2), tc.pose((0, 0, 0.101)), fixed=True)
        body = laid(6, 0.5)
        world.add_articulated("c", body, active=active)
        log = world.start_log()
        world.step(2)
        assert active is None or body.active.sum() <= 2  # the base is one
        world.step(80)
        assert tc.audit(log.arrays()).status == tc.Status.FREE
        groups = log.arrays()["groups"]
        assert (groups[:, [i for i, name in enumerate(log.names) if name == "floor"]] == -1).all()
        bodies[active] = body
        links = [i for i, name in enumerate(log.names) if name.startswith("c/")]
        assert len(set(groups[1, links])) == (6 if active is None else 2)
    assert np.abs(bodies[1].q[7:]).max() > 0.1


def test_given_joints_stay_as_they_are() -> None:
    world = on_floor()
    body = laid(4, 0.2)
    body.q = body.q + np.r_[np.zeros(7), 0.3, 0.4, 0.5]
    world.add_articulated("c", body, active=["hinge 1"])
    world.step(20)
    world.save()
    world.step(80)
    assert body.q[[7, 9]] == pytest.approx([0.3, 0.5], abs=1e-12)
    assert body.q[8] != pytest.approx(0.4, abs=1e-3)


@pytest.mark.parametrize("active", [None, 2, ["hinge 1"]])
def test_states_go_on_bit_by_bit(active: Any) -> None:
    def made() -> tuple[World, ArticulatedBody]:
        world, body = on_floor(), laid(4, 0.3, axes=((0, 1, 0), (1, 0, 0)))
        body.v = np.r_[np.zeros(6), 1.0, 2.0, 3.0]
        world.add_articulated("c", body, active=active)
        world.add("b", box(0.2, 0.2, 0.2), tc.pose((0.3, 0, 0.12)))
        return world, body

    (world, body), (again, other) = made(), made()
    world.step(25)
    state = pickle.loads(pickle.dumps(world.save()))
    world.step(30)
    again.restore(state)
    again.step(30)
    assert (body.q == other.q).all()
    assert (body.v == other.v).all()
    assert (world.poses == again.poses).all()


def test_changed_states_are_checked_like_starts() -> None:
    """Of articulated bodies: their configuration counts, whatever a state says of their links."""
    world, body = on_floor(), laid(2, 0.3)
    world.add_articulated("c", body)
    world.step(3)
    state, before = world.save(), body.q
    first = 2 + 28 * len(world)  # the configuration, after the world and its bodies
    assert (state.numbers[first : first + len(before)] == before).all()

    def changed(place: Any, value: Any) -> WorldState:
        numbers = state.numbers.copy()
        numbers[place] = value
        return replace(state, numbers=numbers)

    for place in range(first, len(state.numbers)):
        with pytest.raises(ValueError, match=r"state of 'c': expected finite numbers, got nan"):
            world.restore(changed(place, np.nan))
    with pytest.raises(ValueError, match="state of 'c': expected quaternions of some length"):
        world.restore(changed(slice(first + 3, first + 7), 0.0))
    assert (body.q == before).all()
    world.restore(changed(first + 2, 0.0))
    with pytest.raises(ValueError, match="'c/rod 0' and 'floor'"):
        world.step()
    world.restore(changed(first + 2, 0.5))
    assert world.poses[1][2, 3] == pytest.approx(0.5)
    world.step()
    world.restore(state)
    assert (body.q == before).all()
    other = on_floor()
    other.add_articulated("c", laid(2, 0.3, limit=1.0))
    other.restore(state)  # limits are no part of a body
    other = on_floor()
    other.add_articulated("c", laid(2, 0.3, axes=((1, 0, 0),)))
    with pytest.raises(ValueError, match="another mesh, mass or kind of 'c/rod 0'"):
        other.restore(state)


def heap_of_chains(order: Any = ("floor", "0", "1", "2", "3"), threads: int = 1) -> World:
    """Chains that fall on each other, of half of which few joints are active."""
    world = World(threads=threads)
    for name in order:
        if name == "floor":
            world.add("floor", box(20, 20, 1), tc.pose((0, 0, -0.5)), fixed=True)
            continue
        body = laid(4, 0.1 + 0.1 * int(name), axes=((0, 1, 0), (1, 0, 0)))
        q = body.q
        q[1] = 0.02 * int(name)
        body.q = q
        world.add_articulated(name, body, active=2 if int(name) % 2 else None, restitution=0.2)
    return world


def test_the_order_does_not_matter() -> None:
    one, two = heap_of_chains(), heap_of_chains(("2", "1", "floor", "3", "0"), threads=2)
    one.step(60)
    two.step(60)
    poses = dict(zip(two.names, two.poses, strict=True))
    for name, pose in zip(one.names, one.poses, strict=True):
        assert (pose == poses[name]).all()


def test_a_body_that_is_put_elsewhere() -> None:
    world = on_floor()
    body = laid(2, 0.3)
    world.add_articulated("c", body)
    log = world.start_log()
    world.step(3)
    q = body.q
    q[2] = 0.0
    body.q = q
    with pytest.raises(ValueError, match="'c/rod 0' and 'floor'"):
        world.step()
    q[2] = 0.5
    body.q = q
    world.step()
    assert len(log) == 4  # it ended
    assert world.poses[1][2, 3] == pytest.approx(0.5, abs=5e-3)


def test_ignored_bodies_are_passed() -> None:
    robot = chain(1)
    robot.ignore("rod 0", "floor")
    world = on_floor()
    body = ArticulatedBody(robot, floating=True)
    world.add_articulated("c", body)
    log = world.start_log()
    world.step(10)
    assert body.q[2] < 0
    assert tc.audit(log.arrays()).status == tc.Status.FREE


def test_removed() -> None:
    world = on_floor()
    world.add("b", box(0.1, 0.1, 0.1), tc.pose((0, 0, 0.5)))
    body = laid(2, 0.2)
    world.add_articulated("c", body)
    world.add_articulated("a", laid(3, 0.8))
    assert world.names[2:4] == ("c/rod 0", "c/rod 1")
    assert world.articulated["c"] is body
    world.step(30)
    world.remove("c")
    assert set(world.articulated) == {"a"}
    world.step(30)
    assert len(world) == 5


def test_refused() -> None:
    world = on_floor()
    body = laid(2, 0.2)
    world.add_articulated("c", body)
    for call, message in (
        (lambda: world.add_articulated("c", laid(2, 0.5)), "name: the world already has"),
        (
            lambda: world.add_articulated("d", body),
            "body: this articulated body is already in the world",
        ),
        (
            lambda: world.add_articulated("d", laid(2, 1, NONE)),
            "body: expected a body with the gravity",
        ),
        (lambda: world.add("c/rod 0", box(1, 1, 1)), "name: the world already has"),
        (lambda: world.remove("c/rod 0"), "name: expected a body, got 'c/rod 0', a link of .* 'c'"),
        (lambda: world.move("c/rod 0", np.eye(4)), "name: expected a body, got .*, a link"),
        (lambda: world.set_velocity("c/rod 0", (1, 0, 0)), "name: expected a body, got .*, a link"),
        (lambda: world.apply("c", (1, 0, 0)), "name: expected a link, got 'c'"),
        (lambda: world.add_articulated("d", laid(2, 1), active=-1), "active: expected a number"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    bare = tc.Robot([tc.Link("a"), tc.Link("b")], [tc.Joint("j", "revolute", "a", "b")])
    mass = tc.MassProperties(1.0, (0, 0, -1), np.eye(3))
    massive = ArticulatedBody(bare, inertias={"b": mass})
    with pytest.raises(ValueError, match="body: expected a link with a mesh that a joint moves"):
        world.add_articulated("d", massive)


def test_a_log_that_was_changed_is_refused() -> None:
    world = on_floor()
    world.add_articulated("c", laid(2, 0.2))
    log = world.start_log()
    world.step(5)
    arrays = log.arrays()
    arrays["poses"] = arrays["poses"].copy()
    arrays["poses"][3, list(log.names).index("c/rod 1"), 0, 3] += 0.01
    with pytest.raises(
        ValueError, match=r"^poses: row 3 does not agree with the configurations q_0$"
    ):
        tc.audit(arrays)


def test_a_log_keeps_solid_links() -> None:
    world = World(NONE)
    rod = tc.Mesh(limb().vertices, limb().faces, solid=True)
    body = ArticulatedBody(tc.Robot([tc.Link("rod 0", rod)], []), NONE, floating=True)
    world.add_articulated("c", body)
    log = world.start_log()
    world.step(2)
    arrays = log.arrays()
    small = box(0.01, 0.01, 0.01)
    count, at = len(log.names), list(log.names).index("c/rod 0")
    poses = np.concatenate((arrays["poses"], arrays["poses"][:, [at]]), axis=1)
    for name in ("robot_of", "carrier"):
        arrays[name] = np.append(arrays[name], -1)
    arrays["place"] = np.concatenate((arrays["place"], np.eye(4)[None]))
    arrays |= {"names": [*log.names, "inside"], "poses": poses}
    arrays |= {f"vertices_{count}": small.vertices, f"faces_{count}": small.faces}
    assert tc.audit(arrays).status == tc.Status.INITIAL_OVERLAP
    del arrays[f"solid_{at}"]
    assert tc.audit(arrays).status == tc.Status.FREE


def test_an_audit_follows_joints() -> None:
    """A rod that turns by a quarter sweeps a disk; its center moved straight, it would not."""
    body = ArticulatedBody(chain(1, hangs=True), NONE)
    body.q, body.v = [0.0], [np.pi / 2]
    world = World(NONE, 1.0)
    world.add_articulated("p", body)
    small = box(0.01, 0.01, 0.01)
    world.add("on the arc", small, tc.pose(0.195 * np.array([-1, 0, -1])), fixed=True)
    log = world.start_log()
    world.step()
    assert body.q[0] < np.pi / 4  # the pebble is in the way
    arrays = log.arrays()
    assert tc.audit(arrays).status == tc.Status.FREE
    rows = np.array([[0.0], [np.pi / 2]])
    frames = [body.robot.forward_kinematics(q)["rod 0"] for q in rows]
    link = list(log.names).index("p/rod 0")
    poses = arrays["poses"][[0, -1]].copy()
    poses[:, link] = frames @ arrays["place"][link]
    through = arrays | {"times": np.array([0.0, 1.0]), "poses": poses, "q_0": rows}
    assert tc.audit(through).status == tc.Status.CONTACT
    del through["robot_of"]
    assert tc.audit(through).status == tc.Status.FREE  # another motion


@pytest.mark.parametrize("rate", [3000.0, 1e6])
def test_a_joint_that_turns_many_times_in_a_step_goes_on(rate: float) -> None:
    """A rotor on a carriage that moves on; another rotor and a floor are out of its reach."""
    blade, block = box(0.4, 0.05, 0.05), box(0.1, 0.1, 0.1)
    links = [tc.Link("base"), tc.Link("carriage", block), tc.Link("rotor", blade)]
    joints = [
        tc.Joint("along", "prismatic", "base", "carriage", axis=(1, 0, 0), lower=-9, upper=9),
        tc.Joint("turn", "continuous", "carriage", "rotor", tc.pose((0, 0, 0.1)), axis=(0, 0, 1)),
    ]
    world = World(NONE, sleeping=False)
    world.add("floor", box(5, 5, 1), tc.pose((0, 0, -1)), fixed=True)
    body = ArticulatedBody(tc.Robot(links, joints), NONE)
    body.v = [1.0, rate]
    world.add_articulated("r", body)
    report = world.step(30)
    assert (report.stopped, report.truncated) == (0, 0)
    assert body.v == pytest.approx((1.0, rate), rel=1e-9)
    assert body.q[0] == pytest.approx(0.25, abs=1e-9)
