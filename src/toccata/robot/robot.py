"""Robots: is this motion free, and if not, when and where is the first contact?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape, as_threads
from toccata._native import core
from toccata._text import listed
from toccata.motion import Motion
from toccata.options import RobotOptions, check_known
from toccata.robot.contact import RobotBatch, RobotContact
from toccata.robot.ignored import known_as
from toccata.robot.options import FREE_OPTIONS
from toccata.robot.parts import Joint, Link
from toccata.robot.paths import PathQueries
from toccata.robot.tree import build_tree
from toccata.scene import World, as_world


class Robot(PathQueries):
    """A tree of rigid links and joints; configurations are (dof,) arrays.

    A configuration holds the numbers of all joints that move and mimic no other, in the order of
    `joints` (see `Joint` for what they mean). Motions are straight in these numbers: every joint
    turns or shifts at a constant rate; a difference of 2 pi is a full turn.

    Links with geometry that a joint (or links without geometry) connects are not tested against
    each other, nor are links that fixed joints connect; `ignored_pairs` says why, and `ignore` and
    `infer_ignored_pairs` add more. All links are tested against all bodies of the world, the base
    too: `ignore` what it stands on.
    """

    def __init__(self, links: Iterable[Link], joints: Iterable[Joint]) -> None:
        """Check that links and joints form a tree."""
        parts = list(links)
        self.links = {link.name: link for link in parts}
        self.joints = list(joints)
        self._tree = build_tree(parts, self.joints)
        super().__init__(parts, self.joints, self._tree)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle links, joints and what is ignored; the rest is made again."""
        ignored = dict(self._reasons), dict(self._body_reasons)
        return Robot, (tuple(self.links.values()), tuple(self.joints)), ignored

    def __setstate__(self, ignored: tuple[Any, Any]) -> None:
        self._leave_out(*ignored)

    def __repr__(self) -> str:
        joints = f"{self.dof} numbers of {len(self.joint_names)} joints: {listed(self.joint_names)}"
        bodies = f", {len(self._body_reasons)} of links and bodies" if self._body_reasons else ""
        parts = [
            f"{len(self.links)} links, {len(self.link_names)} with geometry: "
            f"{listed(self.link_names)}",
            joints if self.joint_names else "no joints that move",
            f"{self._core.pair_count} pairs of links tested, {len(self._reasons)} ignored{bodies}",
        ]
        return f"Robot({'; '.join(parts)})"

    @classmethod
    def from_urdf(
        cls,
        path: str | os.PathLike[str],
        *,
        srdf: str | os.PathLike[str] | None = None,
        package_dirs: Sequence[str | os.PathLike[str]] = (),
        geometry: Literal["collision", "visual"] = "collision",
        primitive_error: float = 1e-4,
        solid: bool = False,
    ) -> Robot:
        """Read a URDF.

        Args:
            path: the URDF file.
            srdf: a file whose `disable_collisions` name pairs of links that are not tested.
            package_dirs: folders in which `package://name/...` is looked for.
            geometry: which geometry of the links to use.
            primitive_error: spheres and cylinders become meshes that contain them and stick out
                at most this much.
            solid: mesh files are closed, and what starts wholly inside them overlaps; by default
                they are surfaces. Boxes, spheres and cylinders are always solid.

        """
        from toccata.robot.urdf import Reading, read_urdf
        from toccata.robot.xml_file import naming

        with naming(path):
            how = Reading(geometry, primitive_error, bool(solid))
            robot = cls(*read_urdf(path, package_dirs, how))
        if srdf is not None:
            from toccata.robot.srdf import read_disabled

            reasons = dict(robot._reasons)
            for a, b, reason in read_disabled(srdf, set(robot.links)):
                if a in robot._number and b in robot._number:
                    reasons.setdefault(known_as((a, b), reasons), f"SRDF: {reason}")
            robot._leave_out(reasons, {})
        return robot

    @classmethod
    def from_pinocchio(
        cls, model: Any, geometry_model: Any, *, primitive_error: float = 1e-4
    ) -> Robot:
        """Take over a pinocchio.Model with a pinocchio.GeometryModel.

        Each geometry object is a link of its own, named as there; the collision pairs of the
        geometry model are the pairs of links that are tested, those that move together aside.
        Joints keep their order; `PinocchioOrder` translates configurations.
        """
        from toccata.robot.pinocchio import read_pinocchio

        links, joints, reasons = read_pinocchio(model, geometry_model, primitive_error)
        robot = cls(links, joints)
        robot._leave_out(reasons, {})
        return robot

    def attached(self, link: str, name: str, mesh: Any, pose: ArrayLike | None = None) -> Robot:
        """Return a robot that holds a body: a new link `name`, fixed to `link` at `pose`."""
        joint = Joint(name, "fixed", link, name, np.eye(4) if pose is None else pose)
        robot = Robot([*self.links.values(), Link(name, mesh)], [*self.joints, joint])
        own = {pair: reason for pair, reason in robot._reasons.items() if name in pair}
        robot._leave_out(self._reasons | own, dict(self._body_reasons))
        return robot

    def forward_kinematics(self, q: ArrayLike) -> dict[str, Floats]:
        """Return the (4, 4) pose of every link, by name."""
        frames = core.robot_frames(self._core, as_shape("q", q, self.dof)[None])[0]
        return {
            name: offset
            if self._tree.carrier[name] < 0
            else frames[self._tree.carrier[name]] @ offset
            for name, offset in self._tree.offset.items()
        }

    def link_motion(self, link: str, q0: ArrayLike, q1: ArrayLike) -> Motion:
        """Return the motion of a link's own frame, for `toccata.first_contact` with its mesh."""
        if link not in self.links:
            raise ValueError(f"link: expected a link of the robot, got {link!r}")
        ends = as_shape("q0", q0, self.dof), as_shape("q1", q1, self.dof)
        return self._tree.motion(link, np.array(ends))

    def first_contact(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: Any = None,
        **options: Unpack[RobotOptions],
    ) -> RobotContact:
        """Return the first contact on the straight way from q0 to q1 in joint space.

        Args:
            q0: (dof,) configuration at t = 0.
            q1: (dof,) configuration at t = 1.
            world: toccata.Scene, trimesh.Scene, a mesh, or None for a robot alone.
            self_contact: whether links are tested against each other.
            method: "auto" is the fastest; "interval" and "hca" follow the papers
                (docs/methods.md).
            tolerance, separation, initial, budget: as for `toccata.first_contact`; the budget is
                for all pairs together. The separation may also be given pair by pair, as
                {(name_a, name_b): distance, ...} with names of links and of bodies of the world
                in any order; other pairs take the entry "default", or 0.
            stages: of "interval", which to run: "exact" always, "hierarchy" and "swept" may be
                left out; None for all. The answer does not depend on it.

        """
        bodies = as_world(world)
        return self._answer(q0, q1, bodies, self._options(bodies, options))

    def _answer(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        bodies: World,
        options: core.RobotOptions,
        memory: core.ContactMemory | None = None,
    ) -> RobotContact:
        answer = self._ask(core.robot_first_contact, q0, q1, bodies, options, memory)
        return RobotContact._lazy(answer, self.link_names, bodies.names, self._on_line)

    def first_contact_batch(
        self,
        Q0: ArrayLike,
        Q1: ArrayLike,
        world: Any = None,
        *,
        threads: int | None = None,
        **options: Unpack[RobotOptions],
    ) -> RobotBatch:
        """Answer `first_contact` for (n, dof) configurations at both ends.

        Args:
            Q0: (n, dof) configurations at t = 0.
            Q1: (n, dof) configurations at t = 1.
            threads: number of threads; by default one per core. The answers do not depend on it.
            world, options: as for `first_contact`.

        """
        starts = as_shape("Q0", Q0, -1, self.dof)
        ends = as_shape("Q1", Q1, len(starts), self.dof)
        bodies = as_world(world)
        how = self._options(bodies, options)
        columns, a, b, body = core.robot_first_contact_batch(
            self._core, bodies.native, starts, ends, how, as_threads(threads)
        )
        q = self.interpolate(starts, ends, columns[1])
        return RobotBatch(*(*columns, a, b, body, q, self.link_names, bodies.names))

    def motion_is_free(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: Any = None,
        **options: Unpack[RobotOptions],
    ) -> bool:
        """Whether the straight way from q0 to q1 is proven free; arguments as `first_contact`.

        Stops at the first proof either way, so that there is no `initial` and there are no
        `stages`. A budget that runs out gives False.
        """
        if options:
            check_known(options, FREE_OPTIONS)
        bodies = as_world(world)
        how = self._options(bodies, options)
        return self._ask(core.robot_motion_is_free, q0, q1, bodies, how)
