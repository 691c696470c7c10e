"""Shows curved surfaces as bodies: contacts are with the exact surface, not with triangles."""

import numpy as np

import toccata as tc

# A ball falls on the crest of a torus. At the contact, the centers of ball and tube are 0.5 apart.
ball, ring = tc.surfaces.sphere(0.3), tc.surfaces.torus(1.0, 0.2)
fall = tc.Motion.linear(tc.pose((1.0, 0, 2)), tc.pose((1.0, 0, 0)))
contact = tc.first_contact(ball, ring, fall)
print(f"ball on torus: {contact.status.name} at t = {contact.toc:.6f} (expected 0.75)")

# The same query with a mesh that approximates the torus.
mesh = ring.triangulate(64)
print(f"ball on {len(mesh.faces)} triangles: t = {tc.first_contact(ball, mesh, fall).toc:.6f}")

# A bicubic patch in the shape of a hill. Its height in the middle is 4/9 * 9/16 = 0.25.
u, v = np.meshgrid(np.linspace(-1, 1, 4), np.linspace(-1, 1, 4), indexing="ij")
height = np.zeros((4, 4))
height[1:3, 1:3] = 4 / 9
hill = tc.surfaces.bicubic_patch(np.stack([u, v, height], axis=-1))
drop = tc.Motion.linear(tc.pose((0, 0, 1.55)), tc.pose((0, 0, -0.45)))
contact = tc.first_contact(ball, hill, drop)
print(f"ball on hill: {contact.status.name} at t = {contact.toc:.6f} (expected 0.5)")
