"""Bodies in their principal axes, for engines that take only three moments of inertia."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata.scenes.surface import MeshArrays
from toccata.scenes.worlds import WorldBody, WorldScene, mass_properties

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Principal:
    """A mesh in the frame of its center of mass and principal axes."""

    frame: Floats
    """Pose (4, 4) of this frame in the coordinates of the body in the scene."""
    mesh: MeshArrays
    pieces: tuple[MeshArrays, ...]
    mass: float
    moments: Floats

    @property
    def half(self) -> Floats | None:
        """Half extents if the body is a box about its origin, else None."""
        vertices, faces = self.mesh
        reach = np.abs(vertices).max(axis=0)
        is_box = len(faces) == 12 and np.allclose(np.abs(vertices), reach)
        return reach if is_box else None

    @classmethod
    def of(cls, body: WorldBody) -> Principal:
        """Return a body in its principal axes; a body that does not move keeps its coordinates."""
        if not body.moves:
            return cls(np.eye(4), body.mesh, body.pieces, 0.0, np.zeros(3))
        found = mass_properties(body)
        moments, axes = np.linalg.eigh(found.inertia)
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        frame = np.eye(4)
        frame[:3, :3], frame[:3, 3] = axes, found.center

        def moved(mesh: MeshArrays) -> MeshArrays:
            return np.ascontiguousarray((mesh[0] - found.center) @ axes), mesh[1]

        pieces = tuple(moved(piece) for piece in body.pieces)
        return cls(frame, moved(body.mesh), pieces, found.mass, moments)


def principals(scene: WorldScene) -> dict[str, Principal]:
    """Return all bodies in their principal axes; equal bodies are converted once."""
    made: dict[Any, Principal] = {}
    found = {}
    for name, body in scene.bodies.items():
        key = id(body.mesh), body.density, body.mass, body.moves
        if key not in made:
            made[key] = Principal.of(body)
        found[name] = made[key]
    return found


def quaternion(rotation: Floats) -> Floats:
    """Return a rotation as a quaternion x, y, z, w."""
    values, vectors = np.linalg.eigh(_symmetric(rotation))
    found: Floats = vectors[:, values.argmax()]
    return found


def _symmetric(r: Floats) -> Floats:
    """Return a matrix whose largest eigenvalue has the quaternion x, y, z, w as eigenvector."""
    return np.array([
        [r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
        [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
        [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], r[1, 0] - r[0, 1]],
        [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r[0, 0] + r[1, 1] + r[2, 2]],
    ])  # fmt: skip
