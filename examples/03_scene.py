"""Many moving bodies: who touches whom first?"""

import numpy as np

import toccata as tc
from toccata.scenes import models

scene = tc.Scene()
scene.add("floor", tc.Mesh(*models.plate(8.0, 8.0, 0.1)))
scene.add("post", tc.Mesh(*models.cylinder(0.2, 1.0)), tc.pose(translation=(0.0, 0.0, 0.5)))
# The post stands on the floor: that contact is meant to be.
scene.ignore("floor", "post")

ball = tc.Mesh(*models.icosphere(0.25, 3))
rng = np.random.default_rng(7)
for i in range(30):
    place = (i % 6 - 2.5, i // 6 - 2.0, rng.uniform(1.0, 3.0))
    drift, spin = rng.uniform(-0.5, 0.5, 2), rng.uniform(-3.0, 3.0, 3)
    fall = tc.Motion.twist(tc.pose(translation=place), linear=(*drift, -1.5), angular=spin)
    scene.add(f"ball {i}", ball, fall)
slide = tc.Motion.linear(
    tc.pose(translation=(-2.0, 0.0, 0.3)), tc.pose(translation=(2.0, 0.0, 0.3))
)
scene.add("slider", tc.Mesh(*models.box((0.4, 0.4, 0.4))), slide)

contact = scene.first_contact(tolerance=1e-5)
print(f"{len(scene)} bodies, {len(scene) * (len(scene) - 1) // 2} pairs")
print(f"pairs that had to be looked at: {contact.stats.broad_phase_pairs}")
print(f"{contact.status.name}: {contact.body_a} and {contact.body_b} at t = {contact.toc:.6f}")
print(f"all others are free until then; point {contact.point_b.round(4)}")
