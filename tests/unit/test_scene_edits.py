"""Scenes that change: a scene that was edited says the same bits as one that is made anew."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from oracles.shapes import random_pose

import toccata as tc
from toccata._native import core
from toccata._robot.tested import TestedPairs
from toccata.scenes import models
from toccata.view._scene import of_scene

BOX = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
BALL = tc.Mesh(*models.icosphere(0.3, 1))
FLOOR = tc.Mesh(*models.box((9.0, 9.0, 0.1)), solid=True)
MESHES = (BOX, BALL, FLOOR)


def poses(rng: np.random.Generator, count: int, far: float = 2.0) -> Any:
    return np.stack([random_pose(rng, far) for _ in range(count)])


def scene_of(motions: Any) -> tc.Scene:
    scene = tc.Scene()
    for k, motion in enumerate(motions):
        scene.add(f"body {k}", MESHES[k % 3], motion)
    return scene


def told(scene: tc.Scene, **options: Any) -> list[Any]:
    c = scene.first_contact(**options)
    numbers = [c.status, c.toc, c.safe_until, c.tolerance, c.distance, c.triangle_a, c.triangle_b]
    arrays = [c.point_a.tobytes(), c.point_b.tobytes(), c.normal.tobytes()]
    work = [c.stats.bv_tests, c.stats.elementary_tests, c.stats.ca_iterations]
    return [c.body_a, c.body_b, *map(repr, numbers), *arrays, *work]


def test_a_scene_names_its_bodies() -> None:
    motion = tc.Motion.linear(np.eye(4), tc.pose((1, 0, 0)))
    scene = scene_of([np.eye(4), motion])
    assert scene.names == tuple(scene) == ("body 0", "body 1")
    assert scene["body 1"].motion is motion and scene["body 1"].mesh is BALL
    mesh, still = scene["body 0"]
    assert mesh is BOX and (still.pose(0.5) == np.eye(4)).all()
    with pytest.raises(ValueError, match=r"^name: expected a body of the scene, got 'nobody'"):
        scene["nobody"]


@pytest.mark.parametrize("seed", range(5))
def test_moved_scenes_are_as_if_made_anew(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count, far = 7, 3.0
    scene = scene_of(poses(rng, count, far))
    scene.first_contact()
    start, end = poses(rng, count, far), poses(rng, count, far)
    linear, angular = rng.normal(size=(2, count, 3)) * 4
    linear[0] = angular[0] = 0
    zero, twist = np.zeros((count, 3)), tc.Motion.twist
    changes: list[tuple[dict[str, Any], list[Any]]] = [
        ({"end": end}, list(map(tc.Motion.linear, start, end))),
        ({"linear": linear}, list(map(twist, start, linear, zero))),
        ({"angular": angular}, list(map(twist, start, zero, angular))),
        ({"linear": linear, "angular": angular}, list(map(twist, start, linear, angular))),
        ({}, list(start)),
    ]
    for arrays, motions in changes:
        for method in ("auto", "hca"):
            scene.move_all(start, **arrays)
            assert told(scene, method=method) == told(scene_of(motions), method=method)
    spline = tc.Motion.spline([0, 0.4, 1], poses(rng, 3))
    scene.move("body 2", spline)
    motions[2] = spline
    assert told(scene) == told(scene_of(motions))
    assert scene["body 2"].motion is spline
    assert (scene["body 3"].motion.pose(1.0) == tc.Motion.fixed(start[3]).pose(1.0)).all()


def test_arrays_may_change_afterwards() -> None:
    start, end = np.stack([np.eye(4)] * 2), np.stack([np.eye(4)] * 2)
    start[0, 2, 3], end[0, 2, 3] = 4.0, -4.0
    scene = scene_of([np.eye(4)] * 2)
    scene.move_all(start, end)
    before = told(scene)
    start[:], end[:] = np.eye(4), np.eye(4)
    assert told(scene) == told(copy.copy(scene)) == before
    assert scene["body 0"].motion.pose(0.0)[2, 3] == 4.0


def test_edits_in_a_row() -> None:
    rng = np.random.default_rng(3)
    start, end = poses(rng, 6, 4.0), poses(rng, 6, 4.0)
    scene = scene_of(start)
    scene.move_all(start, end)
    scene.remove("body 1")
    scene.add("late", BALL, tc.Motion.linear(end[1], start[1]))
    left = [f"body {k}" for k in (0, 2, 3, 4, 5)]
    assert scene.names == (*left, "late")
    other = tc.Scene()
    for k in (0, 2, 3, 4, 5):
        other.add(f"body {k}", MESHES[k % 3], tc.Motion.linear(start[k], end[k]))
    other.add("late", BALL, tc.Motion.linear(end[1], start[1]))
    assert told(scene) == told(other)
    scene.add("later", BOX, end[1])
    scene.remove("later")
    assert told(scene) == told(other) == told(pickle.loads(pickle.dumps(scene)))


def test_ignored_pairs_come_back() -> None:
    scene = scene_of([tc.Motion.linear(tc.pose((-4, 0, 0)), np.eye(4)), tc.pose((3, 0, 0))])
    scene.add("wall", BOX)
    first = told(scene)
    scene.ignore("wall", "body 0")
    assert not scene.first_contact()
    scene.unignore("body 0", "wall")
    assert told(scene) == first
    with pytest.raises(ValueError, match=r"^name_b: expected a body that 'wall' ignores, got"):
        scene.unignore("wall", "body 0")
    scene.ignore("wall", "body 0")
    scene.remove("wall")
    scene.add("wall", BOX)
    assert scene.first_contact(), "who goes takes along what was ignored of it"


def test_what_rests_is_looked_at_again_when_it_was_moved() -> None:
    scene = scene_of([tc.pose((0, 0, 0)), tc.pose((5, 0, 0))])
    assert not scene.first_contact()
    scene.move("body 1", tc.pose((0.5, 0, 0)))
    assert scene.first_contact().status is tc.Status.INITIAL_OVERLAP
    scene.move_all(np.stack([tc.pose((0, 0, 0)), tc.pose((7, 0, 0))]))
    assert not scene.first_contact()


def test_a_budget_is_for_all_pairs_together() -> None:
    """Bodies that stay take from the same budget, also when they were looked at before."""
    ball = tc.Mesh(*models.icosphere(1.0, 3))
    scene = tc.Scene()
    for k in range(4):  # side by side: the boxes meet, the balls do not
        scene.add(f"ball {k}", ball, tc.pose((1.5 * k, 1.5 * k, 0)))
    scene.add("flying", ball, tc.Motion.linear(tc.pose((-1.5, -1.5, 9)), tc.pose((-1.5, -1.5, 0))))
    full = scene.first_contact()
    assert full.status is tc.Status.FREE
    alone = copy.copy(scene)
    alone.remove("flying")
    spent = next(n for n in range(1, 10_000) if not alone.first_contact(budget=n))
    together = next(n for n in range(spent, 10_000) if not scene.first_contact(budget=n))
    assert together > spent, "the one that moves takes more"
    for budget in (spent, together - 1):
        for _ in range(2):
            assert scene.first_contact(budget=budget).status is tc.Status.UNDECIDED
    assert copy.copy(scene).first_contact(budget=together).status is tc.Status.FREE


def test_threads_may_ask_while_a_scene_moves() -> None:
    """Who asks gets the answer of before or after, never a mixture."""
    rng = np.random.default_rng(4)
    starts, ends = poses(rng, 2, 0.5), [poses(rng, 40, 6.0) for _ in range(2)]
    scene = scene_of(ends[0])
    answers = []
    for _ in range(2):
        scene.move_all(ends[0], ends[1])
        answers.append(told(scene)[:-3])
        ends.reverse()
    assert answers[0] != answers[1] and len(starts) == 2

    def ask(_: int) -> bool:
        return all(told(scene)[:-3] in answers for _ in range(50))

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask, k) for k in range(4)]
        for _ in range(400):
            scene.move_all(ends[0], ends[1])
            ends.reverse()
        assert all(one.result() for one in asked)


SLIDER = tc.Robot(
    [tc.Link("base"), tc.Link("hand", BALL)],
    [tc.Joint("slide", "prismatic", "base", "hand", axis=(1, 0, 0))],
)


@pytest.fixture
def hasty() -> Iterator[None]:
    """Switch between threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def run_beside(queries: list[Callable[[], Any]], edit: Callable[[], None], rounds: int) -> None:
    """Run each query in a thread of its own while this one edits; none may raise."""
    over = threading.Event()

    def repeat(query: Callable[[], Any]) -> None:
        while not over.is_set():
            query()

    with ThreadPoolExecutor(len(queries)) as pool:
        running = [pool.submit(repeat, query) for query in queries]
        try:
            for _ in range(rounds):
                edit()
        finally:
            over.set()
        for one in running:
            one.result()


@pytest.mark.usefixtures("hasty")
def test_a_thread_sees_its_own_edits_while_others_query() -> None:
    scene = tc.Scene()
    for k in range(100):
        scene.add(f"far {k}", BALL, tc.pose((10.0 + k, 0.0, 0.0)))
    wrong = []

    def free() -> bool:
        return SLIDER.motion_is_free([0.0], [0.01], scene)

    def edit() -> None:
        scene.add("obstacle", BALL, tc.pose((0.25, 0.0, 0.0)))
        wrong.append(free())
        scene.move("obstacle", tc.pose((10.1, 0.0, 0.0)))
        wrong.extend([not free(), scene.first_contact().body_b != "obstacle"])
        scene.ignore("far 0", "obstacle")
        wrong.append(bool(scene.first_contact()))
        scene.unignore("far 0", "obstacle")
        wrong.append(scene.first_contact().body_b != "obstacle")
        scene.remove("obstacle")
        wrong.extend([not free(), "obstacle" in scene.names, bool(scene.first_contact())])

    apart = {("far 1", "far 2"): 0.1}
    queries = [
        lambda: (SLIDER.motion_is_free([0.0], [0.01], scene), SLIDER.clearance([0], [1], scene)),
        lambda: (scene.first_contact(), scene.first_contact(separation=apart), repr(scene)),
        lambda: (scene.contacts(), scene.clearance(), scene.distances(0.5), copy.copy(scene)),
    ]
    run_beside(queries, edit, 60)
    assert not any(wrong), f"{sum(wrong)} of {len(wrong)} answers ignore an edit"


@pytest.mark.parametrize("query", ["first_contact", "world"])
def test_an_edit_waits_for_a_scene_that_is_being_built(
    query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The body is added after another thread has read the bodies, before it stores the core."""
    scene = scene_of([tc.pose((9, 0, 0))])
    building, added = threading.Event(), threading.Event()
    made = core.Scene

    def slow(*bodies: Any) -> Any:
        ready = made(*bodies)
        building.set()
        added.wait(0.3)  # in vain if the edit has to wait for us
        return ready

    monkeypatch.setattr(core, "Scene", slow)
    ask = {
        "first_contact": scene.first_contact,
        "world": lambda: SLIDER.motion_is_free([0], [1], scene),
    }[query]
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        assert building.wait(10)
        scene.add("obstacle", BALL, tc.pose((0.5, 0, 0)))
        added.set()
        asked.result()
    assert not SLIDER.motion_is_free([0], [1], scene)
    assert SLIDER.distances([[0]], scene).pairs == (("hand", "body 0"), ("hand", "obstacle"))


@pytest.mark.parametrize("draw", [of_scene, lambda s: of_scene(s, ANSWER)])
def test_views_of_a_scene_that_another_thread_edits(draw: Any) -> None:
    """A body is removed as soon as its name has been listed."""

    class Edited(tc.Scene):
        @property
        def names(self) -> tuple[str, ...]:
            listed = super().names
            if "guest" in scene:
                scene.remove("guest")
            return listed

    scene = Edited()
    scene.add("host", BOX)
    scene.add("guest", BALL, tc.pose((9, 0, 0)))
    draw(scene)
    assert len(scene) == 1, "nothing was removed meanwhile"


ANSWER = scene_of([tc.pose((3, 0, 0)), tc.pose((9, 0, 0))]).first_contact()


def test_no_ignored_pair_of_a_robot_is_lost_between_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two threads that have both read the pairs before either of them writes: one would be lost."""
    robot = copy.copy(SLIDER)
    both, write = threading.Barrier(2), TestedPairs.leave_out

    def slow(pairs: TestedPairs, *reasons: Any) -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.3)  # in vain if the other has to wait for us
        write(pairs, *reasons)

    for edit, tested in ((robot.ignore, False), (robot.unignore, True)):
        both.reset()
        monkeypatch.setattr(TestedPairs, "leave_out", slow)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(edit, ["hand", "hand"], ["a", "b"]))
        monkeypatch.undo()
        assert [robot.tests("hand", other) for other in "ab"] == [tested] * 2


def test_robots_keep_the_world_that_they_ask_about() -> None:
    robot = tc.Robot(
        [tc.Link("base"), tc.Link("hand", BALL)],
        [tc.Joint("slide", "prismatic", "base", "hand", axis=(1, 0, 0))],
    )
    scene = scene_of([tc.pose((3, 0, 0))])
    assert robot.first_contact([0], [4], scene).toc == pytest.approx(0.55, abs=1e-2)
    scene.move("body 0", tc.pose((2, 0, 0)))
    assert robot.first_contact([0], [4], scene).toc == pytest.approx(0.3, abs=1e-2)
    scene.move_all(tc.pose((9, 0, 0))[None])
    assert robot.motion_is_free([0], [4], scene)


def test_bad_edits_are_refused_and_change_nothing() -> None:
    rng = np.random.default_rng(5)
    start, end = poses(rng, 3, 4.0), poses(rng, 3, 4.0)
    scene = scene_of(start)
    scene.move_all(start, end)
    before = told(scene)
    bad: Any = start.copy()
    bad[1, 0, 0] = 2
    nan = np.zeros((3, 3))
    nan[2, 1] = np.nan
    move = scene.move_all
    cases: list[tuple[str, Any]] = [
        (r"^start: expected shape \(n, 4, 4\), got \(4, 4\)", lambda: move(start[0])),
        (r"^start: expected 3 rows, got 2", lambda: move(start[:2])),
        (r"^end: expected 3 rows, got 1", lambda: move(start, end[:1])),
        (r"^start: row 1: expected a rigid pose, got a matrix", lambda: move(bad, end)),
        (r"^end: row 1: expected a rigid pose, got a matrix", lambda: move(start, bad)),
        (r"^linear: expected shape \(n, 3\)", lambda: move(start, linear=[1, 2, 3])),
        (r"^angular: expected finite numbers, got nan \(row 2", lambda: move(start, angular=nan)),
        (r"^end: cannot be combined with linear or angular", lambda: move(start, end, linear=nan)),
        (r"^pose_or_motion: expected a Motion or", lambda: scene.move("body 0", bad[1])),
        (r"^name: expected a body of the scene, got 'x'", lambda: scene.move("x", bad[0])),
        (r"^name: expected a body of the scene, got 'x'", lambda: scene.remove("x")),
        (r"^name: expected a body of the scene, got 'x'", lambda: scene.unignore("body 0", "x")),
    ]  # fmt: skip
    for message, change in cases:
        with pytest.raises(ValueError, match=message):
            change()
        assert told(scene) == before
    wrong: list[tuple[str, Any]] = [
        (r"^name: expected a string, got 3", lambda: scene.add(3, scene["body 0"].mesh)),
        (r"^name: expected a string, got \['x'\]", lambda: scene.remove(["x"])),
        (r"^name: expected a string, got None", lambda: scene.ignore("body 0", None)),
        (r"^name: expected a string, got 1", lambda: scene[1]),
        (r"^mesh: expected a toccata\.Mesh", lambda: scene.add("new", "box.obj")),
        (r"^start: expected numbers, got None", lambda: scene.move_all(None)),
        (r"^pose_or_motion: expected a Motion or", lambda: scene.move("body 0", "away")),
    ]
    for message, change in wrong:
        with pytest.raises(TypeError, match=message):
            change()
        assert told(scene) == before


def test_an_empty_scene_may_be_moved() -> None:
    scene = tc.Scene()
    scene.move_all(np.empty((0, 4, 4)))
    assert not scene.first_contact() and scene.names == ()


# Separations by pair


def test_separations_by_pair() -> None:
    scene = tc.Scene()
    scene.add("flying", BOX, tc.Motion.linear(tc.pose((-4, 0, 0)), tc.pose((0, 0, 0))))
    scene.add("near", BOX, tc.pose((-2, 0, 0)))
    scene.add("far", BOX, tc.pose((3, 0, 0)))
    scene.ignore("near", "far")
    for pair in (("flying", "near"), ("near", "flying"), frozenset(("near", "flying"))):
        c = scene.first_contact(separation={pair: 0.5}, tolerance=1e-4)
        assert c.toc == pytest.approx(0.125, abs=1e-4)
    c = scene.first_contact(separation={("flying", "near"): 0.0, "default": 0.5}, tolerance=1e-4)
    assert c.toc == pytest.approx(0.25, abs=1e-4), "others keep more distance"
    scene.ignore("flying", "near")
    c = scene.first_contact(separation={"default": 2.5}, tolerance=1e-4)
    assert c.toc == pytest.approx(0.875, abs=1e-4) and c.body_b == "far"
    assert told(scene, separation={"default": 2.5}) == told(scene, separation=2.5)
    assert told(scene, separation={}) == told(scene)


@pytest.mark.parametrize(
    ("separation", "message"),
    [
        ({("body 0", "x"): 1.0}, r"^separation, \('body 0', 'x'\): name: expected a body"),
        ({("body 0", "body 0"): 1.0}, r"^separation, .* expected a body other than 'body 0'"),
        ({("body 0", "body 1"): -1.0}, r"^separation, .*: expected a finite number of at least 0"),
        ({"default": np.inf}, r"^separation, 'default': expected a finite number of at least 0"),
        ({"rest": 1.0}, r"^separation: expected pairs of names or 'default', got 'rest'"),
        (
            {("body 0", "body 1"): 1.0, ("body 1", "body 0"): 2.0},
            r"^separation: expected one distance for \('body 1', 'body 0'\), got two",
        ),
        ({("body 2", "body 1"): 1.0}, r"^separation: expected a pair that is tested, got"),
    ],
)
def test_bad_separations_are_refused(separation: Any, message: str) -> None:
    scene = scene_of([np.eye(4)] * 3)
    scene.ignore("body 1", "body 2")
    for ask in (scene.first_contact, scene.contacts):
        with pytest.raises(ValueError, match=message):
            ask(separation=separation)


def test_new_motions_of_all_make_no_objects_for_each() -> None:
    count = 2000
    scene = tc.Scene()
    for k in range(count):
        scene.add(f"body {k}", BALL, tc.pose((k, 0, 0)))
    start = np.stack([tc.pose((k, 0, 0)) for k in range(count)])
    linear = np.full((count, 3), 0.01)
    scene.move_all(start, linear=linear)
    assert not scene.first_contact()
    before = sys.getallocatedblocks()
    scene.move_all(start, linear=2 * linear)
    contact = scene.first_contact()
    assert sys.getallocatedblocks() - before < count / 10
    assert not contact and scene[f"body {count - 1}"].motion.pose(1.0)[0, 3] == count - 1 + 0.02


def test_separations_of_another_question_are_not_remembered() -> None:
    """What rests is remembered with its separations, which the caller may throw away."""
    scene = scene_of([tc.pose((0, 0, 0)), tc.pose((2, 0, 0)), tc.pose((0, 0, 3))])
    fresh = tc.Scene()
    for name in scene.names:
        fresh.add(name, *scene[name])
    for distance in (0.5, 1.5, 0.5, 1.0, 1.5):
        separation: Any = {("body 0", "body 1"): distance}
        assert (
            told(scene, separation=separation)[:5]
            == told(copy.copy(fresh), separation=separation)[:5]
        )
        assert bool(scene.first_contact(separation=dict(separation))) == (distance > 1.2)
