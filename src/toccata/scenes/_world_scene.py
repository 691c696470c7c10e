"""Scenes of simulations as plain data for any engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._mesh import Mesh
from toccata._motion import pose
from toccata._robot import Robot
from toccata._robot.internal import meshes_of
from toccata._scene import Scene

from .primitives import box
from .surface import MeshArrays

Pose = NDArray[np.float64]
Vector = tuple[float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldBody:
    """A body at the start of a simulation. Equal bodies share the arrays of their mesh."""

    mesh: MeshArrays
    pose: Pose
    velocity: Vector = ZERO
    """Velocity of the center of mass in meters per second, world axes."""
    angular_velocity: Vector = ZERO
    density: float = 1000.0
    """Mass per volume of a closed mesh, or per area of an open mesh."""
    mass: float | None = None
    """Mass in kilograms, instead of a density."""
    friction: float = 0.5
    restitution: float = 0.0
    fixed: bool = False
    turning: Vector | None = None
    """Radians per second of a kinematic body that turns about its origin."""
    pieces: tuple[MeshArrays, ...] = ()
    """Convex pieces of the body, for engines that need them; without pieces they use its hull."""

    @property
    def moves(self) -> bool:
        """True if forces move the body."""
        return not self.fixed and self.turning is None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotStart:
    """An articulated body at rest at the start of a simulation."""

    robot: Robot
    q: NDArray[np.float64]
    density: float = 1000.0
    friction: float = 0.5
    restitution: float = 0.0
    damping: float = 0.0
    """Damping torque of hinges per radian per second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSpring:
    """A spring between the origins of two links, with names like "robot/link"."""

    a: str
    b: str
    stiffness: float
    """Newtons per meter."""
    damping: float = 0.0
    """Newtons per meter per second."""
    length: float = 0.0
    """Length at rest in meters."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldScene:
    """A simulation: bodies and robots by name, springs, and steps."""

    bodies: Mapping[str, WorldBody] = field(default_factory=dict)
    robots: Mapping[str, RobotStart] = field(default_factory=dict)
    springs: Sequence[WorldSpring] = ()
    gravity: Vector = (0.0, 0.0, -9.81)
    step: float = 1 / 120
    """Seconds per step."""
    steps: int = 240
    """Number of steps to show."""
    name: str = ""
    why: str = ""

    @property
    def triangles(self) -> int:
        """Number of triangles of all bodies and links."""
        links = [link for given in self.robots.values() for link in given.robot.links.values()]
        return sum(len(body.mesh[1]) for body in self.bodies.values()) + sum(
            link.triangles for link in links
        )

    @property
    def count(self) -> int:
        """Number of bodies, links with geometry included."""
        return len(self.bodies) + sum(len(given.robot.link_names) for given in self.robots.values())

    def meshes(self) -> dict[str, Mesh]:
        """Return a `Mesh` for each body; equal bodies share a mesh."""
        made = {id(body.mesh): Mesh(*body.mesh) for body in self.bodies.values()}
        return {name: made[id(body.mesh)] for name, body in self.bodies.items()}

    def scene(self) -> Scene:
        """Return all bodies at their start poses."""
        scene = Scene()
        for name, mesh in self.meshes().items():
            scene.add(name, mesh, self.bodies[name].pose)
        for name, given in self.robots.items():
            poses = given.robot.forward_kinematics(given.q)
            for link, mesh in meshes_of(given.robot).items():
                scene.add(f"{name}/{link}", mesh, poses[link])
            for a, b in given.robot.ignored_pairs:
                scene.ignore(f"{name}/{a}", f"{name}/{b}")
        return scene


def place(translation: ArrayLike, rotvec: ArrayLike = ZERO) -> Pose:
    """Return the pose with a translation and a rotation vector."""
    return pose(translation, rotvec=rotvec)


def static(
    mesh: MeshArrays,
    translation: ArrayLike = ZERO,
    *,
    friction: float = 0.5,
    restitution: float = 0.0,
) -> WorldBody:
    """Return a fixed body."""
    return WorldBody(
        mesh=mesh,
        pose=place(translation),
        fixed=True,
        friction=friction,
        restitution=restitution,
    )


def floor(side: float, *, friction: float = 0.5, restitution: float = 0.0) -> WorldBody:
    """Return a large block with its top at z = 0."""
    block, middle = box((side, side, 1.0)), (0.0, 0.0, -0.5)
    return static(block, middle, friction=friction, restitution=restitution)


def random_turns(seed: int, count: int) -> NDArray[np.float64]:
    """Return rotation vectors of random orientations, (count, 3), the same for the same seed."""
    quats = np.random.default_rng(seed).normal(size=(count, 4))
    quats /= np.linalg.norm(quats, axis=1, keepdims=True)
    quats *= np.where(quats[:, 3:] < 0, -1.0, 1.0)
    sine = np.maximum(np.linalg.norm(quats[:, :3], axis=1, keepdims=True), 1e-12)
    return np.asarray(2 * np.arctan2(sine, quats[:, 3:]) * quats[:, :3] / sine)
