"""Links, joints, and named groups of joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_choice, as_floats, as_name, as_shape
from toccata._mesh import Mesh, as_mesh
from toccata._motion import Motion
from toccata._text import counted
from toccata.surfaces import Surface
from toccata.typing import BodyLike, PoseLike

if TYPE_CHECKING:
    from toccata.dynamics._mass import MassProperties

JointKind = Literal["revolute", "continuous", "prismatic", "planar", "floating", "fixed"]

WIDTH = {"revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "floating": 7, "fixed": 0}
"""Number of coordinates of a joint, by kind."""


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Link:
    """A rigid body of a robot.

    Args:
        name: name of the link.
        mesh: geometry in the link's frame; None for a link that only connects joints.
        inertia: mass properties in the link's frame. Values from a file are checked only when they
            are used, and missing values are NaN.
        missing: mesh files that were not found; contacts with them are missed.

    """

    name: str
    mesh: Mesh | None
    inertia: MassProperties | None
    missing: tuple[str, ...]

    def __init__(
        self,
        name: str,
        mesh: BodyLike | None = None,
        inertia: MassProperties | None = None,
        missing: tuple[str, ...] = (),
    ) -> None:
        this = f"link {as_name('link', name)!r}"
        if inertia is not None:
            from toccata.dynamics._mass import MassProperties

            if not isinstance(inertia, MassProperties):
                got = type(inertia).__name__
                raise TypeError(f"{this}, inertia: expected toccata.MassProperties, got {got}")
        body = None if mesh is None else as_mesh(this, mesh)
        if isinstance(body, Surface):
            raise TypeError(f"{this}: expected a mesh of triangles, got a Surface")
        _set(self, name=name, mesh=body, inertia=inertia, missing=missing)

    def __str__(self) -> str:
        return f"link {self.name}: {counted(self.triangles, 'triangle')}"

    def __repr__(self) -> str:
        parts = [repr(self.name)]
        parts += [] if self.mesh is None else [repr(self.mesh)]
        parts += [] if self.inertia is None else [f"inertia={self.inertia!r}"]
        parts += [] if not self.missing else [f"missing={self.missing!r}"]
        return f"Link({', '.join(parts)})"

    @property
    def triangles(self) -> int:
        """Number of triangles."""
        return 0 if self.mesh is None else len(self.mesh.faces)


@dataclass(frozen=True, slots=True)
class Mimic:
    """A rule for the coordinate of a joint: multiplier * coordinate of another joint + offset."""

    joint: str
    """Name of the followed joint."""
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Joint:
    """A connection that lets the link `child` move relative to the link `parent`.

    Coordinates of a joint in a configuration:

    - revolute, continuous: an angle in radians;
    - prismatic: a displacement along the axis;
    - planar: two displacements across the axis, and an angle about it;
    - floating: a position, and a quaternion x, y, z, w;
    - fixed: none.

    Args:
        name: name of the joint.
        kind: one of the kinds above.
        parent: name of the link that carries the joint.
        child: name of the link that the joint moves.
        origin: pose of the joint in the parent's frame, (4, 4); default: the identity.
        axis: direction in the joint's frame, (3,), of any nonzero length.
        lower: lower limit of each coordinate; default: no limit. Continuous joints have no limits.
        upper: upper limit of each coordinate.
        mimic: rule by which this joint follows another joint, without coordinates of its own.

    """

    name: str
    kind: JointKind
    parent: str
    child: str
    origin: Floats
    axis: Floats
    """Unit vector in the joint's frame, (3,)."""
    lower: float | Floats
    upper: float | Floats
    """Limit of the coordinate, or (width,) limits; infinite where there is no limit."""
    mimic: Mimic | None

    def __init__(
        self,
        name: str,
        kind: JointKind,
        parent: str,
        child: str,
        origin: PoseLike | None = None,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        lower: ArrayLike = -np.inf,
        upper: ArrayLike = np.inf,
        mimic: Mimic | None = None,
    ) -> None:
        this = f"joint {as_name('joint', name)!r}"
        as_choice(this, kind, get_args(JointKind))
        low = _as_limit(f"{this}, lower", lower, kind)
        high = _as_limit(f"{this}, upper", upper, kind)
        if np.any(low > high):
            raise ValueError(f"{this}: expected lower <= upper, got {low} > {high}")
        as_name(f"{this}, parent", parent)
        as_name(f"{this}, child", child)
        pose = np.eye(4) if origin is None else as_pose(f"{this}, origin", origin)
        direction = as_shape(f"{this}, axis", axis, 3)
        length = float(np.linalg.norm(direction))
        if not 1e-100 < length < 1e100:
            got = direction.tolist()
            raise ValueError(f"{this}: expected an axis of nonzero length, got {got}")
        if mimic is not None:
            _check_mimic(this, kind, mimic)
        _set(self, name=name, kind=kind, parent=parent, child=child, origin=pose)
        _set(self, axis=direction / length, lower=low, upper=high, mimic=mimic)

    def __str__(self) -> str:
        return f"{self.kind} joint {self.name} from {self.parent} to {self.child}"

    def __repr__(self) -> str:
        names = ", ".join(map(repr, (self.name, self.kind, self.parent, self.child)))
        fields = ("origin", "axis", "lower", "upper")
        values = [f"{name}={np.round(getattr(self, name), 6).tolist()}" for name in fields]
        values += [] if self.mimic is None else [f"mimic={self.mimic!r}"]
        return f"Joint({names}, {', '.join(values)})"

    @property
    def width(self) -> int:
        """Number of coordinates of the joint; 0 if it is fixed or mimics another joint."""
        return 0 if self.mimic is not None else WIDTH[self.kind]

    def axes(self) -> Floats:
        """Return two directions across the axis, then the axis, as the rows of a (3, 3) array."""
        # The smallest rotation from z to the axis, applied to x and y.
        x, y, z = self.axis
        if z < -1 + 1e-12:
            return np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], self.axis])
        k = 1 / (1 + z)
        across = [[1 - k * x * x, -k * x * y, -x], [-k * x * y, 1 - k * y * y, -y]]
        return np.array([*across, self.axis])


def as_pose(name: str, pose: PoseLike) -> Floats:
    """Return a pose as a (4, 4) array; raise ValueError unless it is rigid."""
    array = as_shape(name, pose, 4, 4)
    try:
        Motion.fixed(array)
    except ValueError as error:
        raise ValueError(str(error).replace("pose:", f"{name}:", 1)) from error
    return array


def _set(part: Link | Joint, **values: Any) -> None:
    """Set the fields of a frozen dataclass."""
    for name, value in values.items():
        object.__setattr__(part, name, value)


def _check_mimic(name: str, kind: JointKind, mimic: Mimic) -> None:
    if not isinstance(mimic, Mimic):
        raise TypeError(f"{name}, mimic: expected a toccata.Mimic, got {type(mimic).__name__}")
    if WIDTH[kind] > 1:
        raise ValueError(f"{name}: a {kind} joint cannot mimic another joint")
    as_name(f"{name}, mimic", mimic.joint)
    as_shape(f"{name}, mimic", [mimic.multiplier, mimic.offset], 2)


def _as_limit(name: str, value: ArrayLike, kind: JointKind) -> float | Floats:
    """Return one limit, or one per coordinate; refuse limits that would have no effect."""
    limit, width = as_floats(name, value), WIDTH[kind]
    if np.isnan(limit).any():
        raise ValueError(f"{name}: expected a limit, got {value!r}")
    if limit.ndim == 0 and (np.isinf(limit) or (width < 2 and kind != "continuous")):
        return float(limit)
    if width < 2 or limit.shape != (width,):
        wanted = "no limit" if kind == "continuous" else f"{counted(width, 'limit')} or none"
        raise ValueError(f"{name}: expected {wanted} of a {kind} joint, got {value!r}")
    return limit


@dataclass(frozen=True, slots=True)
class JointGroup:
    """A named group of joints, such as an arm or a hand."""

    name: str
    joints: tuple[str, ...]
    """All joints of the group, fixed joints included, in the robot's order. They are the joints
    that the group names, the parent joints of the links that the group names, and the joints of its
    chains and subgroups."""
    links: tuple[str, ...]
    """Child links of these joints, and links that the group names, in the robot's order."""
    chains: tuple[tuple[str, str], ...] = ()
    """(base link, tip link) of each chain."""
    subgroups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Groups:
    """All groups of a robot, and their states."""

    groups: Mapping[str, JointGroup] = field(default_factory=dict)
    states: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    """States as {group: {state: {coordinate name: value}}}."""

    def renamed(self, prefix: str) -> Groups:
        """Return the same groups with a prefix before all names except the names of states."""

        def new(*names: str) -> tuple[str, ...]:
            return tuple(prefix + name for name in names)

        groups = [
            JointGroup(
                prefix + group.name,
                new(*group.joints),
                new(*group.links),
                tuple((prefix + base, prefix + tip) for base, tip in group.chains),
                new(*group.subgroups),
            )
            for group in self.groups.values()
        ]
        states = {
            prefix + group: {
                state: dict(zip(new(*values), values.values(), strict=True))
                for state, values in own.items()
            }
            for group, own in self.states.items()
        }
        return Groups({group.name: group for group in groups}, states)


def joints_between(base: str, tip: str, joints: Sequence[Joint]) -> set[str]:
    """Return the joints on the path from one link to another through the tree."""
    above = {joint.child: joint for joint in joints}
    between: set[str] = set()
    for link in (base, tip):
        while (joint := above.get(link)) is not None:
            between ^= {joint.name}  # joints above both links are not between them
            link = joint.parent
    return between
