"""Shows a simulation: a fast ball hits a stack of crates, and no two bodies penetrate."""

import numpy as np
import trimesh

import toccata as tc
from toccata import dynamics

world = dynamics.World()
world.add("floor", trimesh.creation.box((20, 20, 1)), tc.pose((0, 0, -0.5)), fixed=True)
crate = trimesh.creation.box((0.3, 0.3, 0.3))
for i in range(6):
    world.add(f"crate {i}", crate, tc.pose((0, 0, 0.151 + 0.301 * i)), density=200)
world.step(30)  # the stack comes to rest

ball = trimesh.creation.icosphere(radius=0.15)
world.add("ball", ball, tc.pose((-3, 0.05, 0.9)), density=500, velocity=(12, 0, 1))

log = world.start_log()
report = world.step(360)
print(f"{report.steps} steps, {report.substeps} substeps, {report.impacts} impacts")
events = report.events
print(f"first impact: {' and '.join(events.pairs[0])} at {events.speed[0]:.1f} m/s")
heights = world.poses[1:7, 2, 3]
print("heights of the crates:", np.round(heights, 2))
print(f"least distance: {report.least_distance:.2g} m; bodies stopped early: {report.stopped}")

# The audit certifies the motions of the log again, independently of the simulator.
print("audit:", tc.audit(log.arrays()).status.name)
