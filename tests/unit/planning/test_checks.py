"""Planning with OMPL: states, motions, and plans that are free."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import pairwise
from math import pi
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires
from toccata.scenes.surface import shifted

ompl = pytest.importorskip("ompl", reason="planning needs ompl")
import ompl.base as ob  # noqa: E402
import ompl.geometric as og  # noqa: E402
import ompl.util as ou  # noqa: E402

from toccata import planning  # noqa: E402


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    level = ou.getLogLevel()
    ou.setLogLevel(ou.LOG_NONE)
    yield
    ou.setLogLevel(level)


def line(size: int) -> Any:
    space = ob.RealVectorStateSpace(size)
    bounds = ob.RealVectorBounds(size)
    bounds.setLow(-9.0)
    bounds.setHigh(9.0)
    space.setBounds(bounds)
    return space


def compound(*spaces: Any) -> Any:
    space = ob.CompoundStateSpace()
    for part in spaces:
        space.addSubspace(part, 1.0)
    return space


def one_joint(kind: str) -> tc.Robot:
    cube = tc.Mesh(*box((0.1, 0.1, 0.1)))
    joint = tc.Joint("joint", kind, "base", "body", axis=(0.0, 0.0, 1.0))  # type: ignore[arg-type]
    return tc.Robot([tc.Link("base"), tc.Link("body", cube)], [joint])


def interpolated(space: Any, start: Any, end: Any, t: float) -> Any:
    state = space.allocState()
    space.interpolate(start, end, t, state)
    return state


@pytest.mark.parametrize(
    ("kind", "space"),
    [
        ("revolute", lambda: line(1)),
        ("prismatic", lambda: line(1)),
        ("continuous", lambda: line(1)),
        ("continuous", ob.SO2StateSpace),
        ("continuous", lambda: compound(compound(ob.SO2StateSpace()))),
        ("planar", lambda: line(3)),
        ("planar", ob.SE2StateSpace),
        ("planar", lambda: compound(line(2), ob.SO2StateSpace())),
        ("floating", ob.SE3StateSpace),
        ("floating", lambda: compound(line(3), ob.SO3StateSpace())),
    ],
)
def test_motions_are_those_that_ompl_interpolates(kind: str, space: Any) -> None:
    robot, states = one_joint(kind), space()
    layout = planning.Layout(robot, states)
    rows = robot.random_configurations(41, seed=5)
    start, end = states.allocState(), states.allocState()
    far = 0
    for a, b in pairwise(rows):
        layout.write(a, start)
        layout.write(b, end)
        np.testing.assert_allclose(layout.configuration(start), a, atol=1e-15)
        q0, q1 = layout.motion(start, end)
        far += bool((np.abs(b - a) > pi).any())
        for t in (0.0, 0.3, 0.8, 1.0):
            there = layout.configuration(interpolated(states, start, end, t))
            ours = robot.forward_kinematics(robot.interpolate(q0, q1, t))["body"]
            np.testing.assert_allclose(ours, robot.forward_kinematics(there)["body"], atol=1e-9)
    assert far > 3 or kind in ("prismatic", "floating"), "no motion goes around"


@pytest.mark.parametrize(
    ("kind", "space", "message"),
    [
        ("revolute", ob.SO2StateSpace, "expected line for the revolute joint 'joint', got circle"),
        ("floating", lambda: line(7), "expected line line line q.* for the floating joint 'joint'"),
        ("continuous", lambda: line(2), "expected 1 coordinate as the robot has, got 2"),
        ("planar", lambda: ob.DubinsStateSpace(1.0), "got DubinsStateSpace"),
        ("revolute", ob.TimeStateSpace, "state space: expected RealVectorStateSpace, SO2"),
    ],
)
def test_spaces_that_do_not_fit_are_refused(kind: str, space: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        planning.Layout(one_joint(kind), space())


def test_a_space_that_interpolates_by_itself_is_refused() -> None:
    class Detour(ob.RealVectorStateSpace):  # type: ignore[misc, name-defined]
        pass

    with pytest.raises(ValueError, match="got Detour"):
        planning.Layout(one_joint("revolute"), Detour(1))


def test_the_space_of_a_robot_has_its_limits() -> None:
    robot = puma()
    bounds = planning.state_space(robot).getBounds()
    np.testing.assert_array_equal([bounds.low, bounds.high], [robot.lower, robot.upper])
    circles = planning.state_space(planar_arm())
    assert [type(circles.getSubspace(i)) for i in range(2)] == [ob.SO2StateSpace] * 2
    for kind in ("prismatic", "floating", "planar"):
        with pytest.raises(ValueError, match="joint 'joint': expected limits"):
            planning.state_space(one_joint(kind))
    bare = tc.Robot([tc.Link("base", tc.Mesh(*box()))], [])
    with pytest.raises(ValueError, match="expected joints that move"):
        planning.state_space(bare)


def with_follower(kind: str, *multipliers: float) -> tc.Robot:
    """Return a wheel, and a joint that follows it through a chain of mimics."""
    cube = tc.Mesh(*box((0.1, 0.1, 0.1)))
    links, joints = [tc.Link("base"), tc.Link("wheel", cube)], []
    joints.append(tc.Joint("turn", "continuous", "base", "wheel", origin=tc.pose((0, 5, 0))))
    leader = "turn"
    for k, multiplier in enumerate(multipliers):
        last = k == len(multipliers) - 1
        links.append(tc.Link(f"link {k}", cube))
        mimic = tc.Mimic(leader, multiplier, offset=0.1)
        shape: Any = kind if last else "continuous"
        axis, origin = (1.0, 0.0, 0.0), tc.pose((0, k, 0))
        leader = f"joint {k}"
        joints.append(tc.Joint(leader, shape, "base", f"link {k}", origin, axis, mimic=mimic))
    return tc.Robot(links, joints)


@pytest.mark.parametrize(
    ("kind", "multipliers", "fits"),
    [
        ("prismatic", (1.0,), False),
        ("prismatic", (0.0,), True),
        ("continuous", (0.5,), False),
        ("revolute", (-1.5,), False),
        ("revolute", (-2.0,), True),
        ("continuous", (3.0,), True),
        ("continuous", (2.0, 0.5), True),
        ("continuous", (1.0, 0.5), False),
    ],
)
def test_a_circle_only_where_followers_return_after_a_full_turn(
    kind: str, multipliers: tuple[float, ...], fits: bool
) -> None:
    robot = with_follower(kind, *multipliers)
    turned = (robot.forward_kinematics([x]) for x in (0.7, 0.7 + 2 * pi))
    one, other = ({name: pose.round(9).tobytes() for name, pose in at.items()} for at in turned)
    assert fits == all(one[name] == other[name] for name in one), "the case itself"
    planning.Layout(robot, line(1))
    if fits:
        assert type(planning.state_space(robot).getSubspace(0)) is ob.SO2StateSpace
        planning.Layout(robot, ob.SO2StateSpace())
        return
    with pytest.raises(ValueError, match="joint 'turn': a full turn does not return its mimic"):
        planning.state_space(robot)
    with pytest.raises(ValueError, match="continuous joint 'turn' needs a RealVectorStateSpace"):
        planning.Layout(robot, ob.SO2StateSpace())


def limited(kind: str, lower: Any, upper: Any) -> tc.Robot:
    cube = tc.Mesh(*box((0.1, 0.1, 0.1)))
    joint = tc.Joint("joint", kind, "base", "body", lower=lower, upper=upper)  # type: ignore[arg-type]
    return tc.Robot([tc.Link("base"), tc.Link("body", cube)], [joint])


def test_limits_of_planar_and_floating_joints_are_bounds() -> None:
    robot = limited("planar", (-1.0, -2.0, -3.0), (4.0, 5.0, 6.0))
    space = planning.state_space(robot)
    assert type(space) is ob.RealVectorStateSpace
    bounds = space.getBounds()
    np.testing.assert_array_equal([bounds.low, bounds.high], [robot.lower, robot.upper])
    planning.Layout(robot, space)
    inf = np.inf
    turning = limited("planar", (-1.0, -2.0, -inf), (4.0, 5.0, inf))
    floating = limited("floating", (-1, -2, -3, *[-inf] * 4), (4, 5, 6, *[inf] * 4))
    for robot, kind, count in ((turning, ob.SE2StateSpace, 2), (floating, ob.SE3StateSpace, 3)):
        space = planning.state_space(robot)
        (part,) = (space.getSubspace(i) for i in range(space.getSubspaceCount()))
        assert type(part) is kind
        ends = [part.getBounds().low, part.getBounds().high]
        np.testing.assert_array_equal(ends, [robot.lower[:count], robot.upper[:count]])
        planning.Layout(robot, space)
    half = limited("planar", (-1.0, -inf, -3.0), (4.0, 5.0, 6.0))
    with pytest.raises(ValueError, match="joint 'joint': expected limits, got -inf and 5"):
        planning.state_space(half)
    rotated = limited("floating", (-1, -2, -3, *[0.5] * 4), (4, 5, 6, *[inf] * 4))
    with pytest.raises(ValueError, match="limits on the rotation of a floating joint"):
        planning.state_space(rotated)


def one_body(*shift: float) -> tc.Scene:
    scene = tc.Scene()
    scene.add("post", tc.Mesh(*shifted(box((0.1, 0.1, 0.1)), shift)))
    return scene


def asked(space: Any, robot: tc.Robot, world: Any, **options: Any) -> tuple[Any, planning.Checks]:
    information = ob.SpaceInformation(space)
    checks = planning.setup(information, robot, world, **options)
    information.setup()
    return information, checks


def test_a_circle_takes_the_shorter_arc_and_a_line_does_not() -> None:
    robot = planar_arm((1.0,))
    for space, free in ((ob.SO2StateSpace(), True), (line(1), False)):
        information, checks = asked(space, robot, one_body(0.6, 0.0, 0.0))
        start, end = information.allocState(), information.allocState()
        checks.layout.write([3.0], start)
        checks.layout.write([-3.0], end)
        assert information.checkMotion(start, end) == free
        assert (checks.motions.checked, checks.motions.free) == (1, free)


def test_states_and_motions_keep_the_separation() -> None:
    robot = planar_arm((1.0,))
    world = one_body(0.6, 0.2, 0.0)  # 0.1 above the bar at rest
    for separation, free in ((0.0, True), (0.09, True), (0.11, False)):
        information, checks = asked(line(1), robot, world, separation=separation)
        state, other = information.allocState(), information.allocState()
        checks.layout.write([0.0], state)
        checks.layout.write([-0.4], other)
        assert information.isValid(state) == free
        assert information.checkMotion(state, other) == free
        assert information.isValid(other)
        assert (checks.states.checked, checks.states.free) == (2, 1 + free)


def test_separations_may_differ_from_pair_to_pair() -> None:
    robot, scene = planar_arm((1.0,)), one_body(0.6, 0.2, 0.0)  # 0.1 above the bar at rest
    wish = {("link1", "post"): 0.11, "default": 0.0}
    information, checks = asked(line(1), robot, scene, separation=wish)
    state, other = information.allocState(), information.allocState()
    checks.layout.write([0.0], state)
    checks.layout.write([-0.4], other)
    assert not information.isValid(state) and not information.checkMotion(state, other)
    assert information.isValid(other)
    # A body that comes later counts with the default distance, and the wish stays.
    scene.add("later", tc.Mesh(*shifted(box((0.1, 0.1, 0.1)), (0.6, -0.25, 0.0))))
    assert not information.isValid(state) and not information.isValid(other)
    with pytest.raises(ValueError, match="got 'wall'"):
        asked(line(1), robot, scene, separation={("link1", "wall"): 0.1})


def test_clearance_is_a_lower_bound_of_distances() -> None:
    robot = planar_arm((1.0,))
    information, checks = asked(line(1), robot, one_body(0.6, 0.2, 0.0))  # 0.1 above at rest
    state = information.allocState()
    checks.layout.write([0.0], state)
    path = og.PathGeometric(information)
    path.append(state)
    assert 0.0999 < path.clearance() <= 0.1  # asked by OMPL itself
    checks.layout.write([0.4], state)
    assert checks.states.clearance(state) == 0


def test_an_undecided_motion_does_not_pass() -> None:
    robot, world = puma(), wires(12)
    information, checks = asked(planning.state_space(robot), robot, world, budget=1)
    start, end = information.allocState(), information.allocState()
    checks.layout.write(np.zeros(6), start)
    checks.layout.write(np.full(6, 1.0), end)
    assert robot.first_contact(np.zeros(6), np.full(6, 1.0), world, budget=1).status.name == (
        "UNDECIDED"
    )
    assert not information.checkMotion(start, end)


def test_worlds_are_scenes_that_may_grow_or_anything_a_robot_takes() -> None:
    trimesh = pytest.importorskip("trimesh")
    robot, scene = planar_arm((1.0,)), tc.Scene()
    there = trimesh.Scene()
    there.add_geometry(trimesh.Trimesh(*box()), transform=tc.pose((0.0, 0.8, 0.0)))
    mesh = tc.Mesh(*shifted(box(), (0.0, 0.8, 0.0)))
    for world, free in ((scene, True), (there, False), (mesh, False), (None, True)):
        information, checks = asked(line(1), robot, world)
        start, end = information.allocState(), information.allocState()
        checks.layout.write([0.0], start)
        checks.layout.write([2.0], end)
        assert information.checkMotion(start, end) == free
        if world is scene:
            scene.add("late", mesh)
            assert not information.checkMotion(start, end)


def test_bad_options_are_refused_at_once() -> None:
    information = ob.SpaceInformation(line(6))
    with pytest.raises(ValueError, match="separation"):
        planning.setup(information, puma(), None, separation=-1.0)
    for name in ("colour", "initial", "stages", "threads"):
        with pytest.raises(TypeError, match=f"unexpected option '{name}': expected some of budget"):
            planning.setup(information, puma(), None, **{name: "report"})
    with pytest.raises(TypeError, match="world"):
        planning.setup(information, puma(), "pipes")


def test_a_world_that_moves_is_refused() -> None:
    """A motion of the robot would be checked against the whole motion of the body."""
    world = tc.Scene()
    world.add("floor", tc.Mesh(*box()), tc.pose((9.0, 0.0, 0.0)))
    information = ob.SpaceInformation(line(1))
    checks = planning.setup(information, planar_arm((1.0,)), world)
    state = information.allocState()
    assert checks.states.isValid(state)
    away = tc.Motion.linear(tc.pose((9.0, 9.0, 0.0)), tc.pose((9.0, 19.0, 0.0)))
    world.add("door", tc.Mesh(*box()), away)
    message = "world: expected bodies that do not move, .* have no time, got 'door' on a motion"
    for ask in (
        lambda: planning.setup(information, planar_arm((1.0,)), world),
        lambda: planning.MotionValidator(information, planar_arm((1.0,)), world),
        lambda: checks.states.isValid(state),
        lambda: checks.motions.checkMotion(state, state),
        lambda: checks.states.clearance(state),
    ):
        with pytest.raises(ValueError, match=message):
            ask()


def test_pairs_that_are_ignored_later_are_not_tested() -> None:
    robot, world = planar_arm((1.0,)), one_body(0.5, 0.0, 0.0)
    information = ob.SpaceInformation(line(1))
    checks = planning.setup(information, robot, world)
    state = information.allocState()
    checks.layout.write([0.0], state)
    assert not checks.states.isValid(state)
    robot.ignore("link1", "post")
    assert checks.states.isValid(state)


def wall_with_gap() -> tc.Scene:
    """Return two posts; a planar arm has to fold to get from one side to the other."""
    scene = tc.Scene()
    for name, y in (("upper", 1.6), ("lower", -1.6)):
        scene.add(name, tc.Mesh(*shifted(box((0.1, 0.9, 0.5)), (0.0, y, 0.0))))
    return scene


@pytest.mark.parametrize("circles", [False, True])
@pytest.mark.parametrize("planner", ["RRTConnect", "RRT", "KPIECE1", "PRM"])
def test_every_edge_of_a_plan_is_free(planner: str, circles: bool) -> None:
    if planner == "KPIECE1" and circles:
        pytest.skip("OMPL has no projection for this space")
    robot, world = planar_arm((1.0, 1.0)), wall_with_gap()
    setup = og.SimpleSetup(planning.state_space(robot) if circles else line(2))
    information = setup.getSpaceInformation()
    checks = planning.setup(information, robot, world, separation=0.01)
    start, goal = information.allocState(), information.allocState()
    checks.layout.write([0.0, 0.3], start)
    checks.layout.write([3.0, 0.3], goal)
    setup.setStartAndGoalStates(start, goal)
    setup.setPlanner(getattr(og, planner)(information))
    assert setup.solve(20.0) and setup.haveExactSolutionPath()
    path = checks.layout.path(setup.getSolutionPath())
    assert len(path) > 2, "the straight way is not free"
    assert not robot.first_contact_path(path, world, separation=0.01)
    assert checks.motions.checked >= checks.motions.free >= len(path) - 1


def test_ompl_keeps_the_checks_alive() -> None:
    """Plans stay safe even if the caller drops what `setup` returns."""
    robot = planar_arm((1.0,))
    information = ob.SpaceInformation(line(1))
    layout = planning.setup(information, robot, one_body(0.0, 0.6, 0.0)).layout
    gc.collect()
    start, end = information.allocState(), information.allocState()
    layout.write([0.0], start)
    layout.write([3.0], end)
    assert not information.checkMotion(start, end)
    assert information.isValid(start)
