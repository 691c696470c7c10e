"""Shows a peg that is moved into a slot: straight, on a planned path, and by hand."""

import numpy as np
import trimesh

import toccata as tc
from toccata import dynamics

# A slot of 60 x 60 mm between four blocks, and a peg with 5 mm of room on each side.
peg = trimesh.creation.box((0.05, 0.05, 0.2))
blocks = [((0.1, 0.26, 0.1), (-0.08, 0, 0)), ((0.1, 0.26, 0.1), (0.08, 0, 0))]
blocks += [((0.06, 0.1, 0.1), (0, -0.08, 0)), ((0.06, 0.1, 0.1), (0, 0.08, 0))]
slot = trimesh.util.concatenate(
    [trimesh.creation.box(size, transform=tc.pose(center)) for size, center in blocks]
)
start = tc.pose((0.1, 0.05, 0.3), rotvec=(0, 0.4, 0))
above, seat = tc.pose((0, 0, 0.17)), tc.pose((0, 0, 0.06))

contact = tc.first_contact(peg, slot, tc.Motion.linear(start, seat))
print(f"straight line: {contact.status.name} at t = {contact.toc:.3f}, {contact.point_a.round(3)}")
room = tc.clearance(peg, slot, tc.Motion.linear(above, seat))
print(f"from above: at least {1000 * room.lower:.3f} mm of room")

# `assemble` searches a path of motions that are all proven free.
fixture = tc.Scene()
fixture.add("slot", slot)
found = dynamics.assemble(peg, fixture, seat, start=start, via=[above])
print(f"assemble: {found.status.name}, {len(found.path)} motions")

# The target moves down into the slot and 20 mm to the side. The peg slides down along the wall.
hand = dynamics.Manipulator(peg, fixture, above)
for height in np.linspace(0.17, 0.06, 40):
    move = hand.move(tc.pose((0.02 if height < 0.12 else 0.0, 0, height)), max_substeps=50)
print(f"by hand: {move.status.name} at {move.pose[:3, 3].round(4)}")
