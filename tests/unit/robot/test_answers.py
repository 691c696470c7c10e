"""What queries of robots take and give: any numbers, and fields that are made when asked for."""

from __future__ import annotations

import copy
import pickle
from array import array
from collections.abc import Callable
from dataclasses import astuple, fields, replace
from threading import Thread
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._robot import RobotContact
from toccata.scenes.primitives import box
from toccata.scenes.robots import chain, planar_arm, puma, wires
from toccata.scenes.surface import shifted

START, END = np.array([0.0, 0.25]), np.array([1.0, -0.5])


def post() -> tc.Scene:
    scene = tc.Scene()
    scene.add("post", tc.Mesh(*shifted(box((0.2, 0.2, 1.0)), (1.0, 0.9, 0.0))))
    return scene


def ask(q0: Any = START, q1: Any = END) -> RobotContact:
    return planar_arm().first_contact(q0, q1, post())


def values(contact: RobotContact) -> list[Any]:
    """Return all fields but the work, which has times."""
    return [getattr(contact, f.name) for f in fields(contact) if f.name != "stats"]


def same(one: RobotContact, other: RobotContact) -> bool:
    pairs = zip(values(one), values(other), strict=True)
    return all(np.array_equal(a, b) for a, b in pairs) and len(values(one)) > 15


def between_doubles(q: np.ndarray) -> np.ndarray:
    """Return a copy that does not start at a multiple of eight bytes."""
    room = np.zeros(q.nbytes + 1, dtype=np.uint8)[1:]
    shifted_copy = room.view(np.float64)
    shifted_copy[:] = q
    return shifted_copy


AS: dict[str, Callable[[np.ndarray], Any]] = {
    "list": lambda q: q.tolist(),
    "tuple": lambda q: tuple(q.tolist()),
    "single precision": lambda q: q.astype(np.float32),
    "the other byte order": lambda q: q.astype(q.dtype.newbyteorder()),
    "a column": lambda q: np.column_stack([q, q + 1.0])[:, 0],
    "backwards": lambda q: q[::-1].copy()[::-1],
    "between doubles": between_doubles,
    "read-only": lambda q: np.frombuffer(q.tobytes()),
    "array": lambda q: array("d", q),
    "objects": lambda q: q.astype(object),
}


@pytest.mark.parametrize("kind", AS)
def test_configurations_may_be_of_any_type(kind: str) -> None:
    q0, q1 = (AS[kind](q) for q in (START, END))  # all numbers are exact in single precision
    expected = ask()
    assert expected.status == tc.Status.CONTACT
    assert same(ask(q0, q1), expected)
    robot, world = planar_arm(), post()
    assert robot.motion_is_free(q0, q0, world)
    assert not robot.motion_is_free(q0, q1, world)
    nearest = robot.clearance(q0, q0, world), robot.clearance(START, START, world)
    assert nearest[0].lower == nearest[1].lower > 0


@pytest.mark.parametrize(
    ("q", "message"),
    [
        (None, "expected numbers, got None"),
        ([0.0], r"expected shape \(2,\), got \(1,\)"),
        (np.zeros(3), r"expected shape \(2,\), got \(3,\)"),
        (np.zeros((1, 2)), r"expected shape \(2,\), got \(1, 2\)"),
        (np.zeros(()), r"expected shape \(2,\), got \(\)"),
        (np.zeros(2, dtype=complex), "expected numbers, got complex128"),
        (b"0123456789abcdef", "expected numbers"),
        ("ab", "expected numbers"),
        (np.array([0.0, np.nan]), "expected finite numbers"),
        ([0.0, np.inf], "expected finite numbers"),
        (np.array([0.0, 1e300]), "expected finite numbers below 1e15"),
    ],
)
@pytest.mark.parametrize("query", ["first_contact", "motion_is_free", "clearance"])
def test_invalid_configurations_are_refused_by_name(query: str, q: Any, message: str) -> None:
    question = getattr(planar_arm(), query)
    error = ValueError if np.asarray(q).dtype.kind == "f" else TypeError
    with pytest.raises(error, match=f"^q0: {message}"):
        question(q, END, post())
    with pytest.raises(error, match=f"^q1: {message}"):
        question(START, q, post())


def test_every_field_is_filled_in() -> None:
    for kind in (tc.Contact, RobotContact, tc.StepContacts):
        assert set(kind._fillers) == {field.name for field in fields(kind)}


def test_arguments_may_change_after_a_query() -> None:
    q0, q1, robot, world = START.copy(), END.copy(), planar_arm(), post()
    contact = robot.first_contact(q0, q1, world)
    q0[:], q1[:] = 7.0, 8.0
    world.add("another", tc.Mesh(*box()), tc.pose(translation=(9.0, 9.0, 9.0)))
    robot.ignore("link1", "link2")
    assert same(contact, ask())


def test_a_field_is_computed_once() -> None:
    contact = ask()
    assert contact.point_a is contact.point_a
    assert contact.stats is contact.stats
    assert contact.stats.seconds > 0


def test_copies_are_equal_and_frozen() -> None:
    expected = ask()
    copies = [copy.copy(ask()), copy.deepcopy(ask()), pickle.loads(pickle.dumps(ask()))]
    copies += [replace(ask(), piece=None), RobotContact(*values_in_order(ask()))]
    for one in copies:
        assert type(one) is RobotContact
        assert same(one, expected)
        assert one.stats.pairs_after_hierarchy == expected.stats.pairs_after_hierarchy
        assert len(astuple(one)) == len(fields(one))
        with pytest.raises(AttributeError):
            one.toc = 0.5  # type: ignore[misc]
    with pytest.raises(AttributeError):
        ask().toc = 0.5  # type: ignore[misc]


def values_in_order(contact: RobotContact) -> list[Any]:
    return [getattr(contact, f.name) for f in fields(contact)]


def test_options_may_be_arrays_of_one_number() -> None:
    tolerance = np.array(1e-3)  # cannot be hashed, and may change
    robot, world = planar_arm(), post()
    assert robot.first_contact(START, END, world, tolerance=tolerance).tolerance == 1e-3
    tolerance[()] = 1e-6
    for _ in range(2):
        assert robot.first_contact(START, END, world, tolerance=tolerance).tolerance == 1e-6


def test_answers_compare_by_identity() -> None:
    contact = ask()
    assert contact == contact
    assert contact != ask()
    assert len({contact, ask()}) == 2


def test_unknown_attributes_raise() -> None:
    for answer in (ask(), tc.first_contact(tc.Mesh(*box()), tc.Mesh(*box()), np.eye(4))):
        name = type(answer).__name__
        with pytest.raises(AttributeError, match=f"'{name}' object has no attribute 'tic'"):
            _ = answer.tic  # type: ignore[attr-defined]
        assert not hasattr(answer, "__deepcopy__")


def test_a_free_motion_has_neither_names_nor_configuration() -> None:
    contact = ask(START, START)
    assert not contact
    assert contact.toc == np.inf
    assert (contact.link_a, contact.link_b, contact.piece) == (None,) * 3
    assert np.isnan(contact.normal).all() and np.isnan(contact.q).all()


def test_threads_may_share_an_answer() -> None:
    expected, contacts, seen = ask(), [ask() for _ in range(50)], []

    def read() -> None:
        seen.append(all(same(contact, expected) for contact in contacts))

    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 4


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
def test_the_tolerance_is_that_of_the_answer(method: Any) -> None:
    robot, far = planar_arm(), tc.Scene()
    cube = tc.Mesh(*box((4.0, 4.0, 4.0)))
    far.add("far", cube, tc.pose(translation=(100.0, 0.0, 0.0)))
    radii = sorted(robot.links[name].mesh.radius for name in robot.link_names)
    largest = 1e-6 * max(min(radii[-1], cube.radius), radii[-2])
    nothing_near = robot.first_contact(START, END, far, method=method)
    assert nothing_near.stats.broad_phase_pairs == 0
    assert nothing_near.tolerance == pytest.approx(largest)
    undecided = robot.first_contact(START, END, post(), method=method, budget=1)
    assert undecided.status == tc.Status.UNDECIDED
    assert 0 < undecided.tolerance <= largest
    touching = robot.first_contact(START, END, post(), method=method)
    assert touching.status == tc.Status.CONTACT
    assert 0 < touching.tolerance <= largest
    for world in (far, post()):
        for budget in (1, None):
            asked = robot.first_contact(START, END, world, tolerance=3e-5, budget=budget)
            assert asked.tolerance == 3e-5
    assert robot.first_contact(START, START, tolerance=1e-3).tolerance == 1e-3


def test_robots_scenes_and_answers_are_written_on_one_screen() -> None:
    robot, world = puma(), wires(60)
    robot.ignore("base", "wire3")
    assert repr(robot) == (
        "Robot(6 joints (joint1, joint2, joint3, joint4, joint5, joint6); 7 links with collision"
        " geometry (base, shoulder, upper_arm, forearm, wrist_1, wrist_2, hand);"
        " 15 pairs of links tested, 6 ignored; 1 pair with a body ignored)"
    )
    assert str(robot) == "6 joints, 7 links with collision geometry"
    assert repr(world).startswith("Scene(60 bodies: wire0, wire1, ")
    assert repr(world).endswith("wire9 and 50 more)")
    world.ignore("wire1", "wire2")
    world.add("door" * 99, tc.Mesh(*box()), tc.Motion.linear(np.eye(4), tc.pose((0, 0, 1))))
    assert repr(world).endswith("; 1 on a motion: " + ("door" * 10)[:37] + "...; 1 pairs ignored)")
    assert repr(tc.Scene()) == "Scene(no bodies)"
    stone = tc.Robot([tc.Link("stone", tc.Mesh(*box()))], [])
    assert str(stone) == "0 joints, 1 link with collision geometry"
    assert repr(stone).startswith("Robot(0 joints; 1 link with collision geometry (stone); ")
    snake = chain(200)
    q = np.full(snake.dof, 1.0)
    answers = [
        snake.first_contact(0 * q, q),
        snake.first_contact(q, q),
        snake.first_contact(0 * q, q, budget=1),
        snake.first_contact(0 * q, 0.001 * q),
        snake.first_contact_path([0 * q, 0.001 * q, q]),
    ]
    assert len({found.status for found in answers}) == 4
    for thing in (robot, world, snake, *answers):
        assert len(repr(thing)) < 800 and "\n" not in repr(thing)
    found = repr(answers[-1])
    assert found.startswith("RobotContact(CONTACT, toc=0.") and "piece=1" in found
    assert "link_a='link" in found and "link_b='link" in found and "normal=[" in found


def cart(body: tc.Mesh) -> tc.Robot:
    """Return a body that goes down and up."""
    joint = tc.Joint("lift", "prismatic", "base", "cart", axis=(0, 0, 1))
    return tc.Robot([tc.Link("base"), tc.Link("cart", body)], [joint])


@pytest.mark.parametrize("method", ["auto", "hca", "interval", "adaptive"])
def test_the_default_tolerance_is_that_of_the_smaller_body(method: Any) -> None:
    """A link over a floor a thousand times as large; a point as far as rounding admits."""
    cube, world = tc.Mesh(*box((1.0, 1.0, 1.0))), tc.Scene()
    world.add("floor", tc.Mesh(*box((1000.0, 1000.0, 2.0))), tc.pose((300.0, 200.0, -1.0)))
    for body, least in ((cube, 0.5), (tc.Mesh([[0.0, 0.0, 0.0]], [[0, 0, 0]]), 0.0)):
        robot = cart(body)
        c = robot.first_contact([4.0], [0.0], world, method=method)
        assert c.status is tc.Status.CONTACT
        assert 0 < c.tolerance <= max(1.01e-6 * body.radius, 1e-9)
        assert -1e-11 <= 4 - 4 * c.toc - least <= c.tolerance + 1e-11
        clearance = robot.clearance([4.0], [2.0], world)
        assert clearance.tolerance == pytest.approx(1e-4 * body.radius, abs=1e-9)
        assert clearance.lower <= 2 - least <= clearance.upper + 1e-12
        assert clearance.upper - clearance.lower <= clearance.tolerance
        assert len(robot.contact_intervals([4.0], [0.0], world)) == 1
        assert robot.distances([[4.0]], world).upper[0, 0] == pytest.approx(4 - least)


def test_robots_of_zero_size_need_no_tolerance() -> None:
    point, world = tc.Mesh([[0.0, 0.0, 0.0]], [[0, 0, 0]]), tc.Scene()
    world.add("point", point)
    for robot in (cart(point), tc.Robot([tc.Link("base", point)], [])):
        q = [0.0] * robot.dof
        assert robot.first_contact(q, q, world).status is tc.Status.INITIAL_OVERLAP
        assert robot.first_contact(q, q, world).tolerance > 0
        assert robot.clearance(q, q, world).upper <= robot.clearance(q, q, world).tolerance
