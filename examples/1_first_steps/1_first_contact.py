"""Shows one query: the time, point and triangle of the first contact of a tumbling box."""

import trimesh

import toccata as tc

# A body may be tc.Mesh(vertices, faces), tc.Mesh.load("part.obj"), or a trimesh object.
box = trimesh.creation.box((0.4, 0.3, 0.2))
table = trimesh.creation.box((2.0, 2.0, 0.1))

start = tc.pose(translation=(-0.5, 0.0, 1.0))
motion = tc.Motion.twist(start, linear=(0.8, 0.0, -1.2), angular=(1.0, 6.0, 0.5))

contact = tc.first_contact(box, table, motion)
if contact:
    print(f"{contact.status.name} at t = {contact.toc:.6f}; proven free before this time")
    print(f"  {contact.feature}, triangle {contact.triangle_a} of the box")
    print(f"  at {contact.point_b.round(6)}, normal {contact.normal.round(6)}")
    print(f"  distance {contact.distance:.1e}, within the tolerance {contact.tolerance:.1e}")
else:
    print("no contact, proven for the whole motion")

# bool(contact) is False only for a proof of freedom. A query without enough budget is True.
short = tc.first_contact(box, table, motion, budget=5)
print(f"{short.status.name}, proven free before t = {short.safe_until:.6f}; bool: {bool(short)}")
