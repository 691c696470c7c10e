"""Robots, and the queries about their motions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape, as_threads
from toccata._options import (
    ClearanceOptions,
    ClearancePathOptions,
    PathOptions,
    RobotFreeOptions,
    RobotIntervalOptions,
    RobotIntervalPathOptions,
    RobotOptions,
    RobotPairsOptions,
    RobotPairsPathOptions,
    RobotPathOptions,
    Which,
    check_known,
    takes,
)
from toccata._proximity import ClearanceBatch, Proximities
from toccata._robot.answers import RobotBatch, RobotClearance, RobotContact, RobotDistances
from toccata._robot.model import RobotModel
from toccata._robot.path import check_method, curve_through
from toccata._robot.spline import Curve
from toccata._scene import as_world
from toccata.typing import WaypointsLike, WorldLike


def as_robot(value: Any) -> Robot:
    """Return a robot; raise TypeError for other types."""
    if not isinstance(value, Robot):
        raise TypeError(f"robot: expected a toccata.Robot, got {type(value).__name__}")
    return value


class Robot(RobotModel):
    """A tree of rigid links and joints.

    A configuration is a (dof,) array of joint coordinates, in the order of `joints`. Fixed joints
    and mimic joints have no coordinates; `Joint` lists the coordinates of all other kinds. Motions
    are straight in joint space: every joint moves at a constant rate, and a difference of 2 pi is a
    full turn.

    Every link is tested against every body of the world. The base is tested too, so `ignore` the
    body that the robot stands on. Links are tested against each other, except adjacent links and
    links connected by fixed joints. Links are adjacent if a joint connects them, or if all links
    between them have no geometry. `ignored_pairs` lists all pairs that are not tested, with the
    reasons; `ignore` and `infer_ignored_pairs` add more pairs.

    Args:
        links: the links, in any order.
        joints: the joints, which have to connect all links into one tree.

    """

    @takes(RobotOptions)
    def first_contact(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: WorldLike = None,
        *,
        contacts: Which = "first",
        **options: Unpack[RobotOptions],
    ) -> RobotContact:
        """Return the first contact on the straight motion from q0 to q1 in joint space.

        Args:
            q0: configuration at t = 0, (dof,).
            q1: configuration at t = 1, (dof,).
            world: a `Scene`, a `trimesh.Scene` or one body; None for an empty world.
            contacts: "all" also lists all pairs of triangles in contact at `toc`, as `.contacts`.

        """
        bodies = as_world(world)
        answer = self._queries.contact(q0, q1, bodies, options, contacts=contacts)
        return answer._keeping(self, bodies, np.array(q0), np.array(q1))

    @takes(RobotOptions)
    def first_contact_batch(
        self,
        Q0: ArrayLike,
        Q1: ArrayLike,
        world: WorldLike = None,
        *,
        threads: int | None = None,
        **options: Unpack[RobotOptions],
    ) -> RobotBatch:
        """Return the first contacts on many straight motions, one row per motion.

        Args:
            Q0: configurations at t = 0, (n, dof).
            Q1: configurations at t = 1, (n, dof).
            world: as for `first_contact`.
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        starts = as_shape("Q0", Q0, -1, self.dof)
        ends = as_shape("Q1", Q1, len(starts), self.dof)
        return self._queries.contacts(starts, ends, as_world(world), options, as_threads(threads))

    @takes(RobotFreeOptions)
    def motion_is_free(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: WorldLike = None,
        **options: Unpack[RobotFreeOptions],
    ) -> bool:
        """Return whether the straight motion from q0 to q1 is proven free.

        Stops at the first proof of freedom or of a contact, and is therefore faster than
        `first_contact` if the motion is not free. Returns False if the budget is exhausted.

        Args:
            q0: configuration at t = 0, (dof,).
            q1: configuration at t = 1, (dof,).
            world: as for `first_contact`.

        """
        return self._queries.is_free(q0, q1, as_world(world), options)

    @takes(RobotPathOptions)
    def first_contact_path(
        self,
        Q: WaypointsLike,
        world: WorldLike = None,
        *,
        contacts: Which = "first",
        **options: Unpack[RobotPathOptions],
    ) -> RobotContact:
        """Return the first contact on a path through configurations.

        Waypoints outside of the joint limits cause a warning. Method "hca" does not follow splines.

        Args:
            Q: waypoints, (n, dof). Combined robots also accept {name: (times, waypoints)}, with a
                clock for each robot. The path then lasts from the first of all times to the last,
                and a robot stands still before and after its own times.
            world: as for `first_contact`. Its bodies move during the whole path, or during
                `world_times`.
            contacts: as for `first_contact`.

        """
        bodies = as_world(world)
        curve, rest = self._path(Q, options, RobotPathOptions)
        check_method(curve, rest.get("method"))
        answer = self._queries.contact_on(curve, bodies, rest, contacts=contacts)
        return answer._keeping(self, bodies, replace(curve, rows=curve.rows.copy()))

    @takes(RobotPairsOptions)
    def contacts(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: WorldLike = None,
        *,
        threads: int | None = None,
        **options: Unpack[RobotPairsOptions],
    ) -> RobotBatch:
        """Return the first contact of every tested pair that is not proven free, one row per pair.

        Rows are sorted by time. The budget applies to each pair.

        Args:
            q0: configuration at t = 0, (dof,).
            q1: configuration at t = 1, (dof,).
            world: as for `first_contact`.
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        check_known(options, RobotPairsOptions.__optional_keys__)
        ends = as_shape("q0", q0, self.dof), as_shape("q1", q1, self.dof)
        return self.contacts_path(ends, world, threads=threads, **options)

    @takes(RobotPairsPathOptions)
    def contacts_path(
        self,
        Q: WaypointsLike,
        world: WorldLike = None,
        *,
        threads: int | None = None,
        **options: Unpack[RobotPairsPathOptions],
    ) -> RobotBatch:
        """Return the first contact of every tested pair on a path, one row per pair, by time.

        Args:
            Q: waypoints, as for `first_contact_path`.
            world: as for `first_contact_path`.
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        bodies, workers = as_world(world), as_threads(threads)
        curve, rest = self._path(Q, options, RobotPairsPathOptions)
        return self._queries.contacts_on(curve, bodies, rest, workers)

    @takes(RobotIntervalOptions)
    def contact_intervals(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: WorldLike = None,
        *,
        resolution: float = 1e-3,
        **options: Unpack[RobotIntervalOptions],
    ) -> Floats:
        """Return the windows of a straight motion in which contact cannot be excluded.

        Returns the starts and ends of the windows, (k, 2), for all tested pairs together. They have
        the meaning of `toccata.contact_intervals`.

        Args:
            q0: configuration at t = 0, (dof,).
            q1: configuration at t = 1, (dof,).
            world: as for `first_contact`.
            resolution: smallest gap between two windows, as a fraction of the motion. Windows with
                a smaller gap are merged.

        """
        check_known(options, RobotIntervalOptions.__optional_keys__)
        ends = as_shape("q0", q0, self.dof), as_shape("q1", q1, self.dof)
        return self.contact_intervals_path(ends, world, resolution=resolution, **options)

    @takes(RobotIntervalPathOptions)
    def contact_intervals_path(
        self,
        Q: WaypointsLike,
        world: WorldLike = None,
        *,
        resolution: float = 1e-3,
        **options: Unpack[RobotIntervalPathOptions],
    ) -> Floats:
        """Return the windows of a path in which contact cannot be excluded.

        Args:
            Q: waypoints, as for `first_contact_path`.
            world: as for `first_contact_path`.
            resolution: as for `contact_intervals`.

        """
        bodies = as_world(world)
        curve, rest = self._path(Q, options, RobotIntervalPathOptions)
        return self._queries.contact_intervals(curve, bodies, rest, resolution)

    @takes(ClearanceOptions)
    def clearance(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: WorldLike = None,
        **options: Unpack[ClearanceOptions],
    ) -> RobotClearance:
        """Return the least distance between tested pairs on the straight motion from q0 to q1.

        Distances are measured between the links themselves, without padding.

        Args:
            q0: configuration at t = 0, (dof,).
            q1: configuration at t = 1, (dof,).
            world: as for `first_contact`.

        """
        bodies = as_world(world)
        answer = self._queries.clearance(q0, q1, bodies, options)
        return answer._keeping(self, bodies, np.array(q0), np.array(q1))

    @takes(ClearanceOptions)
    def clearance_batch(
        self,
        Q0: ArrayLike,
        Q1: ArrayLike,
        world: WorldLike = None,
        *,
        threads: int | None = None,
        **options: Unpack[ClearanceOptions],
    ) -> ClearanceBatch:
        """Return the least distance between tested pairs on each of many straight motions.

        Args:
            Q0: configurations at t = 0, (n, dof).
            Q1: configurations at t = 1, (n, dof).
            world: as for `first_contact`.
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        starts = as_shape("Q0", Q0, -1, self.dof)
        ends = as_shape("Q1", Q1, len(starts), self.dof)
        bodies, workers = as_world(world), as_threads(threads)
        return self._queries.clearance_rows(starts, ends, bodies, options, workers)

    @takes(ClearancePathOptions)
    def clearance_path(
        self, Q: WaypointsLike, world: WorldLike = None, **options: Unpack[ClearancePathOptions]
    ) -> RobotClearance:
        """Return the least distance between tested pairs on a path.

        Args:
            Q: waypoints, as for `first_contact_path`.
            world: as for `first_contact_path`.

        """
        bodies = as_world(world)
        curve, rest = self._path(Q, options, ClearancePathOptions)
        answer = self._queries.clearance_on(curve, bodies, rest)
        return answer._keeping(self, bodies, replace(curve, rows=curve.rows.copy()))

    def distances(
        self,
        Q: ArrayLike,
        world: WorldLike = None,
        *,
        limit: float = inf,
        threads: int | None = None,
    ) -> RobotDistances:
        """Return the distances between bodies of all tested pairs at many configurations.

        Optimizers use these distances as costs or constraints.

        Args:
            Q: configurations, (n, dof).
            world: as for `first_contact`.
            limit: largest distance to resolve. Beyond it, `lower` is the limit, and `upper` and
                `distance` are infinite.
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        rows = as_shape("Q", Q, -1, self.dof)
        return self._queries.distances(rows, as_world(world), limit, threads)

    @takes(PathOptions)
    def distances_path(
        self,
        Q: WaypointsLike,
        world: WorldLike = None,
        *,
        at: ArrayLike,
        limit: float = inf,
        threads: int | None = None,
        **options: Unpack[PathOptions],
    ) -> RobotDistances:
        """Return the distances between bodies of all tested pairs at many times of a path.

        Args:
            Q: waypoints, as for `first_contact_path`.
            world: as for `first_contact_path`. Its bodies have their poses at these times.
            at: times from 0 to 1 over the whole path, (n,).
            limit: as for `distances`.
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        bodies, workers, times = as_world(world), as_threads(threads), as_shape("at", at, -1)
        curve, _ = self._path(Q, options, PathOptions)
        return self._queries.distances_on(curve, times, bodies, limit, workers)

    def proximities(self, q: ArrayLike, world: WorldLike = None, *, distance: float) -> Proximities:
        """Return the proximities of all tested pairs at a configuration.

        Args:
            q: configuration, (dof,).
            world: as for `first_contact`.
            distance: largest distance between the features of a pair; see `toccata.proximities`.

        """
        return self._queries.proximities(as_shape("q", q, self.dof), as_world(world), distance)

    def _path(
        self, Q: Any, given: Mapping[str, Any], options: Any = None
    ) -> tuple[Curve, dict[str, Any]]:
        """Return the path through waypoints, and the remaining options."""
        return curve_through(self._space, Q, self.members, given, options)
