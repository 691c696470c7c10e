"""The benchmark of dynamics must be right before it is fast: audits, engines, goals."""

from __future__ import annotations

import json
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._cli import main
from toccata.scenes._piles import heap
from toccata.scenes.primitives import icosphere
from toccata.scenes.worlds import WorldScene, make_world
from toccata_bench.dynamics import command, flight, goals, hand, peers, simulate, tables
from toccata_bench.dynamics.frames import Principal, principals, quaternion
from toccata_bench.scenes import worlds
from toccata_bench.verify import WrongAnswer

ENGINES = list(peers.ENGINES)


def engine_or_skip(name: str, scene: WorldScene) -> peers.Engine:
    module, pieces, make = peers.ENGINES[name]
    pytest.importorskip(module)
    return make(scene, pieces)


# Bodies as other engines take them


def test_principal_axes_keep_mass_and_shape() -> None:
    body = worlds.get("bouncing-car").bodies["car"]
    part = Principal.of(body)
    again = tc.MassProperties.of(tc.Mesh(*part.mesh))
    assert np.allclose(again.center, 0.0, atol=1e-9)
    assert np.allclose(again.inertia / again.mass, np.diag(part.moments) / part.mass, atol=1e-9)
    assert np.linalg.det(part.frame[:3, :3]) == pytest.approx(1.0)
    back = part.mesh[0] @ part.frame[:3, :3].T + part.frame[:3, 3]
    assert np.allclose(back, body.mesh[0])


def test_equal_bodies_share_their_parts() -> None:
    parts = principals(heap(5))
    assert parts["ring0"] is parts["ring4"] and len(parts["ring0"].pieces) == 15
    assert np.array_equal(parts["floor"].frame, np.eye(4)) and parts["floor"].mass == 0.0


def test_quaternions_are_those_of_rotations() -> None:
    rng = np.random.default_rng(3)
    for turn in (*rng.normal(size=(20, 3)), (pi, 0, 0), (0, 0, 0), (0, pi / 2, 0)):
        rotation = tc.pose(rotvec=turn)[:3, :3]
        assert np.allclose(tc.pose(quat_xyzw=quaternion(rotation))[:3, :3], rotation)


@pytest.mark.parametrize("name", ENGINES)
def test_engine_starts_where_the_scene_does_and_falls(name: str) -> None:
    scene = heap(3)
    engine = engine_or_skip(name, scene)
    starts = np.array([body.pose for body in scene.bodies.values()])
    assert np.allclose(engine.poses(), starts, atol=1e-9)
    for _ in range(12):
        engine.step()
    moved = engine.poses()
    fallen = starts[5, 2, 3] - moved[5, 2, 3]
    assert fallen == pytest.approx(9.81 * 0.1**2 / 2, rel=0.1)  # 12 steps of 1/120 s
    assert np.allclose(moved[:5], starts[:5])
    assert engine.depths() == []
    engine.close()


@pytest.mark.parametrize("name", ENGINES)
def test_engine_spins_bodies_about_their_centers(name: str) -> None:
    scene = worlds.get("bunnies", bodies=1)
    engine = engine_or_skip(name, scene)
    engine.step()
    body = scene.bodies["bunny0"]
    turned = engine.poses()[1][:3, :3] @ body.pose[:3, :3].T
    axis = np.array(
        [turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]
    )
    assert axis / 2 == pytest.approx(
        np.array(body.angular_velocity) * scene.step, rel=0.1, abs=2e-3
    )
    engine.close()


def test_engine_that_lets_bodies_through_is_found_out() -> None:
    pytest.importorskip("pybullet")
    found = peers.measure_peers(worlds.get("sheet"), 6)
    assert found["pybullet, hulls"]["tunnelling"] == 1
    assert "pybullet, pieces" not in found


def test_engines_that_are_missing_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "optional", lambda _: None)
    assert peers.measure_peers(heap(1), 1) == {}


def test_audit_counts_pairs_up_to_a_blow_up() -> None:
    scene = heap(1)
    rest = np.array([body.pose for body in scene.bodies.values()])
    sunk, lost = rest.copy(), rest.copy()
    sunk[-1, 2, 3] = 0.0
    lost[-1, 0, 3] = np.nan
    assert sum(peers.audited(scene, np.array([rest, rest, rest])).values()) == 0
    assert peers.audited(scene, np.array([rest, sunk, rest]))["penetration"] == 1
    assert peers.audited(scene, np.array([rest, sunk, lost, rest]))["penetration"] == 1


# Our worlds


def test_world_is_measured_after_its_audit() -> None:
    found = simulate.measure_world(heap(4), 30, limit=60.0)
    assert (found["bodies"], found["moving"], found["steps"]) == (9, 4, 30)
    assert found["least_distance"] > 0 and found["energy_drift"] < 1e-3
    assert found["step_ms"] > 0 and found["substeps_per_step"] >= 1
    time, mean, top = found["heights"][-1]
    assert time == pytest.approx(0.25) and 0 < mean <= top


def test_log_with_a_contact_is_a_wrong_answer() -> None:
    world = make_world(heap(2))
    log = world.start_log()
    world.step(3)
    arrays = log.arrays()
    simulate.verify("heap", arrays)
    arrays["poses"][-1, list(log.names).index("ring0"), 2, 3] = 0.0
    with pytest.raises(WrongAnswer, match=r"heap: .*ring0"):
        simulate.verify("heap", arrays)


def test_runs_that_differ_are_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    real, starts = simulate.make_world, iter(("0", "1"))

    def other(scene: WorldScene, **options: Any) -> Any:
        return real(heap(2, seed=int(next(starts))), **options)

    monkeypatch.setattr(simulate, "make_world", other)
    with pytest.raises(WrongAnswer, match="two runs do not end with the same bits"):
        simulate.measure_world(heap(2), 2, limit=60.0)


def test_time_limit_cuts_a_world_short() -> None:
    assert simulate.measure_world(heap(2), 10, limit=1e-9)["steps"] == 1


# Queries of a flight


def test_free_motion_keeps_the_velocity_of_the_center() -> None:
    rng = np.random.default_rng(5)
    pose = tc.pose(rng.normal(size=3), rotvec=rng.normal(size=3))
    velocity, center = rng.normal(size=6), rng.normal(size=3)
    motion = flight.free_motion(pose, velocity, center, 0.1)
    for t in (0.0, 0.5, 1.0):
        now = motion.pose(t)
        turn = tc.pose(rotvec=velocity[3:] * 0.1 * t)[:3, :3]
        assert np.allclose(now[:3, :3], turn @ pose[:3, :3])
        middle = pose[:3, :3] @ center + pose[:3, 3] + velocity[:3] * 0.1 * t
        assert np.allclose(now[:3, :3] @ center + now[:3, 3], middle)


def test_flight_is_asked_by_all_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    ball = tc.Mesh(*icosphere(0.1, 2))
    apart, through = tc.pose((0, 0, 0.5)), tc.pose((0, 0, -0.5))
    rest = tc.Motion.fixed(tc.pose((0, 0, -0.2)))
    ways = [tc.Motion.linear(apart, end) for end in (through, apart)]
    asked = [flight.PairQuery(ball, (way, rest)) for way in ways]
    monkeypatch.setattr(flight, "pair_queries", lambda _: asked)
    found = flight.measure_flight()
    assert (found["colliding"]["queries"], found["free"]["queries"]) == (1, 1)
    rows = {str(row[0]): row[1:] for row in flight.flight_table(found).rows}
    assert rows["queries"][:3] == [1, 1, 2] and all(cell > 0 for cell in rows["auto"][:3])


# Bodies moved by hand


def test_session_is_verified_and_measured() -> None:
    found = hand.measure_session("small", hand.small_parts(), rounds=1)
    assert found["frames"] == 100 and found["substeps"] > 100
    assert found["end_by_shells"] < 1.0
    assert 0 < found["mean_ms"] <= found["p99_ms"]


def test_path_that_is_not_free_is_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    session = hand.small_parts()
    played = hand.play(
        hand.Session(session.body, session.scene, session.start, session.targets[:2])
    )
    moved = tc.Scene()
    moved.add("wall", session.scene["workpiece"].mesh, session.start)
    monkeypatch.setattr(hand, "play", lambda *_: played)
    bad = hand.Session(session.body, moved, session.start, session.targets[:2])
    with pytest.raises(WrongAnswer, match="small: a motion of the path is not free"):
        hand.measure_session("small", bad)


def test_sessions_have_the_sizes_that_were_asked_for() -> None:
    assert hand.car_door().triangles == [16_000, 29_000]
    assert hand.door_motor().triangles == [4_000, 16_000]
    assert sum(hand.shaft_in_bore("turn").triangles) == pytest.approx(24_000, rel=0.05)
    assert max(hand.small_parts().triangles) < 1_300


# Goals, tables and the command


def own(**given: Any) -> dict[str, Any]:
    return {
        "step_ms": 10.0,
        "per_second": 100.0,
        "fall_ms": 4.0,
        "substeps_per_step": 1.5,
        "stopped_early": 0.0,
    } | given


def test_goals_are_judged() -> None:
    record = {
        "hand": {
            "car door": {"mean_ms": 2.0, "p99_ms": 20.0, "substep_ms": 1.0, "end_by_shells": 0.1},
            "shaft in bore, turn": {
                "mean_ms": 1,
                "p99_ms": 1,
                "substep_ms": 0.4,
                "end_by_shells": 2,
            },
        },
        "worlds": {
            "heap": {"own": own(), "peers": {"pybullet, hulls": {"step_ms": 1.0, "fall_ms": 2.0}}},
            "bouncing-car": {"own": own(stopped_early=0.02), "peers": {}},
        },
        "growth": {"exponent": 1.05, "sizes": {"50": own(), "100": own(substeps_per_step=4.0)}},
    }
    against = goals.world_goals(record["worlds"])[0].found
    assert {place: target.value for place, target in against.items()} == {
        "pybullet, hulls": 10.0,
        "pybullet, hulls, falling": 2.0,
    }
    found = {goal.figure: goal.reached == len(goal.found) for goal in goals.goals(record)}
    assert found["hand, car door: mean of a frame"]
    assert not found["hand, car door: 99th percentile"]
    assert not found["hand: distance from the end with 200 substeps per frame"]
    assert found["hand, shaft in bore: substep"]
    assert not found["heap: time of a step / pybullet"]
    assert found["bouncing car: steps per second"]
    assert not found["steps in which a body was stopped early"]
    assert found["heap: growth exponent of the time per step, by bodies"]
    assert not found["heaps of all sizes: substeps per step"]


def test_what_is_driven_has_no_drift_of_energy() -> None:
    found = simulate.measure_world(worlds.get("gears", bodies=2), 2, limit=60.0)
    assert found["energy_drift"] is None
    row = tables.world_table({"gears": {"own": found, "peers": {}}}).rows[0]
    assert row[-1] is None


def test_command_measures_prints_and_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    record = tmp_path / "record.json"
    words = ["bench", "dynamics", "--quick", "--steps", "8", "--only", "worlds,growth"]
    words += ["--scenes", "heap,bouncing-car", "--json", str(record), "--plots", str(tmp_path)]
    assert main(words) == 0
    text = capsys.readouterr().out
    for title in ("Worlds, every motion audited", "Heaps of several sizes", "Goals"):
        assert title in text
    assert set(json.loads(record.read_text())["worlds"]) == {"heap", "bouncing-car"}
    assert (tmp_path / "heap.png").stat().st_size > 1_000
    assert (tmp_path / "bouncing-car.png").stat().st_size > 1_000


def test_command_plays_sessions(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "dynamics", "--quick", "--only", "hand", "--sessions", "parts"]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "A body moved by hand" in text and "parts of 1,000" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "heaps"], "--only: expected some of hand, worlds, growth, flight, got heaps"),
        (["--scenes", "pile"], "--scenes: expected some of bunnies, "),
        (["--steps", "0"], "--steps: expected a positive number, got 0"),
        (["--limit", "0"], "--limit: expected a positive number, got 0.0"),
    ],
)
def test_bad_options_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "dynamics", *words]) == 2
    assert said in capsys.readouterr().err


def test_wrong_answer_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(*_: Any) -> None:
        raise WrongAnswer("heap: ring0, ring1: CONTACT")

    monkeypatch.setattr(command.simulate, "verify", wrong)
    words = ["bench", "dynamics", "--quick", "--steps", "2", "--only", "worlds", "--scenes", "heap"]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert "wrong answer: heap: ring0, ring1: CONTACT" in err and not out
