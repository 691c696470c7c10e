"""An arm plans its way among pipes with OMPL: every edge of the plan is proven free.

    python 09_planning.py [picture.png]

The arm is a UR5 if example-robot-data is installed, else one made by code.
"""

import sys
from itertools import pairwise

import numpy as np

import toccata as tc
from toccata.scenes.primitives import box, cylinder
from toccata.scenes.robots import puma
from toccata.scenes.surface import MeshArrays, shifted
from toccata_bench.scenes.installed import installed_robot

CLEARANCE = 0.01


def arm() -> tc.Robot:
    """A UR5 or, without its files, an arm with the proportions of a Puma."""
    try:
        return installed_robot("ur5")
    except (FileNotFoundError, ModuleNotFoundError):
        return puma()


def plant() -> list[MeshArrays]:
    """A floor, upright pipes around the arm, and one across."""
    places = [(0.55, 0.2), (0.55, -0.2), (-0.55, 0.2), (-0.55, -0.2)]
    upright = [shifted(cylinder(0.03, 0.8, 24), (x, y, 0.35)) for x, y in places]
    floor = shifted(box((2.2, 2.2, 0.02)), (0.0, 0.0, -0.06))
    return [floor, *upright, shifted(cylinder(0.03, 1.1, 24, "x"), (0.0, 0.5, 0.5))]


def far_ends(robot: tc.Robot, world: tc.Scene) -> tuple[np.ndarray, np.ndarray]:
    """Two free configurations, one far to the left, one far to the right."""
    rows = np.clip(robot.random_configurations(400, seed=4), -2.5, 2.5)
    rows = rows[robot.first_contact_batch(rows, rows, world, separation=CLEARANCE).toc > 1]
    middle = np.array([np.sum(list(robot.forward_kinematics(q).values()), axis=0) for q in rows])
    right, left = np.argmax(middle[:, 1, 3]), np.argmin(middle[:, 1, 3])
    return rows[right], rows[left]


def main(picture: str | None = None) -> None:
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
    robot, world = arm(), tc.Scene()
    for i, mesh in enumerate(plant()):
        world.add(f"pipe {i}" if i else "floor", tc.Mesh(*mesh))
    information = ob.SpaceInformation(planning.state_space(robot))
    checks = planning.setup(information, robot, world, separation=CLEARANCE)  # keep it
    ends = far_ends(robot, world)
    blocked = robot.first_contact(*ends, world, separation=CLEARANCE)
    print(f"straight ahead {blocked.link_a} would meet {blocked.link_b} at {blocked.toc:.3f}")

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
        print(f"edge {i} of {len(path) - 1}: {contact.status.name}")
        assert not contact, "a plan consists of free edges"
    if picture is not None:
        from toccata.report import robot_picture, save_png

        save_png(picture, robot_picture(robot, path, plant()))


main(*sys.argv[1:])
