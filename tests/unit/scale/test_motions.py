"""Verdicts of datasets are those of batches, bit by bit, for all robots, questions and options."""

from __future__ import annotations

import json
from math import acos, atan2, hypot
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from oracles import datasets
from oracles.datasets import Inline, random_ends, table, wall, write

import toccata as tc
from toccata import scale
from toccata.scenes import pipes, robots
from toccata.scenes.primitives import box

ROWS = 90


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do all parts in this process: here it is about verdicts."""
    monkeypatch.setattr("toccata.scale._options.executor_of", lambda *_: Inline())


def floating() -> tc.Robot:
    """Return a bar that flies, with a smaller one on a joint."""
    bar, small = (tc.Mesh(*box(size)) for size in ((0.6, 0.2, 0.2), (0.3, 0.1, 0.1)))
    links = [tc.Link("ground"), tc.Link("bar", bar), tc.Link("gap"), tc.Link("small", small)]
    joints = [
        tc.Joint("fly", "floating", "ground", "bar"),
        tc.Joint("reach", "prismatic", "bar", "gap", tc.pose((0, 0, 0.5)), (0, 0, 1)),
        tc.Joint("turn", "revolute", "gap", "small", tc.pose((0.1, 0, 0)), (0, 1, 0)),
    ]
    return tc.Robot(links, joints)


def moving_world() -> tc.Scene:
    scene = wall(1.6)
    ball = tc.Mesh(*box((0.3, 0.3, 0.3)))
    scene.add("passing", ball, tc.Motion.linear(tc.pose((0.9, -2.5, 0)), tc.pose((0.9, 2.5, 0))))
    scene.add("turning", ball, tc.Motion.twist(tc.pose((-1.5, 0.5, 0)), (0, 1, 0), (0, 0, 9)))
    return scene


def two_arms() -> tc.Robot:
    arm = robots.planar_arm()
    other = arm.placed(tc.pose((1.8, 0.6, 0.0), rotvec=(0, 0, 2.5)))
    both = tc.combine({"left": arm, "right": other})
    both.ignore("left/link1", "right/link1")
    return both


CASES: dict[str, tuple[Any, Any, float, dict[str, Any]]] = {
    "planar arm": (robots.planar_arm, wall, 2.0, {}),
    "puma among pipes": (robots.puma, lambda: pipes.pipes(24), 1.5, {"method": "interval"}),
    "puma among wires": (robots.puma, lambda: robots.wires(20), 0.8, {"separation": 0.002}),
    "two arms": (two_arms, lambda: None, 1.5, {"tolerance": 1e-4}),
    "a moving world": (robots.planar_arm, moving_world, 2.6, {"method": "hca"}),
    "padded": (lambda: robots.planar_arm().padded({"link2": 0.05}), wall, 2.0, {}),
    "distances of pairs": (
        robots.planar_arm,
        wall,
        2.2,
        {"separation": {("link2", "wall"): 0.2, "default": 0.01}, "initial": "ignore_separating"},
    ),
    "little budget": (robots.planar_arm, moving_world, 2.6, {"budget": 12}),
    "floating": (floating, wall, 1.3, {"self_contact": True}),
    "snake": (lambda: robots.chain(8), lambda: None, 2.6, {"method": "adaptive"}),
    "a mesh": (robots.planar_arm, lambda: wall()["wall"].mesh, 2.0, {"initial": "resting"}),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    make_robot, make_world, reach, options = CASES[request.param]
    robot, world = make_robot(), make_world()
    q = random_ends(robot, ROWS, seed=3, reach=reach)
    for i, part in enumerate(np.array_split(np.arange(ROWS), 3)):
        write(tmp_path / "motions" / f"{i}.parquet", table(q[:, part], id=part))
    return robot, world, q, options, tmp_path / "motions"


def bits(values: Any) -> bytes:
    return np.ascontiguousarray(values).tobytes()


def test_verdicts_are_those_of_batches(case: Any, tmp_path: Path) -> None:
    robot, world, q, options, source = case
    extras = ("q", "points", "distance")
    target = tmp_path / "out"
    how = {"robot": robot, "world": world, "extras": extras, "rows_per_part": 13}
    summary = scale.check_motions(source, target, **how, **options)
    batch = robot.first_contact_batch(*q, world, threads=2, **options)
    found = scale.load(target)
    assert 0.15 < (batch.status == tc.Status.FREE).mean() < 0.85, "sample too one-sided"
    assert found["status"].dtype == np.int8 and (found["status"] == batch.status).all()
    for name in ("toc", "safe_until", "q", "point_a", "point_b", "normal", "distance"):
        assert bits(found[name]) == bits(getattr(batch, name)), name
    names = (*robot.link_names, *(tc._scene.as_world(world).names))
    assert found.names["link_a"] == found.names["link_b"] == names
    assert (found["link_a"] == batch.link_a).all() and (batch.link_a >= 0).any()
    assert (found["link_b"] == batch.link_b).all()
    assert (found["id"] == np.arange(ROWS)).all()
    counted = np.bincount(batch.status, minlength=4)
    told = summary.counts
    assert [told.free, told.contact, told.initial_overlap, told.undecided] == [
        counted[tc.Status[name]] for name in ("FREE", "CONTACT", "INITIAL_OVERLAP", "UNDECIDED")
    ]
    assert np.isinf(found["toc"][batch.status == tc.Status.FREE]).all()


def test_free_is_what_motion_is_free_says(case: Any, tmp_path: Path) -> None:
    robot, world, q, options, source = case
    known = {name: value for name, value in options.items() if name != "initial"}
    scale.check_motions(source, tmp_path / "out", robot=robot, world=world, ask="free", **known)
    found = scale.load(tmp_path / "out")
    wanted = [robot.motion_is_free(*ends, world, **known) for ends in zip(*q, strict=True)]
    assert list(found) == ["id", "status", "toc", "safe_until"]
    assert ((found["status"] == tc.Status.FREE) == wanted).all() and any(wanted)
    assert (np.isinf(found["toc"]) == wanted).all() and (found["safe_until"] == wanted).all()


def test_clearances_are_those_of_robots(case: Any, tmp_path: Path) -> None:
    robot, world, q, _, source = case
    extras = ("q", "points", "distance")
    how = {"robot": robot, "world": world, "ask": "clearance", "limit": 0.3}
    scale.check_motions(source, tmp_path / "out", **how, extras=extras)
    found = scale.load(tmp_path / "out")
    every = [robot.clearance(*ends, world, limit=0.3) for ends in zip(*q, strict=True)]
    for name in ("lower", "upper", "time", "distance", "q", "point_a", "point_b"):
        assert bits(found[name]) == bits([getattr(one, name) for one in every]), name
    for name in ("link_a", "link_b"):
        told = [found.names[name][code] if code >= 0 else None for code in found[name]]
        assert told == [getattr(one, name) for one in every]
    free = found["status"] == tc.Status.FREE
    assert (free == [one.lower > 0 for one in every]).all() and 0.1 < free.mean() < 0.95


def test_a_robot_in_closed_form(tmp_path: Path) -> None:
    """The arm unfolds against a wall, as in the tests of robots."""
    first, last = 1.4, 0.1
    places = np.linspace(1.0, 1.85, 7)
    for x in places:
        q = np.array([[[1.0, -2.0]]]) * np.array([first, last])[:, None, None]
        source = write(tmp_path / f"{x}" / "motion.parquet", table(q))
        robot, target = robots.planar_arm(), tmp_path / f"out{x}"
        scale.check_motions(source, target, robot=robot, world=wall(x), tolerance=1e-7)
        found = scale.load(target)
        angle = atan2(0.05, 1.9) + acos(x / hypot(1.9, 0.05))
        exact = (first - angle) / (first - last)
        assert exact - 1e-6 <= found["toc"][0] <= exact + 1e-12
        assert found.names["link_a"][found["link_a"][0]] == "link2"
        assert found.names["link_b"][found["link_b"][0]] == "wall"


def test_parts_tell_what_they_are(tmp_path: Path) -> None:
    source = datasets.source_in(tmp_path / "motions")
    how = {"robot": robots.planar_arm(), "world": wall(), "tolerance": 1e-3}
    scale.check_motions(source, tmp_path / "out", **how, rows_per_part=25)
    plan = json.loads((tmp_path / "out" / "_plan.json").read_text())
    for path in (tmp_path / "out").glob("*.parquet"):
        about = json.loads(pq.read_schema(path).metadata[b"toccata"])
        assert about == plan["about"]
        assert about["version"] == tc.__version__ and about["options"] == {"tolerance": "0.001"}
        assert len(about["model"]) == 32 and about["columns"] == {"q0": "q0", "q1": "q1"}
    schema = pads.dataset(tmp_path / "out").schema  # as others read it
    assert schema.field("status").type == pa.int8() and schema.field("toc").type == pa.float64()
    assert pa.types.is_dictionary(schema.field("link_a").type)
    whole = pads.dataset(tmp_path / "out").to_table()
    assert sorted(whole["id"].to_pylist()) == list(range(datasets.ROWS))
    assert whole["toc"].null_count == 0


def test_names_that_links_and_bodies_share_are_told(tmp_path: Path) -> None:
    scene = tc.Scene()
    scene.add("link1", wall()["wall"].mesh)
    source = datasets.source_in(tmp_path / "motions")
    robot = robots.planar_arm()
    scale.check_motions(source, tmp_path / "out", robot=robot, world=scene)
    found = scale.load(tmp_path / "out")
    batch = robot.first_contact_batch(*random_ends(robot, datasets.ROWS), scene)
    assert (found["status"] == batch.status).all()
    told = {found.names["link_b"][code] for code in found["link_b"] if code >= 0}
    assert told == {"link1"}


def test_progress_tells_how_far_it_is(tmp_path: Path) -> None:
    source, told = datasets.source_in(tmp_path / "motions"), []
    how = {"robot": robots.planar_arm(), "world": wall(), "rows_per_part": 30}
    scale.check_motions(source, tmp_path / "out", **how, progress=told.append)
    rows = [progress.done.rows for progress in told]
    assert rows == sorted(rows) and rows[-1] == datasets.ROWS and len(rows) == 5
    assert all(progress.rows == datasets.ROWS and progress.rate > 0 for progress in told)
    assert told[-1].seconds_left == 0 and "120 of 120 rows" in str(told[-1])
    again = scale.check_motions(source, tmp_path / "out", **how, progress=told.append)
    assert len(told) == 5 and again.parts_computed == 0 and "complete: 120 of 120" in str(again)
