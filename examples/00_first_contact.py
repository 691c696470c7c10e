"""When does a tumbling box touch the table, where, and with which triangles?"""

import toccata as tc
from toccata.scenes import models

# Any triangles will do: tc.Mesh(vertices, faces) takes (n, 3) coordinates and (m, 3) vertex
# numbers, tc.Mesh.load("part.obj") a file.
box = tc.Mesh(*models.box((0.4, 0.3, 0.2)))
table = tc.Mesh(*models.plate(2.0, 2.0, 0.1))

start = tc.pose(translation=(-0.5, 0.0, 1.0))
motion = tc.Motion.twist(start, linear=(0.8, 0.0, -1.2), angular=(1.0, 6.0, 0.5))

contact = tc.first_contact(box, table, motion)
if contact:
    print(f"{contact.status.name} at t = {contact.toc:.6f}; the box is free before that")
    print(f"  {contact.feature}, triangle {contact.triangle_a} of the box")
    print(f"  at {contact.point_b.round(6)}, normal {contact.normal.round(6)}")
    print(f"  distance then {contact.distance:.1e}, at most {contact.tolerance:.1e}")
else:
    print("no contact, for certain")

# The truth value errs on the safe side: a search that was cut short is not "free".
hurried = tc.first_contact(box, table, motion, budget=5)
print(f"{hurried.status.name}, certainly free before t = {hurried.safe_until:.6f}: {bool(hurried)}")
