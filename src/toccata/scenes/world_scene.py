"""What a scene of a simulation is: plain data that any engine can be fed with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .primitives import box
from .surface import MeshArrays

if TYPE_CHECKING:
    from toccata._robot import Robot
    from toccata._scene import Scene

Pose = NDArray[np.float64]
Vector = tuple[float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldBody:
    """A body of a simulation at its start. Equal bodies share the arrays of their mesh."""

    mesh: MeshArrays
    pose: Pose
    velocity: Vector = ZERO
    """Of its center of mass, world axes; metres a second."""
    angular_velocity: Vector = ZERO
    density: float = 1000.0
    """Mass per volume of a closed mesh, mass per area of an open one."""
    mass: float | None = None
    """In place of the density."""
    friction: float = 0.5
    restitution: float = 0.0
    fixed: bool = False
    turning: Vector | None = None
    """A body that is not moved by others but turns about its origin, radians a second."""
    pieces: tuple[MeshArrays, ...] = ()
    """Convex ones that fill the body, for engines that take no others; none: only its hull."""

    @property
    def moves(self) -> bool:
        """Whether forces move it."""
        return not self.fixed and self.turning is None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotStart:
    """An articulated body of a simulation at its start, at rest."""

    robot: Robot
    q: NDArray[np.float64]
    density: float = 1000.0
    friction: float = 0.5
    restitution: float = 0.0
    damping: float = 0.0
    """Of hinges: torque against the rate, per radian a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSpring:
    """A spring between the origins of two links, "robot/link" by name."""

    a: str
    b: str
    stiffness: float
    """Newtons a metre."""
    damping: float = 0.0
    """Newtons by metre a second."""
    length: float = 0.0
    """At rest."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldScene:
    """Bodies by name, and how they are simulated."""

    bodies: Mapping[str, WorldBody] = field(default_factory=dict)
    robots: Mapping[str, RobotStart] = field(default_factory=dict)
    springs: Sequence[WorldSpring] = ()
    gravity: Vector = (0.0, 0.0, -9.81)
    step: float = 1 / 120
    """Seconds."""
    steps: int = 240
    """How many steps show what the scene is about."""
    name: str = ""
    why: str = ""

    @property
    def triangles(self) -> int:
        """Of all bodies together."""
        links = [link for given in self.robots.values() for link in given.robot.links.values()]
        return sum(len(body.mesh[1]) for body in self.bodies.values()) + sum(
            link.triangles for link in links
        )

    @property
    def count(self) -> int:
        """Number of bodies; those of a robot are its links with geometry."""
        return len(self.bodies) + sum(len(given.robot.link_names) for given in self.robots.values())

    def meshes(self) -> dict[str, Any]:
        """Return a `Mesh` for each body; equal bodies share theirs."""
        from toccata import Mesh

        made = {id(body.mesh): Mesh(*body.mesh) for body in self.bodies.values()}
        return {name: made[id(body.mesh)] for name, body in self.bodies.items()}

    def scene(self) -> Scene:
        """Return all bodies where they start, to ask what is near."""
        from toccata._scene import Scene

        scene = Scene()
        for name, mesh in self.meshes().items():
            scene.add(name, mesh, self.bodies[name].pose)
        for name, given in self.robots.items():
            poses = given.robot.forward_kinematics(given.q)
            for link in given.robot.link_names:
                scene.add(f"{name}/{link}", given.robot.links[link].mesh, poses[link])
            for a, b in given.robot.ignored_pairs:
                scene.ignore(f"{name}/{a}", f"{name}/{b}")
        return scene


def place(translation: ArrayLike, rotvec: ArrayLike = ZERO) -> Pose:
    """Return a pose."""
    from toccata import pose

    return pose(translation, rotvec=rotvec)


def static(mesh: MeshArrays, translation: ArrayLike = ZERO, **given: Any) -> WorldBody:
    """Return a body that stays."""
    return WorldBody(mesh=mesh, pose=place(translation), fixed=True, **given)


def floor(side: float, **given: Any) -> WorldBody:
    """Return a large block with its top at z = 0."""
    return static(box((side, side, 1.0)), (0.0, 0.0, -0.5), **given)


def random_turns(seed: int, count: int) -> NDArray[np.float64]:
    """Return rotation vectors (count, 3) of random orientations, the same for the same seed."""
    quats = np.random.default_rng(seed).normal(size=(count, 4))
    quats /= np.linalg.norm(quats, axis=1, keepdims=True)
    quats *= np.where(quats[:, 3:] < 0, -1.0, 1.0)
    sine = np.maximum(np.linalg.norm(quats[:, :3], axis=1, keepdims=True), 1e-12)
    return np.asarray(2 * np.arctan2(sine, quats[:, 3:]) * quats[:, :3] / sine)
