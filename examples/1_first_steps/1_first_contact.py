"""Shows one query: when a tumbling box touches a table, where, and with which triangle."""

import trimesh

import toccata as tc

# Any triangles will do: tc.Mesh(vertices, faces), tc.Mesh.load("part.obj"), or trimesh objects.
box = trimesh.creation.box((0.4, 0.3, 0.2))
table = trimesh.creation.box((2.0, 2.0, 0.1))

start = tc.pose(translation=(-0.5, 0.0, 1.0))
motion = tc.Motion.twist(start, linear=(0.8, 0.0, -1.2), angular=(1.0, 6.0, 0.5))

contact = tc.first_contact(box, table, motion)
if contact:
    print(f"{contact.status.name} at t = {contact.toc:.6f}; proven free before that time")
    print(f"  {contact.feature}, triangle {contact.triangle_a} of the box")
    print(f"  at {contact.point_b.round(6)}, normal {contact.normal.round(6)}")
    print(f"  distance {contact.distance:.1e}, within the tolerance {contact.tolerance:.1e}")
else:
    print("no contact, proven for the whole motion")

# The truth value errs on the safe side: a query that runs out of its budget is not "free".
short = tc.first_contact(box, table, motion, budget=5)
print(f"{short.status.name}, proven free before t = {short.safe_until:.6f}; bool: {bool(short)}")
