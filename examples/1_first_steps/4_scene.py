"""Shows a scene: the first contact among many moving bodies, with one contact ignored."""

import numpy as np
import trimesh

import toccata as tc

scene = tc.Scene()
scene.add("floor", trimesh.creation.box((8.0, 8.0, 0.1)), tc.pose((0.0, 0.0, -0.05)))
post = trimesh.creation.cylinder(radius=0.2, height=1.0)
scene.add("post", post, tc.pose((0.0, 0.0, 0.5)))
# The post stands on the floor. Queries ignore this contact.
scene.ignore("floor", "post")

ball = trimesh.creation.icosphere(radius=0.25)
rng = np.random.default_rng(7)
for i in range(30):
    position = (i % 6 - 2.5, i // 6 - 2.0, rng.uniform(1.0, 3.0))
    drift, spin = rng.uniform(-0.5, 0.5, 2), rng.uniform(-3.0, 3.0, 3)
    fall = tc.Motion.twist(tc.pose(position), linear=(*drift, -1.5), angular=spin)
    scene.add(f"ball {i}", ball, fall)
slide = tc.Motion.linear(tc.pose((-2.0, 0.0, 0.3)), tc.pose((2.0, 0.0, 0.3)))
scene.add("slider", trimesh.creation.box((0.4, 0.4, 0.4)), slide)

contact = scene.first_contact(tolerance=1e-5)
print(f"{len(scene)} bodies, {len(scene) * (len(scene) - 1) // 2} pairs")
print(f"candidate pairs of the broad phase: {contact.stats.broad_phase_pairs}")
print(f"{contact.status.name}: {contact.body_a} and {contact.body_b} at t = {contact.toc:.6f}")
print(f"point {contact.point_b.round(4)}; all pairs are proven free before this time")
