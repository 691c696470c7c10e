"""What a robot is made of, where it stands, and which pairs of bodies it tests."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._native import core
from toccata._text import listed
from toccata.mesh import as_solid
from toccata.motion import Motion
from toccata.robot.bases import Bases
from toccata.robot.configuration import Configurations
from toccata.robot.ignored import Pair, inferred_pairs
from toccata.robot.parts import Joint, Link
from toccata.robot.queries import Queries
from toccata.robot.tested import TestedPairs
from toccata.robot.tree import PlacedMeshes, build_tree

if TYPE_CHECKING:
    from toccata.dynamics.mass import MassProperties


class RobotModel:
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
        ignored = dict(self._pairs.reasons), dict(self._pairs.body_reasons)
        return type(self)._made, made, (ignored, self.padding)

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        ignored, padding = state
        self._pairs.leave_out(*ignored)
        self._pairs.padding = padding

    def __repr__(self) -> str:
        joints = f"{self.dof} numbers of {len(self.joint_names)} joints: {listed(self.joint_names)}"
        links = f"{len(self.links)} links, {len(self.link_names)} with geometry"
        moving = joints if self.joint_names else "no joints that move"
        return f"Robot({links}: {listed(self.link_names)}; {moving}; {self._pairs.counts()})"

    @classmethod
    def from_urdf(
        cls,
        path: str | os.PathLike[str],
        *,
        srdf: str | os.PathLike[str] | None = None,
        package_dirs: Sequence[str | os.PathLike[str]] = (),
        geometry: Literal["collision", "visual"] = "collision",
        primitive_error: float = 1e-4,
        solid: bool | Literal["auto"] = "auto",
    ) -> Self:
        """Read a URDF.

        Args:
            path: the URDF file.
            srdf: a file whose `disable_collisions` name pairs of links that are not tested.
            package_dirs: folders in which `package://name/...` is looked for.
            geometry: which geometry of the links to use.
            primitive_error: spheres and cylinders become meshes that contain them and stick out
                at most this much.
            solid: whether a body that starts wholly inside a mesh file of the robot overlaps it.
                "auto": where the mesh is closed; open parts are surfaces, and `open_links` names
                their links. True refuses open meshes, and with False all are surfaces. Boxes,
                spheres and cylinders are always solid.

        """
        from toccata.robot.urdf import Reading, read_urdf
        from toccata.robot.xml_file import naming

        with naming(path):
            how = Reading(geometry, primitive_error, as_solid(solid))
            robot = cls(*read_urdf(path, package_dirs, how))
        if srdf is not None:
            from toccata.robot.srdf import read_disabled

            robot._pairs.leave_out_more(read_disabled(srdf, set(robot.links)))
        return robot

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
        from toccata.robot.pinocchio import read_pinocchio

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
        robot = self._made(links, joints, self._bases, self._pairs.placed)
        own = {pair: reason for pair, reason in robot._pairs.reasons.items() if name in pair}
        robot._pairs.leave_out(self._pairs.reasons | own, dict(self._pairs.body_reasons))
        robot._pairs.padding = self.padding
        return robot

    def placed(self, pose: ArrayLike) -> Self:
        """Return the same robot with its base at a pose.

        Meshes and hierarchies are shared, those of links that no joint moves aside.
        """
        parts = self.links.values(), self.joints, self._bases.at(pose)
        robot = self._made(*parts, self._pairs.placed)
        robot._pairs.leave_out(dict(self._pairs.reasons), dict(self._pairs.body_reasons))
        robot._pairs.padding = self.padding
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
        """All pairs that are never tested, with the reason; a body of the world comes second."""
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
