"""Shows the kinds of motion: between the same two poses, each kind has a different answer."""

from math import pi

import numpy as np
import trimesh

import toccata as tc

bar = trimesh.creation.box((1.0, 0.1, 0.1))
post = trimesh.creation.box((0.2, 0.2, 1.0))

start = tc.pose(translation=(-0.9, 0.5, 0.0), rotvec=(0.0, 0.0, -pi / 4))
end = tc.pose(translation=(0.9, 0.5, 0.0), rotvec=(0.0, 0.0, pi / 2))
middle = tc.pose(translation=(0.0, 1.0, 0.0))

motions = {
    "fixed": tc.Motion.fixed(start),
    "linear": tc.Motion.linear(start, end),
    "linear, pivot at the tip": tc.Motion.linear(start, end, pivot=(0.5, 0.0, 0.0)),
    "screw": tc.Motion.screw(start, end),
    "twist, two turns": tc.Motion.twist(start, linear=(1.8, 0.0, 0.0), angular=(0, 0, 4 * pi)),
    "spline over the top": tc.Motion.spline([0.0, 0.5, 1.0], [start, middle, end]),
}

print(f"{'motion':<25} {'origin at t = 0.5':>23}  answer")
for name, motion in motions.items():
    contact = tc.first_contact(bar, post, motion)
    x, y, z = motion.pose(0.5)[:3, 3]  # a pose is a (4, 4) array
    when = f"at t = {contact.toc:.6f}" if contact else ""
    print(f"{name:<25} {x:7.3f} {y:7.3f} {z:7.3f}  {contact.status.name} {when}")

# Both bodies may move. A pose in place of a motion means a body at rest.
away = tc.Motion.twist(tc.pose(), linear=(0.0, -0.8, 0.0), angular=(0.0, 0.0, 1.0))
both = tc.first_contact(bar, post, motions["linear"], away)
print(f"linear, while the post turns and moves away: {both.status.name}")

# `pose` also takes an array of times.
print("poses at 5 times:", motions["screw"].pose(np.linspace(0.0, 1.0, 5)).shape)
