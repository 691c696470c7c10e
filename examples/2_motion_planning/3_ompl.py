"""Shows planning with OMPL among pipes: each edge of the plan is proven free."""

from itertools import pairwise

import numpy as np
from trimesh.creation import box, cylinder

import toccata as tc
from toccata.scenes.robots import puma

CLEARANCE = 0.01


def plant() -> tc.Scene:
    """Return a floor, upright pipes around the arm, and one pipe across."""
    scene = tc.Scene()
    scene.add("floor", box((2.2, 2.2, 0.02)), tc.pose((0.0, 0.0, -0.06)))
    upright = cylinder(radius=0.03, height=0.8)
    for k, (x, y) in enumerate([(0.55, 0.2), (0.55, -0.2), (-0.55, 0.2), (-0.55, -0.2)]):
        scene.add(f"pipe {k}", upright, tc.pose((x, y, 0.35)))
    across = tc.pose((0.0, 0.5, 0.5), rotvec=(0.0, np.pi / 2, 0.0))
    scene.add("pipe across", cylinder(radius=0.03, height=1.1), across)
    return scene


def far_ends(robot: tc.Robot, world: tc.Scene) -> tuple[np.ndarray, np.ndarray]:
    """Return two free configurations: the arm far to the left, and far to the right."""
    rows = np.clip(robot.random_configurations(400, seed=4), -2.5, 2.5)
    found = robot.first_contact_batch(rows, rows, world, separation=CLEARANCE)
    rows = rows[found.status == tc.Status.FREE]
    middle = np.array([np.sum(list(robot.forward_kinematics(q).values()), axis=0) for q in rows])
    right, left = np.argmax(middle[:, 1, 3]), np.argmin(middle[:, 1, 3])
    return rows[right], rows[left]


def main() -> None:
    try:
        import ompl.base as ob
        import ompl.geometric as og
        import ompl.util as ou
    except ModuleNotFoundError:
        print("this example plans with ompl: pip install 'toccata[planning]'")
        return
    from toccata import planning

    ou.setLogLevel(ou.LOG_WARN)
    ou.RNG.setSeed(1)
    robot, world = puma(), plant()
    information = ob.SpaceInformation(planning.state_space(robot))
    checks = planning.setup(information, robot, world, separation=CLEARANCE)  # keep this object
    ends = far_ends(robot, world)
    blocked = robot.first_contact(*ends, world, separation=CLEARANCE)
    print(f"the straight motion is blocked: {blocked.link_a} and {blocked.link_b}", end=" ")
    print(f"at t = {blocked.toc:.3f}")

    task = og.SimpleSetup(information)
    start, goal = information.allocState(), information.allocState()
    checks.layout.write(ends[0], start)
    checks.layout.write(ends[1], goal)
    task.setStartAndGoalStates(start, goal)
    task.setPlanner(og.RRTConnect(information))
    if not task.solve(30.0) or not task.haveExactSolutionPath():
        print("no plan found in 30 seconds")
        return
    task.simplifySolution(2.0)
    motions, states = checks.motions, checks.states
    print(f"checked {motions.checked} motions ({motions.free} free), {states.checked} states")

    path = checks.layout.path(task.getSolutionPath())
    for i, (q0, q1) in enumerate(pairwise(path)):
        contact = robot.first_contact(q0, q1, world, separation=CLEARANCE)
        print(f"edge {i + 1} of {len(path) - 1}: {contact.status.name}")
        assert not contact, "the plan has free edges only"


main()
