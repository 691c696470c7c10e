"""Logs of articulated bodies, which move straight in joint space between two rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._native import core
from toccata._robot.internal import tree_of
from toccata._robot.logged import LoggedRobot
from toccata.dynamics._links import WorldRobot


class RobotLog:
    """Configurations and rigid groups of an articulated body, one row for each row of the log."""

    __slots__ = ("_floating", "_native", "groups", "q", "robot", "rows")

    def __init__(self, robot: WorldRobot, native: core.World, rows: list[int]) -> None:
        """Start with one row; `rows` are the indices of the links in the names of the log."""
        self.robot, self._native, self.rows = robot, native, np.array(rows)
        body = robot.body
        self.q: list[Floats] = [body.q]
        self.groups: list[NDArray[np.int32]] = [body.groups]
        first = body._core.first_rates
        kinds = [given[1] for given in tree_of(body.robot).given]
        self._floating = [f for f, kind in zip(first, kinds, strict=True) if kind == "floating"]

    def _own(self, records: list[Any]) -> list[Any]:
        return [record[1:] for record in records if record[0] == self.robot.name]

    def spans(self, records: list[Any]) -> tuple[Floats, Floats, Floats]:
        """Return the start and end of each motion, and the turn of floating joints in radians."""
        rows = []
        for first, last, _, v, _ in self._own(records):
            spins = (np.linalg.norm(v[f + 3 : f + 6]) for f in self._floating)
            rows.append((first, last, max(spins, default=0.0) * (last - first)))
        starts, ends, turns = np.array(rows, dtype=np.float64).reshape(-1, 3).T
        return starts, ends, turns

    def extend(self, records: list[Any], time: float) -> tuple[NDArray[np.int32], Floats]:
        """Add a row for a time within the step; return the links' indices in the log, and poses."""
        q, groups = self.q[-1], self.groups[-1]
        rates, passed = np.zeros(self.robot.body.freedoms), 0.0
        for first, last, before, v, now in self._own(records):
            if first < time <= last:
                q, rates, groups, passed = before, v, now, time - first
        q, bodies, poses = self._native.robot_after(self.robot.name, q, rates, passed)
        self.q.append(np.asarray(q))
        self.groups.append(np.asarray(groups))
        return bodies, poses

    def end(self) -> None:
        """Add a row for the end of the step."""
        self.q.append(self.robot.body.q)
        self.groups.append(self.robot.body.groups)


def robot_arrays(
    robots: Sequence[RobotLog], names: Sequence[str], centers: Floats
) -> dict[str, Any]:
    """Return the arrays of all robots of a log: joints, configurations, and carriers of bodies."""
    count = len(names)
    owner, carrier = np.full(count, -1), np.full(count, -1)
    offsets = np.tile(np.eye(4), (count, 1, 1))
    groups = np.full((len(robots[0].q), count), -1)
    arrays: dict[str, Any] = {"robots": np.array([log.robot.name for log in robots])}
    ignored = []
    for i, log in enumerate(robots):
        rows, robot = log.rows, log.robot
        owner[rows], carrier[rows] = i, robot.carriers
        offsets[rows] = robot.offsets
        offsets[rows, :3, 3] += np.einsum("nij,nj->ni", offsets[rows, :3, :3], centers[rows])
        ground = np.zeros((len(log.groups), 1), dtype=int)  # group 0, and carrier -1
        groups[:, rows] = np.hstack((np.array(log.groups), ground))[:, robot.carriers]
        joints = tree_of(robot.body.robot).given
        links = log.rows, np.array(robot.carriers), offsets[rows]
        arrays |= LoggedRobot(joints, np.array(log.q), *links).arrays(i)
        ignored += _ignored_pairs(log, names)
    arrays |= {"robot_of": owner, "carrier": carrier, "place": offsets, "groups": groups}
    return arrays | {"ignored": np.array(ignored, dtype=np.int64).reshape(-1, 2)}


def _ignored_pairs(log: RobotLog, names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of bodies that the world does not test against each other."""
    robot, rows = log.robot, log.rows
    links = range(len(rows))
    pairs = [(rows[i], rows[j]) for i in links for j in range(i) if not robot.tested[i, j]]
    bodies = [(rows[i], names.index(body)) for i, body in robot.ignored if body in names]
    return [*pairs, *bodies]
