"""Shows deforming meshes: a cloth that falls on a ball without contact, and an opening crack."""

import numpy as np
import trimesh

import toccata as tc

# The cloth and the ball are one mesh. The ball does not move.
sphere = trimesh.creation.icosphere(radius=0.5)
ball, ball_faces = sphere.vertices, sphere.faces
side = np.linspace(-0.8, 0.8, 33)
x, y = np.meshgrid(side, side, indexing="ij")
cloth = np.stack([x.ravel(), y.ravel(), np.full(x.size, 0.7)], axis=1)
corner = (np.arange(32)[:, None] * 33 + np.arange(32)).ravel()
lower = np.stack([corner, corner + 33, corner + 1], axis=1)
upper = np.stack([corner + 1, corner + 33, corner + 34], axis=1)
faces = np.concatenate([lower, upper, ball_faces + len(cloth)])

model = tc.DeformingMesh(np.concatenate([cloth, ball]), faces)
threads = model.edges[(model.edges < len(cloth)).all(axis=1)]
rest = np.linalg.norm(np.diff(cloth[threads], axis=1)[:, 0], axis=1)
uses = np.bincount(threads.ravel(), minlength=len(model.vertices))[:, None]
options = {"method": "auto", "separation": 0.01}


def pulled(vertices):
    """Return vertices moved so that the edges of the cloth get closer to their rest lengths."""
    for _ in range(40):
        along = np.diff(vertices[threads], axis=1)[:, 0]
        length = np.linalg.norm(along, axis=1)
        move = (0.5 * (length - rest) / length)[:, None] * along
        total = np.zeros_like(vertices)
        np.add.at(total, threads[:, 0], move)
        np.add.at(total, threads[:, 1], -move)
        vertices = vertices + total / np.maximum(uses, 1)
    return vertices


def certified(now, proposal):
    """Return a frame that is proven reachable without contact, and the answer for the proposal.

    Vertices that would touch stay where they are, and the others move on. If contacts remain after
    four rounds, all vertices stop halfway to the safe time.
    """
    first = tc.deforming_contacts(now, proposal, faces, contacts="all", **options)
    step, proposal = first, proposal.copy()
    for _ in range(4):
        if not step:
            return proposal, first
        touching = [step.vertex_face[:, 0], faces[step.vertex_face[:, 1]].ravel()]
        touching = np.concatenate([*touching, step.edges[step.edge_edge].ravel()])
        proposal[touching] = now[touching]
        step = tc.deforming_contacts(now, proposal, faces, contacts="all", **options)
    return now + 0.5 * min(step.safe_until, 1.0) * (proposal - now), first


speed = np.zeros_like(model.vertices)
for k in range(60):
    now = model.vertices
    speed[: len(cloth), 2] -= 0.002
    proposal = pulled(now + 0.99 * speed)
    proposal[len(cloth) :] = now[len(cloth) :]  # the ball stays
    frame, step = certified(now, proposal)
    speed = frame - now
    executed = model.step(frame, **options)
    if k % 10 == 9:
        top, hem = frame[: len(cloth), 2].max(), frame[: len(cloth), 2].min()
        print(f"step {k}: proposed {step.status.name}, executed {executed.status.name}", end=", ")
        print(f"the cloth hangs from {top:.2f} to {hem:.2f}")

# Two triangles separate along their common edge. The vertices of this edge are doubled in place.
square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
model = tc.DeformingMesh(square, [(0, 1, 2), (0, 2, 3)])
torn, origin = square[[0, 1, 2, 0, 2, 3]], [0, 1, 2, 0, 2, 3]
model.retopologize(torn, [(0, 1, 2), (3, 4, 5)], origin)
opened = torn + np.repeat([(0.1, -0.1, 0), (-0.1, 0.1, 0)], 3, axis=0)
print(f"crack opens: {model.step(opened, method='auto').status.name}")
