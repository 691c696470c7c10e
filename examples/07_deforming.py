"""Deforming meshes: a simulation that stays free of contact, and a crack that opens."""

import numpy as np

import toccata as tc
from toccata.scenes import models

# A cloth falls on a ball. Both are one mesh; the ball does not move.
ball, ball_faces = models.icosphere(0.5, 3)
side = np.linspace(-0.8, 0.8, 33)
x, y = np.meshgrid(side, side, indexing="ij")
cloth = np.stack([x.ravel(), y.ravel(), np.full(x.size, 0.7)], axis=1)
corner = (np.arange(32)[:, None] * 33 + np.arange(32)).ravel()
lower = np.stack([corner, corner + 33, corner + 1], axis=1)
upper = np.stack([corner + 1, corner + 33, corner + 34], axis=1)
faces = np.concatenate([lower, upper, ball_faces + len(cloth)])

# Each step goes as far as is proven to keep a thickness of 0.01.
model = tc.DeformingMesh(np.concatenate([cloth, ball]), faces)
for k in range(6):
    wish = model.vertices.copy()
    wish[: len(cloth), 2] -= 0.06 * (k + 1)
    step = tc.deforming_contacts(model.vertices, wish, faces, method="auto", separation=0.01)
    free = 0.9 * min(step.toc, 1.0) if step else 1.0
    model.step(model.vertices + free * (wish - model.vertices), method="auto")
    print(f"step {k}: {step.status.name}, goes {free:.3f} of the way")

# Two triangles come apart along their edge: the twins of its vertices start at the same place.
square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
model = tc.DeformingMesh(square, [(0, 1, 2), (0, 2, 3)])
torn, origin = square[[0, 1, 2, 0, 2, 3]], [0, 1, 2, 0, 2, 3]
model.retopologize(torn, [(0, 1, 2), (3, 4, 5)], origin)
opened = torn + np.repeat([(0.1, -0.1, 0), (-0.1, 0.1, 0)], 3, axis=0)
print(f"crack opens: {model.step(opened, method='auto').status.name}")
