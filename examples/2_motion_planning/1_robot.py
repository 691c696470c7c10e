"""Shows an arm among thin wires: motions proven free, and contacts that sampling misses."""

import numpy as np

import toccata as tc
from toccata.scenes.robots import puma, wires

SAMPLES = 20

robot, world = puma(), wires(30, diameter=0.002)
starts = robot.random_configurations(300, seed=1)
starts = starts[robot.first_contact_batch(starts, starts, world).status == tc.Status.FREE]
ends = starts + np.random.default_rng(2).uniform(-0.5, 0.5, starts.shape)

found = robot.first_contact_batch(starts, ends, world)
free = found.status == tc.Status.FREE
print(f"{len(free)} motions, {free.sum()} proven free")

times = np.linspace(0.0, 1.0, SAMPLES)
poses = np.concatenate([robot.interpolate(starts, ends, np.full(len(starts), t)) for t in times])
sampled = robot.first_contact_batch(poses, poses, world).status == tc.Status.FREE
missed = sampled.reshape(SAMPLES, -1).all(axis=0) & ~free
print(f"{SAMPLES} samples per motion miss {missed.sum()} contacts")

first = int(np.argmin(found.toc))
contact = robot.first_contact(starts[first], ends[first], world)
print(f"earliest contact: {contact.link_a} and {contact.link_b} at t = {contact.toc:.4f}")
# Planners only need True or False, which is faster.
assert not robot.motion_is_free(starts[first], ends[first], world)
