"""Cost of dynamics: compared with Pinocchio, on long chains, and with few active joints."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata._robot.internal import tree_of
from toccata.dynamics import ArticulatedBody, World, frame_inertias
from toccata.scenes.robots import chain
from toccata_bench.clock import best, best_in_turn
from toccata_bench.peers import missing_peer, optional
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

Floats = NDArray[np.float64]

COUNTS = (30, 10_000)
REFRESH = 10
"""Steps between choices of the active joints, by default."""
_ROWS, _STEP, _WORLD_STEPS = 500, 1e-3, 50


def measure_all_active(counts: tuple[int, ...] | None = None) -> tuple[Record, list[str]]:
    """Return times with all joints active, and notes about them."""
    pin = optional("pinocchio")
    notes = [] if pin else [missing_peer("pin")]
    found = {}
    for count in counts or COUNTS:
        body, states = bent(count), random_states(count, max(1, min(_ROWS, 30_000 // count)))
        one: Record = {"acceleration_us": None, "pinocchio_us": None}
        if pin and count <= 300:  # its memory grows with the cube of the number of joints
            one |= beside_pinocchio(pin, body, states)
        one["step_us"] = step_time(body)
        found[str(count)] = one
    return found, notes


def bent(count: int) -> ArticulatedBody:
    """Return a chain without geometry, at rest in a bent configuration."""
    robot = chain(count + 1, geometry=False)
    body = ArticulatedBody(robot)
    body.q = np.where(np.arange(count) % 2, 3.0 / count, 0.0)
    return body


def random_states(count: int, rows: int) -> tuple[Floats, Floats, Floats]:
    """Return random rows of q, v and tau."""
    rng = np.random.default_rng(count)
    return tuple(rng.uniform(-1, 1, (rows, count)) for _ in range(3))  # type: ignore[return-value]


def beside_pinocchio(pin: Any, body: ArticulatedBody, states: tuple[Floats, ...]) -> Record:
    """Compare our accelerations with Pinocchio's, then time both in turn.

    A call of Pinocchio includes the cost of a Python call. The time of the same call for a chain
    of one joint is therefore subtracted, which favors Pinocchio.
    """
    model = pinocchio_chain(pin, body.robot)
    data, rows = model.createData(), list(zip(*states, strict=True))
    expected = np.array([pin.aba(model, data, *row) for row in rows])
    got = body.acceleration(*states)
    if (off := float(np.abs(got - expected).max() / np.abs(expected).max())) > 1e-9:
        raise WrongAnswer(f"{len(model.names)} joints: accelerations off Pinocchio's by {off:.3g}")
    one = pinocchio_chain(pin, chain(2, geometry=False))
    one_data, few = one.createData(), [tuple(part[:1] for part in row) for row in rows]
    own, its, call = best_in_turn(
        [
            lambda: body.acceleration(*states),
            lambda: [pin.aba(model, data, *row) for row in rows],
            lambda: [pin.aba(one, one_data, *row) for row in few],
        ],
        rounds=20,
    )
    each = 1e6 / len(rows)
    return {"acceleration_us": each * own, "pinocchio_us": each * (its - call)}


def pinocchio_chain(pin: Any, robot: tc.Robot) -> Any:
    """Return a chain as a model of Pinocchio."""
    model = pin.Model()
    kinds = {1: pin.JointModelRY, 2: pin.JointModelRZ}
    parts = zip(tree_of(robot).moving, frame_inertias(robot), strict=True)
    for i, (joint, part) in enumerate(parts):
        origin = pin.SE3(np.asarray(joint.origin))
        made = model.addJoint(i, kinds[int(np.argmax(joint.axis))](), origin, joint.name)
        inertia = pin.Inertia(part.mass, np.array(part.center), np.array(part.inertia))
        model.appendBodyToJoint(made, inertia, pin.SE3.Identity())
    return model


def step_time(body: ArticulatedBody, **given: Any) -> float:
    """Return the mean time of a step in microseconds."""
    count = max(2, min(200, 100_000 // len(body.q)))
    seconds = best(lambda: body.step(_STEP, n=count, **given), rounds=5)
    if not np.isfinite(body.q).all():
        raise WrongAnswer(f"chain of {len(body.q)} joints: not finite after {count} steps")
    return 1e6 * seconds / count


def few_active(count: int, moving: NDArray[np.int_]) -> Record:
    """Return the cost of a step with few active joints of a chain, and of a refresh."""
    mask = np.zeros(count - 1, dtype=bool)
    mask[moving] = True
    given, chosen = bent(count - 1), bent(count - 1)
    step, whole = step_time(given, active=mask), step_time(chosen, active=len(moving))
    # Both runs move as many joints; only the second one chooses them again every ten steps.
    refresh = REFRESH * max(0.0, whole - step)
    return {"step_us": step, "refresh_us": refresh, "world_us": world_step_time(count, moving)}


def world_step_time(count: int, moving: NDArray[np.int_]) -> float:
    """Return the mean time of a step in a world, in which links collide, in microseconds."""
    check_world(count, moving)
    world, _ = world_of_chain(count, moving)
    return 1e6 * best(lambda: world.step(_WORLD_STEPS), rounds=5) / _WORLD_STEPS


def world_of_chain(count: int, moving: NDArray[np.int_]) -> tuple[World, ArticulatedBody]:
    """Return a world with a chain that has few active joints."""
    body = ArticulatedBody(chain(count))
    body.q = bent(count - 1).q
    world = World(step=_STEP)
    names = [tree_of(body.robot).moving[i].name for i in moving]
    world.add_articulated("chain", body, active=names)
    return world, body


def check_world(count: int, moving: NDArray[np.int_]) -> None:
    """Check that links follow their configuration, and that no motion led through a link."""
    world, body = world_of_chain(count, moving)
    log = world.start_log()
    world.step(5)
    frames = body.robot.forward_kinematics(body.q)
    poses = np.array([frames[name.removeprefix("chain/")] for name in world.names])
    if (off := float(np.abs(world.poses - poses).max())) > 1e-9:
        raise WrongAnswer(f"chain of {count} links: placed {off:.3g} off")
    if (status := tc.audit(log.arrays()).status) is not tc.Status.FREE:
        raise WrongAnswer(f"chain of {count} links: {status.name}")
