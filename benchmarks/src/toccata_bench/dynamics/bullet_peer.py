"""Scenes in pybullet: one thread, no body sleeps.

Two triangle meshes of pybullet do not collide, so moving bodies are hulls or convex pieces.
"""

from __future__ import annotations

from importlib import import_module
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np

import toccata as tc
from toccata.scenes.surface import MeshArrays
from toccata.scenes.worlds import WorldBody, WorldScene
from toccata_bench.dynamics.frames import Floats, Principal, principals, quaternion


def _as_obj(pieces: tuple[MeshArrays, ...]) -> str:
    """Return an OBJ file with one object for each piece, because pybullet uses their hulls."""
    lines, first = [], 1
    for k, (vertices, faces) in enumerate(pieces):
        lines += [f"o piece{k}", *(f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist())]
        lines += [f"f {a} {b} {c}" for a, b, c in (faces + first).tolist()]
        first += len(vertices)
    return "\n".join(lines)


class Bullet:
    """A simulation in pybullet; poses are in the coordinates of the scene."""

    def __init__(self, scene: WorldScene, pieces: bool = False) -> None:
        self._bullet = import_module("pybullet")
        self._client = self._bullet.connect(self._bullet.DIRECT)
        self._call("setGravity", *scene.gravity)
        self._call("setTimeStep", scene.step)
        self._scene, self._parts = scene, principals(scene)
        self._shapes: dict[int, int] = {}
        self._pieces = pieces
        self._time = 0.0
        self._ids = {name: self._add(name, body) for name, body in scene.bodies.items()}

    def _call(self, function: str, *args: Any, **named: Any) -> Any:
        return getattr(self._bullet, function)(*args, physicsClientId=self._client, **named)

    def _shape(self, part: Principal) -> int:
        if id(part) not in self._shapes:
            self._shapes[id(part)] = self._make_shape(part)
        return self._shapes[id(part)]

    def _make_shape(self, part: Principal) -> int:
        kind, (vertices, faces) = self._bullet.GEOM_MESH, part.mesh
        if self._pieces and part.pieces:
            with NamedTemporaryFile("w", suffix=".obj") as file:
                file.write(_as_obj(part.pieces))
                file.flush()
                return int(self._call("createCollisionShape", kind, fileName=file.name))
        given: dict[str, Any] = {"vertices": vertices.tolist()}
        if part.half is not None:
            kind, given = self._bullet.GEOM_BOX, {"halfExtents": part.half.tolist()}
        elif part.mass == 0.0:  # a fixed mesh collides with moving hulls as it is
            given["indices"] = faces.ravel().tolist()
        return int(self._call("createCollisionShape", kind, **given))

    def _add(self, name: str, body: WorldBody) -> int:
        part = self._parts[name]
        at = body.pose @ part.frame
        made = self._call(
            "createMultiBody",
            part.mass,
            self._shape(part),
            basePosition=at[:3, 3].tolist(),
            baseOrientation=quaternion(at[:3, :3]).tolist(),
        )
        # pybullet multiplies both coefficients of a pair, and damps by default.
        own: dict[str, Any] = {"lateralFriction": body.friction**0.5, "linearDamping": 0.0}
        own |= {"restitution": body.restitution**0.5, "angularDamping": 0.0}
        if body.moves:
            own["localInertiaDiagonal"] = part.moments.tolist()
        self._call("changeDynamics", made, -1, **own)
        if body.moves:
            self._call("resetBaseVelocity", made, body.velocity, body.angular_velocity)
        return int(made)

    def step(self) -> None:
        """Advance by one step of the scene."""
        self._time += self._scene.step
        for name, body in self._scene.bodies.items():
            if body.turning is not None:
                at = tc.pose((0, 0, 0), rotvec=np.array(body.turning) * self._time)
                turn = quaternion(at[:3, :3] @ body.pose[:3, :3]).tolist()
                made, position = self._ids[name], body.pose[:3, 3].tolist()
                self._call("resetBasePositionAndOrientation", made, position, turn)
                self._call("resetBaseVelocity", made, (0, 0, 0), body.turning)
        self._call("stepSimulation")

    def poses(self) -> Floats:
        """Return poses (n, 4, 4) in the order of the scene."""
        found = []
        for name, made in self._ids.items():
            position, turn = self._call("getBasePositionAndOrientation", made)
            found.append(tc.pose(position, quat_xyzw=turn) @ np.linalg.inv(self._parts[name].frame))
        return np.array(found)

    def depths(self) -> list[float]:
        """Return the depths of contacts as pybullet reports them."""
        return [max(0.0, -contact[8]) for contact in self._call("getContactPoints")]

    def close(self) -> None:
        """End the simulation."""
        self._bullet.disconnect(self._client)
