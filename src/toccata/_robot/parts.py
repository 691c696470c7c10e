"""Links and joints, the parts of a robot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_floats, as_shape
from toccata._mesh import Mesh, as_mesh
from toccata.surfaces import Surface

if TYPE_CHECKING:
    from toccata.dynamics._mass import MassProperties

JointKind = Literal["revolute", "continuous", "prismatic", "planar", "floating", "fixed"]

WIDTH = {"revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "floating": 7, "fixed": 0}
"""How many numbers of a configuration belong to a joint."""


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A rigid part; without a mesh it only carries others."""

    name: str
    mesh: Any = None
    """toccata.Mesh or trimesh.Trimesh, in the link's frame."""
    inertia: MassProperties | None = None
    """In the link's frame. That of a file is as it is there, NaN where the file has none: who needs
    it checks it."""
    missing: tuple[str, ...] = ()
    """Mesh files that were not found: this geometry is not part of `mesh`, and never tested."""

    def __post_init__(self) -> None:
        if self.inertia is not None:
            from toccata.dynamics._mass import MassProperties

            if not isinstance(self.inertia, MassProperties):
                wanted = f"link {self.name!r}, inertia: expected toccata.MassProperties"
                raise ValueError(f"{wanted}, got {type(self.inertia).__name__}")
        if self.mesh is None:
            return
        mesh = as_mesh(f"link {self.name!r}", self.mesh)
        if isinstance(mesh, Surface):
            raise ValueError(f"link {self.name!r}: expected a mesh of triangles, got a surface")
        object.__setattr__(self, "mesh", mesh)

    @property
    def triangles(self) -> int:
        """Number of triangles."""
        return len(self.mesh.faces) if isinstance(self.mesh, Mesh) else 0


@dataclass(frozen=True, slots=True)
class Mimic:
    """A joint that follows another one: multiplier * number + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """Moves the link `child` relative to the link `parent`.

    Its numbers in a configuration: an angle in radians (revolute, continuous), a shift
    (prismatic), two shifts in the plane across the axis and an angle (planar), a place and a
    quaternion x, y, z, w (floating), nothing (fixed).
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    origin: ArrayLike = field(default_factory=lambda: np.eye(4))
    """(4, 4) pose of the joint in the parent's frame."""
    axis: ArrayLike = (0.0, 0.0, 1.0)
    """In the joint's frame; of any length but zero."""
    lower: Any = -np.inf
    upper: Any = np.inf
    """A limit for each number of the joint. Continuous joints have none."""
    mimic: Mimic | None = None

    def __post_init__(self) -> None:
        name = f"joint {self.name!r}"
        if self.kind not in get_args(JointKind):
            kinds = ", ".join(get_args(JointKind))
            raise ValueError(f"{name}: expected one of {kinds}, got {self.kind!r}")
        for end in ("lower", "upper"):
            limit = _as_limit(f"{name}, {end}", getattr(self, end), self.kind)
            object.__setattr__(self, end, limit)
        if np.any(self.lower > self.upper):
            raise ValueError(f"{name}: expected lower <= upper, got {self.lower} > {self.upper}")
        object.__setattr__(self, "origin", as_shape(f"{name}, origin", self.origin, 4, 4))
        axis = as_shape(f"{name}, axis", self.axis, 3)
        length = float(np.linalg.norm(axis))
        if not 1e-100 < length < 1e100:
            raise ValueError(f"{name}: expected an axis of some length, got {axis.tolist()}")
        object.__setattr__(self, "axis", axis / length)
        if self.mimic is not None and WIDTH[self.kind] > 1:
            raise ValueError(f"{name}: expected a mimic joint with one number, got {self.kind}")
        if (
            self.mimic is not None
            and not np.isfinite([self.mimic.multiplier, self.mimic.offset]).all()
        ):
            raise ValueError(f"{name}: expected finite numbers, got {self.mimic}")

    @property
    def width(self) -> int:
        """How many numbers of a configuration are its own."""
        return 0 if self.mimic is not None else WIDTH[self.kind]

    def axes(self) -> Floats:
        """Return (3, 3) rows: two directions of the plane across the axis, then the axis."""
        axis = np.asarray(self.axis, dtype=np.float64)
        # The shortest turn that takes z to the axis takes x and y along.
        x, y, z = axis
        if z < -1 + 1e-12:
            return np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], axis])
        k = 1 / (1 + z)
        return np.array([[1 - k * x * x, -k * x * y, -x], [-k * x * y, 1 - k * y * y, -y], axis])


def _as_limit(name: str, value: Any, kind: JointKind) -> float | Floats:
    """Return one limit, or one for each number of a joint; none would be left out silently."""
    limit, width = as_floats(name, value), WIDTH[kind]
    if np.isnan(limit).any():
        raise ValueError(f"{name}: expected a limit, got {value}")
    if limit.ndim == 0 and (np.isinf(limit) or (width < 2 and kind != "continuous")):
        return float(limit)
    if width < 2 or limit.shape != (width,):
        wanted = f"{width} limit{'s' * (width > 1)} or none"
        wanted = "no limit" if kind == "continuous" else wanted
        raise ValueError(f"{name}: expected {wanted} of a {kind} joint, got {value}")
    return limit
