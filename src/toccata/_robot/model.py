"""What a robot is made of, where it stands, and which pairs of bodies it tests."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._mesh import as_solid
from toccata._motion import Motion
from toccata._native import core
from toccata._robot.bases import Bases
from toccata._robot.configuration import Configurations
from toccata._robot.groups import Groups, JointGroup
from toccata._robot.ignored import Pair, inferred_pairs
from toccata._robot.mesh_files import PackageDirs
from toccata._robot.parts import Joint, Link
from toccata._robot.queries import Queries
from toccata._robot.tested import TestedPairs
from toccata._robot.tree import PlacedMeshes, build_tree
from toccata._shown import Shown
from toccata._text import listed, visible

if TYPE_CHECKING:
    from toccata.dynamics._mass import MassProperties


class RobotModel(Shown):
    """All of a robot but the questions about its motions, which `Robot` adds."""

    def __init__(self, links: Iterable[Link], joints: Iterable[Joint]) -> None:
        """Check that links and joints form a tree."""
        self._make(list(links), list(joints), Bases(), {})

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
        self.dof = self._space.dof
        """Numbers of a configuration."""
        self.joint_names, self.link_names = self._space.joint_names, self._pairs.link_names
        """Joints with numbers of their own, and links with geometry."""
        self.coordinate_names = self._space.coordinate_names
        self.lower, self.upper = self._space.lower, self._space.upper
        """(dof,) limits."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle links, joints and what is ignored; the rest is made again."""
        none: PlacedMeshes = {}
        made = tuple(self.links.values()), tuple(self.joints), self._bases, none
        return type(self)._made, made, (self._pairs.choices(), self._groups)

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        choices, self._groups = state
        self._pairs.choose(*choices)

    def __repr__(self) -> str:
        joints = f"{self.dof} numbers of {len(self.joint_names)} joints: {listed(self.joint_names)}"
        links = f"{len(self.links)} links, {len(self.link_names)} with geometry"
        moving = joints if self.joint_names else "no joints that move"
        lost = f"; missing geometry: {listed(self.missing)}" if self.missing else ""
        counts = self._pairs.counts()
        return f"Robot({links}: {listed(self.link_names)}; {moving}; {counts}{lost})"

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
        """Read a URDF.

        Args:
            path: the URDF file.
            srdf: a file with pairs of links that are not tested, groups of joints and their
                states (`groups`, `group_states`). Pairs have MoveIt's meaning: a link of
                `disable_default_collisions` is tested against nothing, bodies of the world
                included, until `enable_collisions` says otherwise.
            package_dirs: folders in which `package://name/...` is looked for, or the folder of
                each package by name. Packages that contain the URDF, or lie beside it or beside a
                folder above it, are found without.
            geometry: which geometry of the links to use.
            primitive_error: spheres, capsules and cylinders become meshes that contain them and
                stick out at most this much.
            solid: whether a body that starts wholly inside a mesh file of the robot overlaps it.
                "auto": where the mesh is closed; open parts are surfaces, and `open_links` names
                their links. True refuses open meshes, and with False all are surfaces. Boxes,
                spheres, capsules and cylinders are always solid.
            missing: a mesh file that does not exist is an error by default. With "warn" the robot
                loads without it: its contacts are missed, and `missing` lists it.

        """
        from toccata._robot.urdf import Reading, read_urdf
        from toccata._robot.xml_file import naming

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
        if still := self._pairs.follow_srdf(found):
            names = ", ".join(f"{a} and {b}" for a, b in still)
            text = "enable_collisions of links that are fixed to each other changes nothing"
            warnings.warn(visible(f"{os.fspath(path)}: {text}: {names}"), stacklevel=3)

    @classmethod
    def from_pinocchio(
        cls, model: Any, geometry_model: Any, *, primitive_error: float = 1e-4
    ) -> Self:
        """Take over a pinocchio.Model with a pinocchio.GeometryModel.

        Each geometry object is a link of its own, named as there; the collision pairs of the
        geometry model are the pairs of links that are tested, those that move together aside.
        Joints keep their order; `PinocchioOrder` translates configurations. What a joint carries
        weighs what `model.inertias` says.
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
        mesh: Any,
        pose: ArrayLike | None = None,
        inertia: MassProperties | None = None,
    ) -> Self:
        """Return a robot that holds a body: a new link `name`, fixed to `link` at `pose`."""
        joint = Joint(name, "fixed", link, name, np.eye(4) if pose is None else pose)
        links, joints = [*self.links.values(), Link(name, mesh, inertia)], [*self.joints, joint]
        return self._remade(links, joints, self._bases)

    def placed(self, pose: ArrayLike) -> Self:
        """Return the same robot with its base at a pose.

        Meshes and hierarchies are shared, those of links that no joint moves aside.
        """
        return self._remade(self.links.values(), self.joints, self._bases.at(pose))

    def _remade(self, links: Iterable[Link], joints: Iterable[Joint], bases: Bases) -> Self:
        """Return a robot of other parts, with the same tested pairs, padding and groups."""
        robot = self._made(links, joints, bases, self._pairs.placed)
        robot._pairs.follow(self._pairs)
        robot._groups = self._groups
        return robot

    def padded(self, distances: Mapping[str, float]) -> Self:
        """Return the same robot with distances kept around links, by name; 0 takes one away.

        A padded link is in contact with whatever comes within its distance: bodies and links alike,
        ignored pairs aside. The distances of two links, and the separation of a query, add up.
        """
        robot = object.__new__(type(self))
        robot.__dict__.update(self.__dict__)
        robot.links, robot.joints = dict(self.links), list(self.joints)
        robot._pairs = self._pairs.padded(distances)
        robot._queries = Queries(self._space, robot._pairs)
        return robot

    @property
    def base(self) -> Floats:
        """(4, 4) pose of the base."""
        return self._bases.pose.copy()

    @property
    def members(self) -> dict[str, slice]:
        """Of `toccata.combine`: the numbers of each robot in a configuration, by name."""
        return dict(self._bases.members)

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """Mesh files that do not exist, by link: contacts with this geometry are missed.

        It is empty unless `from_urdf` was called with missing="warn".
        """
        return {link.name: link.missing for link in self.links.values() if link.missing}

    @property
    def groups(self) -> dict[str, JointGroup]:
        """Groups of joints of the SRDF, by name."""
        return dict(self._groups.groups)

    @property
    def group_states(self) -> dict[str, dict[str, dict[str, float]]]:
        """States of the SRDF by group and name: numbers of a configuration, by their names.

        `robot.group_states["arm"]["home"]` is {"shoulder": 0.5, ...}; the names are among
        `coordinate_names`.
        """
        return {
            group: {state: dict(numbers) for state, numbers in states.items()}
            for group, states in self._groups.states.items()
        }

    @property
    def padding(self) -> dict[str, float]:
        """Distances kept around links, by name."""
        return dict(self._pairs.padding)

    def zero_configuration(self) -> Floats:
        """Return all joints at zero."""
        return self._space.zero()

    def within_limits(self, q: ArrayLike) -> bool:
        """Whether a configuration respects all limits, those of mimic joints aside."""
        return self._space.within_limits(q)

    def random_configurations(self, count: int, seed: int = 0) -> Floats:
        """Return (count, dof) configurations within the limits; of angles, within a turn."""
        return self._space.random(count, seed)

    def interpolate(self, q0: ArrayLike, q1: ArrayLike, t: ArrayLike) -> Floats:
        """Return the configurations at times t on the way from q0 to q1, row by row."""
        return self._space.interpolate(q0, q1, t)

    @property
    def open_links(self) -> tuple[str, ...]:
        """Links that are surfaces in part or in whole: starting inside of these is no contact."""
        shown = ((link.name, link.mesh) for link in self.links.values() if link.mesh is not None)
        return tuple(name for name, mesh in shown if not np.all(mesh.solid_faces))

    @property
    def ignored_pairs(self) -> dict[Pair, str]:
        """All pairs that are never tested, with the reason; a body of the world comes second.

        A body "*" stands for all bodies of any world.
        """
        return self._pairs.ignored

    def tests(self, link: str, other: str) -> bool:
        """Whether the contact of a link with another link or a body of the world is looked for."""
        return self._pairs.tests(link, other)

    def ignore(self, link: str, other: str, reason: str = "by hand") -> None:
        """Never report contacts of a link with another one, or with a body of the world.

        A name that is no link of the robot is that of a body, in whatever world. One that is a
        link is not: a body of the same name stays in the tests.
        """
        self._pairs.ignore(link, other, reason)

    def unignore(self, link: str, other: str) -> None:
        """Test a pair that is ignored, for whatever reason; the opposite of `ignore`."""
        self._pairs.unignore(link, other)

    def infer_ignored_pairs(
        self,
        samples: int = 100,
        seed: int = 0,
        *,
        at: ArrayLike | None = None,
        share: float = 1.0,
    ) -> dict[Pair, str]:
        """Ignore links in contact at a `share` of random poses too, and return all ignored pairs.

        `at` has (dof,) or (n, dof) configurations to look at in place of random ones. Pairs in
        contact less often, and pairs that never were, stay in the tests.
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
        """Return the (4, 4) pose of every link, by name."""
        frames = core.robot_frames(self._pairs.core, as_shape("q", q, self.dof)[None])[0]
        return self._tree.poses(frames)

    def link_motion(self, link: str, q0: ArrayLike, q1: ArrayLike) -> Motion:
        """Return the motion of a link's own frame, for `toccata.first_contact` with its mesh."""
        if link not in self.links:
            raise ValueError(f"link: expected a link of the robot, got {link!r}")
        ends = as_shape("q0", q0, self.dof), as_shape("q1", q1, self.dof)
        return self._tree.motion(link, np.array(ends))
