"""Scenes in MuJoCo, which takes the convex hull of each mesh and has no restitution."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

import toccata as tc
from toccata.scenes.surface import MeshArrays
from toccata.scenes.worlds import WorldBody, WorldScene
from toccata_bench.dynamics.frames import Floats, principals, quaternion

THIN = 1e-4
"""Half of the thickness given to a sheet, because a hull needs a volume."""
SUBSTEPS = 4
"""Steps of MuJoCo for each step of the scene.

1/480 s is near its default. With 1/120 s, heaps gain energy until they burst.
"""


class Mujoco:
    """A simulation in MuJoCo; poses are in the coordinates of the scene."""

    def __init__(self, scene: WorldScene, pieces: bool = False) -> None:
        self._mujoco = import_module("mujoco")
        self._scene, self._parts = scene, principals(scene)
        self._spec = self._mujoco.MjSpec()
        self._spec.option.timestep = scene.step / SUBSTEPS
        self._spec.option.gravity = scene.gravity
        self._spec.option.enableflags |= int(self._mujoco.mjtEnableBit.mjENBL_SPECULATIVE)
        self._meshes: dict[int, str] = {}
        self._pieces = pieces
        for name, body in scene.bodies.items():
            self._add(name, body)
        self._model = self._spec.compile()
        self._data = self._mujoco.MjData(self._model)
        self._throw()

    def _mesh(self, mesh: MeshArrays) -> str:
        vertices, faces = mesh
        if id(vertices) not in self._meshes:
            if np.ptp(vertices[:, 2]) == 0.0:
                vertices = np.concatenate([vertices - (0, 0, THIN), vertices + (0, 0, THIN)])
                faces = np.concatenate([faces[:, ::-1], faces + len(vertices) // 2])
            name = f"mesh{len(self._meshes)}"
            self._spec.add_mesh(
                name=name,
                uservert=vertices.ravel(),
                userface=faces.ravel(),
                inertia=self._mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX,
            )
            self._meshes[id(mesh[0])] = name
        return self._meshes[id(mesh[0])]

    def _add(self, name: str, body: WorldBody) -> None:
        part = self._parts[name]
        at = body.pose @ part.frame
        turn = np.roll(quaternion(at[:3, :3]), 1)
        made = self._spec.worldbody.add_body(name=name, pos=at[:3, 3], quat=turn)
        if body.turning is not None:
            made.mocap = True
        if body.moves:
            made.add_freejoint()
            made.mass, made.inertia = part.mass, part.moments
            made.explicitinertial = True
        kinds, friction = self._mujoco.mjtGeom, [body.friction, 0.005, 0.0001]
        if part.half is not None:
            made.add_geom(type=kinds.mjGEOM_BOX, size=part.half, friction=friction)
            return
        for piece in part.pieces if self._pieces and part.pieces else (part.mesh,):
            mesh = self._mesh(piece)
            made.add_geom(type=kinds.mjGEOM_MESH, meshname=mesh, friction=friction)

    def _throw(self) -> None:
        """Set the velocities of bodies; MuJoCo's angular velocities are in body axes."""
        for name, body in self._scene.bodies.items():
            if body.moves:
                start = self._model.jnt_dofadr[self._model.body(name).jntadr[0]]
                turn = (body.pose @ self._parts[name].frame)[:3, :3]
                self._data.qvel[start : start + 3] = body.velocity
                self._data.qvel[start + 3 : start + 6] = turn.T @ np.array(body.angular_velocity)
        self._mujoco.mj_forward(self._model, self._data)

    def step(self) -> None:
        """Advance by one step of the scene."""
        for name, body in self._scene.bodies.items():
            if body.turning is not None:
                time = self._data.time + self._scene.step
                at = tc.pose((0, 0, 0), rotvec=np.array(body.turning) * time)
                turn = np.roll(quaternion(at[:3, :3] @ body.pose[:3, :3]), 1)
                self._data.mocap_quat[self._model.body(name).mocapid[0]] = turn
        self._mujoco.mj_step(self._model, self._data, nstep=SUBSTEPS)

    def poses(self) -> Floats:
        """Return poses (n, 4, 4) in the order of the scene."""
        # After a step, MuJoCo still has the poses of the start of the step.
        self._mujoco.mj_kinematics(self._model, self._data)
        found = []
        for name in self._scene.bodies:
            body = self._data.body(name)
            at = tc.pose(body.xpos, quat_wxyz=body.xquat)
            found.append(at @ np.linalg.inv(self._parts[name].frame))
        return np.array(found)

    def depths(self) -> list[float]:
        """Return the depths of contacts between hulls as MuJoCo reports them."""
        contacts: Any = self._data.contact
        return [max(0.0, -float(distance)) for distance in contacts.dist]

    def close(self) -> None:
        """Do nothing."""
