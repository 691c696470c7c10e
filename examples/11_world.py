"""Simulates a stack of boxes that a fast ball hits: nothing ever penetrates, and that is proven."""

import numpy as np

import toccata as tc
from toccata import dynamics
from toccata.scenes import models

world = dynamics.World()
world.add("floor", tc.Mesh(*models.box((20, 20, 1))), tc.pose((0, 0, -0.5)), fixed=True)
crate = tc.Mesh(*models.box((0.3, 0.3, 0.3)))
for i in range(6):
    world.add(f"crate {i}", crate, tc.pose((0, 0, 0.151 + 0.301 * i)), density=200)
world.step(30)  # they come to rest

ball = tc.Mesh(*models.icosphere(0.15, 3))
place = tc.pose((-3, 0.05, 0.9))
world.add("ball", ball, place, density=500, velocity=(12, 0, 1))

log = world.start_log()
report = world.step(360)
print(f"{report.steps} steps, {report.substeps} substeps, {report.impacts} impacts")
first = report.events
print(f"{' and '.join(first.pairs[0])} at {first.speed[0]:.1f} m/s")
heights = world.poses[1:7, 2, 3]
print("heights of the crates:", np.round(heights, 2))
print(f"nearest two bodies: {report.least_distance:.2g} m apart; stopped early: {report.stopped}")

# A second look by the audit, which knows nothing of how motions were made.
print("audit:", tc.audit(log.arrays()).status.name)
