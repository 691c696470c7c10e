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
from toccata.near import Proximities
from toccata.options import ClearanceOptions, ClearancePathOptions, RobotOptions, RobotPathOptions
from toccata.robot.clearance import RobotClearance
from toccata.robot.configuration import Configurations
from toccata.robot.contact import RobotBatch, RobotContact
from toccata.robot.distances import RobotDistances
from toccata.robot.ignored import Pair, inferred_pairs
from toccata.robot.options import FREE_OPTIONS, clearance_options_in, options_in
from toccata.robot.parts import Joint, Link
from toccata.robot.queries import Queries
from toccata.robot.spline import curve_through
from toccata.robot.tested import TestedPairs
from toccata.robot.tree import build_tree
from toccata.scene import as_world


class Robot:
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
        self._space = Configurations(self.joints, self._tree.coordinate)
        self._pairs = TestedPairs(parts, self.joints, self._tree)
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
        ignored = dict(self._pairs.reasons), dict(self._pairs.body_reasons)
        return type(self), (tuple(self.links.values()), tuple(self.joints)), ignored

    def __setstate__(self, ignored: tuple[Any, Any]) -> None:
        self._pairs.leave_out(*ignored)

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

            robot._pairs.leave_out_more(read_disabled(srdf, set(robot.links)))
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
        robot._pairs.leave_out(reasons, {})
        return robot

    def attached(self, link: str, name: str, mesh: Any, pose: ArrayLike | None = None) -> Robot:
        """Return a robot that holds a body: a new link `name`, fixed to `link` at `pose`."""
        joint = Joint(name, "fixed", link, name, np.eye(4) if pose is None else pose)
        robot = Robot([*self.links.values(), Link(name, mesh)], [*self.joints, joint])
        own = {pair: reason for pair, reason in robot._pairs.reasons.items() if name in pair}
        robot._pairs.leave_out(self._pairs.reasons | own, dict(self._pairs.body_reasons))
        return robot

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

    def first_contact(
        self, q0: ArrayLike, q1: ArrayLike, world: Any = None, **options: Unpack[RobotOptions]
    ) -> RobotContact:
        """Return the first contact on the straight way from q0 to q1 in joint space.

        Args:
            q0: (dof,) configuration at t = 0.
            q1: (dof,) configuration at t = 1.
            world: toccata.Scene, trimesh.Scene, a mesh, or None for a robot alone.
            self_contact: whether links are tested against each other.
            method: "auto" is the fastest; "interval" and "hca" follow the papers
                (docs/methods.md).
            tolerance, separation, initial, budget, stages: see `toccata.options.RobotOptions`.

        """
        bodies = as_world(world)
        return self._queries.contact(q0, q1, bodies, options_in(bodies, self._pairs, options))

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

        The answers do not depend on the number of threads, by default one per core.
        """
        starts = as_shape("Q0", Q0, -1, self.dof)
        ends = as_shape("Q1", Q1, len(starts), self.dof)
        bodies = as_world(world)
        how = options_in(bodies, self._pairs, options)
        return self._queries.contacts(starts, ends, bodies, how, as_threads(threads))

    def motion_is_free(
        self, q0: ArrayLike, q1: ArrayLike, world: Any = None, **options: Unpack[RobotOptions]
    ) -> bool:
        """Whether the straight way from q0 to q1 is proven free; arguments as `first_contact`.

        Stops at the first proof either way, so that there is no `initial` and there are no
        `stages`. A budget that runs out gives False.
        """
        bodies = as_world(world)
        how = options_in(bodies, self._pairs, options, FREE_OPTIONS)
        return self._queries.is_free(q0, q1, bodies, how)

    def first_contact_path(
        self, Q: ArrayLike, world: Any = None, **options: Unpack[RobotPathOptions]
    ) -> RobotContact:
        """Return the first contact on the way through the (n, dof) configurations Q.

        Bodies of the world that move do so over the whole path. `toccata.options.PathOptions` says
        what the way is; other options are those of `first_contact`, the budget is for each piece.
        Splines have no "hca".
        """
        bodies = as_world(world)
        curve, how = curve_through(self._space, Q, options)
        if curve.kind != "linear" and how.get("method") == "hca":
            raise ValueError("method: expected auto or interval for a spline, got 'hca'")
        return self._queries.contact_on(curve, bodies, options_in(bodies, self._pairs, how))

    def clearance(
        self, q0: ArrayLike, q1: ArrayLike, world: Any = None, **options: Unpack[ClearanceOptions]
    ) -> RobotClearance:
        """Return how near anything comes on the straight way from q0 to q1 in joint space.

        Args:
            q0: (dof,) configuration at t = 0.
            q1: (dof,) configuration at t = 1.
            world: toccata.Scene, a mesh, or None for a robot alone.
            options: see `toccata.options.ClearanceOptions`.

        """
        bodies = as_world(world)
        how = clearance_options_in(bodies, self._pairs, options)
        return self._queries.clearance(q0, q1, bodies, how)

    def clearance_path(
        self, Q: ArrayLike, world: Any = None, **options: Unpack[ClearancePathOptions]
    ) -> RobotClearance:
        """Return how near anything comes on the way through the (n, dof) configurations Q.

        The way is that of `first_contact_path`; other options are those of `clearance`, and the
        budget is for each piece.
        """
        bodies = as_world(world)
        curve, rest = curve_through(self._space, Q, options)
        how = clearance_options_in(bodies, self._pairs, rest)
        return self._queries.clearance_on(curve, bodies, how)

    def distances(
        self, Q: ArrayLike, world: Any = None, *, limit: float = np.inf, threads: int | None = None
    ) -> RobotDistances:
        """Return the distances of all tested pairs at (n, dof) configurations, for optimizers."""
        rows = as_shape("Q", Q, -1, self.dof)
        return self._queries.distances(rows, as_world(world), limit, as_threads(threads))

    def proximities(self, q: ArrayLike, world: Any = None, *, distance: float) -> Proximities:
        """Return what `toccata.proximities` lists, of all tested pairs at a configuration."""
        return self._queries.proximities(as_shape("q", q, self.dof), as_world(world), distance)
