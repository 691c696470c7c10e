"""Links, joints, base, and tested pairs of a robot: everything but its queries."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_floats, as_name, as_shape
from toccata._mesh import as_mesh, as_solid
from toccata._motion import Motion
from toccata._native import core
from toccata._robot.bases import Bases
from toccata._robot.configuration import Configurations
from toccata._robot.ignored import Pair, inferred_pairs
from toccata._robot.mesh_files import PackageDirs
from toccata._robot.parts import Groups, Joint, JointGroup, Link, as_pose
from toccata._robot.queries import Queries
from toccata._robot.tested import TestedPairs
from toccata._robot.tree import PlacedMeshes, build_tree
from toccata._shown import Shown
from toccata._text import counted, listed, visible
from toccata.typing import BodyLike, PoseLike

if TYPE_CHECKING:
    from toccata.dynamics._mass import MassProperties


T = TypeVar("T")


def _all(name: str, parts: Iterable[T], kind: type[T]) -> list[T]:
    """Return `parts` as a list; raise TypeError unless all of them are of type `kind`."""
    if not isinstance(parts, Iterable) or isinstance(parts, str):
        raise TypeError(f"{name}: expected a list, got {type(parts).__name__}")
    found = list(parts)
    for part in found:
        if not isinstance(part, kind):
            got = type(part).__name__
            raise TypeError(f"{name}: expected toccata.{kind.__name__} objects, got {got}")
    return found


class RobotModel(Shown):
    """Base of `Robot`, which adds the queries."""

    links: dict[str, Link]
    """All links, by name."""
    joints: list[Joint]
    """All joints."""
    dof: int
    """Number of coordinates of a configuration."""
    joint_names: tuple[str, ...]
    """Joints with coordinates of their own, in the order of `joints`."""
    link_names: tuple[str, ...]
    """Links with geometry."""
    coordinate_names: tuple[str, ...]
    """Names of the coordinates of a configuration, (dof,): the name of the joint, or names such as
    "joint/x" for a joint with several coordinates."""
    lower: Floats
    upper: Floats
    """Joint limits, (dof,); infinite where there is no limit. Queries do not enforce them."""

    def __init__(self, links: Iterable[Link], joints: Iterable[Joint]) -> None:
        self._make(_all("links", links, Link), _all("joints", joints, Joint), Bases(), {})

    @classmethod
    def _made(
        cls, links: Iterable[Link], joints: Iterable[Joint], bases: Bases, known: PlacedMeshes
    ) -> Self:
        robot = object.__new__(cls)
        robot._make(list(links), list(joints), bases, known)
        return robot

    def _make(
        self, links: list[Link], joints: list[Joint], bases: Bases, known: PlacedMeshes
    ) -> None:
        self.links, self.joints = {link.name: link for link in links}, joints
        self._bases = bases
        self._groups = Groups()
        self._tree = build_tree(links, joints, bases.of(links, joints))
        self._space = Configurations(joints, self._tree.coordinate)
        self._pairs = TestedPairs(links, joints, self._tree, known)
        self._queries = Queries(self._space, self._pairs)
        self.dof, self.lower, self.upper = self._space.dof, self._space.lower, self._space.upper
        self.joint_names, self.link_names = self._space.joint_names, self._pairs.link_names
        self.coordinate_names = self._space.coordinate_names

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle links, joints, ignored pairs and groups; everything else is built again."""
        made: tuple[Any, ...] = (tuple(self.links.values()), tuple(self.joints), self._bases, {})
        return type(self)._made, made, (self._pairs.choices(), self._groups)

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        choices, self._groups = state
        self._pairs.choose(*choices)

    def __str__(self) -> str:
        joints = counted(len(self.joint_names), "joint")
        return f"{joints}, {counted(len(self.link_names), 'link')} with collision geometry"

    def __repr__(self) -> str:
        joints, links = str(self).split(", ")
        if self.joint_names:
            joints += f" ({listed(self.joint_names)})"
        if self.link_names:
            links += f" ({listed(self.link_names)})"
        lost = f"; missing geometry: {listed(self.missing)}" if self.missing else ""
        return f"Robot({joints}; {links}; {self._pairs.counts()}{lost})"

    @classmethod
    def from_urdf(
        cls,
        path: str | os.PathLike[str],
        *,
        srdf: str | os.PathLike[str] | None = None,
        package_dirs: PackageDirs = (),
        geometry: Literal["collision", "visual"] = "collision",
        primitive_error: float = 1e-4,
        solid: bool | Literal["auto"] = "auto",
        missing: Literal["error", "warn"] = "error",
    ) -> Self:
        """Return the robot of a URDF file.

        Args:
            path: the URDF file.
            srdf: an SRDF file with ignored pairs, groups of joints and their states (`groups`,
                `group_states`). As in MoveIt, `disable_default_collisions` excludes all tests of a
                link, except pairs that `enable_collisions` names.
            package_dirs: folders to search for `package://name/rest`, or a mapping from package
                names to their folders. The first existing file is used, in this order: `name/rest`
                in a given folder; `rest` in a given folder called `name`; `rest` in the mapped
                folder; `rest` in a folder called `name` that contains the URDF; `name/rest` in a
                folder that contains the URDF, nearest first.
            geometry: geometry of the links to use.
            primitive_error: largest distance by which the mesh of a round shape protrudes from the
                shape. Meshes contain their shapes. For an error e and a radius r, a cylinder takes
                about 9 sqrt(r / e) triangles, a sphere 5.4 r / e and a capsule 10 r / e. A shape of
                more than a million triangles is an error.
            solid: whether meshes from files are solids. A body that starts wholly inside a solid is
                in contact with the solid. "auto" makes closed components solid and open components
                surfaces; `open_links` lists the links with open components. True refuses open
                meshes. False makes all meshes surfaces. Boxes, spheres, capsules and cylinders are
                always solid.
            missing: treatment of mesh files that do not exist. "error" raises an error. "warn"
                loads the robot without these meshes, so contacts with them are missed;
                `Robot.missing` lists the files.

        """
        from toccata._robot.urdf import Reading, read_urdf
        from toccata._robot.xml_file import naming

        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"path: expected the path of a file, got {type(path).__name__}")
        with naming(path):
            how = Reading(geometry, primitive_error, as_solid(solid), missing)
            robot = cls(*read_urdf(path, package_dirs, how))
        if srdf is not None:
            robot._read_srdf(srdf)
        return robot

    def _read_srdf(self, path: str | os.PathLike[str]) -> None:
        from toccata._robot.srdf import read_srdf

        found = read_srdf(path, list(self.links.values()), self.joints)
        self._groups = found.groups
        if fixed := self._pairs.follow_srdf(found):
            names = ", ".join(f"{a} and {b}" for a, b in fixed)
            text = "enable_collisions has no effect on links that are fixed to each other"
            warnings.warn(visible(f"{os.fspath(path)}: {text}: {names}"), stacklevel=3)

    @classmethod
    def from_pinocchio(
        cls, model: Any, geometry_model: Any, *, primitive_error: float = 1e-4
    ) -> Self:
        """Return the robot of a `pinocchio.Model` and a `pinocchio.GeometryModel`.

        Each geometry object becomes a link with its name. Links are tested against each other if
        the geometry model has their collision pair, unless they are fixed to each other. Joints
        keep their order; `PinocchioOrder` translates configurations.

        Args:
            model: the kinematics, and the inertias (`model.inertias`).
            geometry_model: the collision geometry and pairs.
            primitive_error: as for `from_urdf`.

        """
        from toccata._robot.pinocchio import read_pinocchio

        links, joints, reasons = read_pinocchio(model, geometry_model, primitive_error)
        robot = cls(links, joints)
        robot._pairs.leave_out(reasons, {})
        return robot

    def attached(
        self,
        link: str,
        name: str,
        mesh: BodyLike,
        pose: PoseLike | None = None,
        inertia: MassProperties | None = None,
    ) -> Self:
        """Return a robot that holds a body, as a new link fixed to another link.

        Args:
            link: the link that holds the body.
            name: name of the new link.
            mesh: the body.
            pose: pose of the body in the frame of `link`, (4, 4); default: the identity.
            inertia: mass properties of the body in its own frame.

        """
        self._check_link(link)
        if name in self.links:
            raise ValueError(f"name: {name!r} is already a link of the robot")
        joint = Joint(name, "fixed", link, name, None if pose is None else as_pose("pose", pose))
        held = Link(name, as_mesh("mesh", mesh), inertia)
        links, joints = [*self.links.values(), held], [*self.joints, joint]
        return self._remade(links, joints, self._bases)

    def placed(self, pose: PoseLike) -> Self:
        """Return the same robot with its base at a (4, 4) pose.

        Both robots share meshes and hierarchies, except for links that no joint moves.
        """
        return self._remade(self.links.values(), self.joints, self._bases.at(pose))

    def _remade(self, links: Iterable[Link], joints: Iterable[Joint], bases: Bases) -> Self:
        """Return a robot with other links and joints, and the same pairs, padding and groups."""
        robot = self._made(links, joints, bases, self._pairs.placed)
        robot._pairs.follow(self._pairs)
        robot._groups = self._groups
        return robot

    def _check_link(self, link: str) -> None:
        if as_name("link", link) not in self.links:
            raise ValueError(f"link: expected a link of the robot, got {link!r}")

    def padded(self, distances: Mapping[str, float]) -> Self:
        """Return the same robot with distances kept around links.

        The paddings of two links are added to the separation of a query. Ignored pairs stay
        ignored.

        Args:
            distances: {link: distance}; 0 removes a padding. Other links keep their padding.

        """
        robot = object.__new__(type(self))
        robot.__dict__.update(self.__dict__)
        robot.links, robot.joints = dict(self.links), list(self.joints)
        robot._pairs = self._pairs.padded(distances)
        robot._queries = Queries(self._space, robot._pairs)
        return robot

    @property
    def base(self) -> Floats:
        """Pose of the base, (4, 4)."""
        return self._bases.pose.copy()

    @property
    def members(self) -> dict[str, slice]:
        """Range of coordinates of each combined robot in a configuration, by name."""
        return dict(self._bases.members)

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """Mesh files that do not exist, by link; contacts with them are missed.

        Empty unless `from_urdf` was called with missing="warn".
        """
        return {link.name: link.missing for link in self.links.values() if link.missing}

    @property
    def groups(self) -> dict[str, JointGroup]:
        """Groups of joints in the SRDF, by name."""
        return dict(self._groups.groups)

    @property
    def group_states(self) -> dict[str, dict[str, dict[str, float]]]:
        """States in the SRDF, as {group: {state: {coordinate name: value}}}.

        `robot.group_states["arm"]["home"]` may be {"shoulder": 0.5, ...}.
        """
        return {
            group: {state: dict(values) for state, values in states.items()}
            for group, states in self._groups.states.items()
        }

    @property
    def padding(self) -> dict[str, float]:
        """Distances kept around links, by name."""
        return dict(self._pairs.padding)

    @property
    def open_links(self) -> tuple[str, ...]:
        """Links with components that are surfaces, in which bodies may start without a contact."""
        shown = ((link.name, link.mesh) for link in self.links.values() if link.mesh is not None)
        return tuple(name for name, mesh in shown if not np.all(mesh.solid_faces))

    def zero_configuration(self) -> Floats:
        """Return the configuration with all joints at zero, (dof,)."""
        return self._space.zero()

    def within_limits(self, q: ArrayLike) -> bool:
        """Return whether a (dof,) configuration is within limits; mimic joints are not checked."""
        return self._space.within_limits(q)

    def random_configurations(self, count: int, seed: int = 0) -> Floats:
        """Return random configurations within the limits, (count, dof).

        Angles without limits are drawn from -pi..pi, displacements without limits from -1..1.
        """
        return self._space.random(count, seed)

    def interpolate(self, q0: ArrayLike, q1: ArrayLike, t: ArrayLike) -> Floats:
        """Return the configurations at times t of the straight motions from q0 to q1.

        Args:
            q0: configurations at t = 0, (dof,) or (n, dof).
            q1: configurations at t = 1, (dof,) or (n, dof).
            t: one time, or times (n,).

        """
        for name, rows in (("q0", q0), ("q1", q1)):
            shape = as_floats(name, rows).shape
            if shape[-1:] != (self.dof,):
                wanted = f"({self.dof},) or (n, {self.dof})"
                raise ValueError(f"{name}: expected shape {wanted}, got {shape}")
        return self._space.interpolate(q0, q1, t)

    @property
    def ignored_pairs(self) -> dict[Pair, str]:
        """Reason for each pair that is never tested, by (link, link) or (link, body).

        The body "*" means all bodies of any world.
        """
        return self._pairs.ignored

    def tests(self, link: str, other: str) -> bool:
        """Return whether a link is tested against another link or a body of the world."""
        return self._pairs.tests(link, other)

    def ignore(self, link: str, other: str, reason: str = "by hand") -> None:
        """Never test a link against another link or a body of the world.

        Args:
            link: a link with geometry.
            other: another link, or the name of a body in any world. If a link and a body have the
                same name, the link is ignored and the body stays tested.
            reason: text for `ignored_pairs`.

        """
        self._pairs.ignore(link, other, reason)

    def unignore(self, link: str, other: str) -> None:
        """Test an ignored pair again, regardless of the reason for which it is ignored."""
        self._pairs.unignore(link, other)

    def infer_ignored_pairs(
        self,
        samples: int = 100,
        seed: int = 0,
        *,
        at: ArrayLike | None = None,
        share: float = 1.0,
    ) -> dict[Pair, str]:
        """Ignore links that are in contact at many configurations; return all ignored pairs.

        Pairs that are in contact less often, or never, stay tested.

        Args:
            samples: number of random configurations.
            seed: seed of the random configurations.
            at: configurations to use instead of random ones, (dof,) or (n, dof).
            share: fraction of the configurations, from 0 to 1, at which an ignored pair is at
                least in contact.

        """
        poses = self.random_configurations(samples, seed) if at is None else at
        rows = as_shape("at", np.atleast_2d(np.asarray(poses)), -1, self.dof)
        if not len(rows):
            name = "samples" if at is None else "at"
            raise ValueError(f"{name}: expected at least one configuration, got none")
        found = inferred_pairs(self._pairs, rows, share, "sampled" if at is None else "given")
        with self._pairs.lock:
            self._pairs.leave_out(self._pairs.reasons | found, self._pairs.body_reasons)
            return self.ignored_pairs

    def forward_kinematics(self, q: ArrayLike) -> dict[str, Floats]:
        """Return the poses of all links, by name.

        Args:
            q: one configuration (dof,), which gives poses (4, 4), or configurations (n, dof), which
                give poses (n, 4, 4).

        """
        rows = as_floats("q", q)
        many = rows.ndim == 2
        rows = as_shape("q", rows, *([-1] * many), self.dof)
        frames = core.robot_frames(self._pairs.core, rows if many else rows[None])
        return self._tree.poses(frames if many else frames[0])

    def link_motion(self, link: str, q0: ArrayLike, q1: ArrayLike) -> Motion:
        """Return the motion of a link's frame, for `toccata.first_contact` with the link's mesh.

        Args:
            link: name of the link.
            q0: configuration at t = 0, (dof,).
            q1: configuration at t = 1, (dof,).

        """
        self._check_link(link)
        ends = as_shape("q0", q0, self.dof), as_shape("q1", q1, self.dof)
        return self._tree.motion(link, np.array(ends))
