"""Logs of worlds: all executed motions, for audits and players."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._native import core
from toccata.dynamics._links import WorldRobot
from toccata.dynamics._robot_log import RobotLog, robot_arrays

_MOST_TURN = 1.5
"""Largest rotation between two rows in radians.

It is below half a turn, because `Motion.linear` takes the shorter rotation.
"""


class WorldLog:
    """Poses of the bodies of a world at the ends of all substeps, in the format of `tc.audit`.

    The frame of a body is shifted to its center of mass. During a substep, this center moves
    straight and the body turns at a constant rate. `Motion.linear` from row to row is therefore the
    executed motion. Links of articulated bodies move straight in joint space, so the log also has
    their joints and the configuration in each row.
    """

    __slots__ = ("_centers", "_meshes", "_poses", "_robots", "_times", "names", "tolerance")
    names: tuple[str, ...]
    tolerance: float | None
    """Default tolerance of an audit, far below the distances that bodies keep."""

    def __init__(
        self,
        names: Sequence[str],
        meshes: Sequence[Mesh],
        centers: ArrayLike,
        poses: ArrayLike,
        time: float,
        shell: float,
    ) -> None:
        """Start with one row; `centers` are centers of mass in body coordinates, (n, 3)."""
        self.tolerance = shell / 100 if np.isfinite(shell) else None
        self.names = tuple(names)
        self._meshes = tuple(meshes)
        self._centers = np.array(centers)
        self._times = [time]
        self._poses = [self._centered(poses)]
        self._robots: dict[str, RobotLog] = {}

    def _add_robot(self, robot: WorldRobot, native: core.World) -> None:
        """Also log the configurations of an articulated body."""
        rows = [self.names.index(name) for name in robot.names]
        self._robots[robot.name] = RobotLog(robot, native, rows)

    def __len__(self) -> int:
        return len(self._times)

    @property
    def times(self) -> Floats:
        """Increasing times in seconds, (k,)."""
        return np.array(self._times)

    @property
    def poses(self) -> Floats:
        """Poses of the frames at the centers of mass, (k, n, 4, 4), in the order of `names`."""
        return np.stack(self._poses)

    def arrays(self) -> dict[str, Any]:
        """Return the arrays that `tc.audit` reads and `save` writes."""
        arrays: dict[str, Any] = {
            "names": np.array(self.names),
            "times": self.times,
            "poses": self.poses,
        }
        if self.tolerance is not None:
            arrays["tolerance"] = np.array(self.tolerance)
        for i, (mesh, center) in enumerate(zip(self._meshes, self._centers, strict=True)):
            arrays[f"vertices_{i}"] = mesh.vertices - center
            arrays[f"faces_{i}"] = mesh.faces
            if mesh.solid:
                arrays[f"solid_{i}"] = mesh.solid_faces
        if self._robots:
            arrays |= robot_arrays(list(self._robots.values()), self.names, self._centers)
        return arrays

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write an .npz file."""
        path = Path(os.fspath(file))
        if path.suffix.lower() != ".npz":
            raise ValueError(f"file: expected a name that ends in .npz, got {path}")
        np.savez_compressed(path, **self.arrays())

    def __repr__(self) -> str:
        span = f"{self._times[0]:.3f} to {self._times[-1]:.3f} s"
        return f"WorldLog({len(self.names)} bodies, {len(self)} rows, {span})"

    def _centered(self, poses: ArrayLike) -> Floats:
        return _shifted(poses, self._centers)

    def _extend(self, span: tuple[float, float], record: tuple[Any, ...], poses: ArrayLike) -> None:
        """Add the rows of a step between two times; `poses` are the poses at its end."""
        begin, end = span
        body, first, last, before, velocity, moved = record
        turn = np.linalg.norm(velocity[:, 3:], axis=1) * (last - first)
        spans = [(first, last, turn), *(robot.spans(moved) for robot in self._robots.values())]
        for time in _times_between(*(np.concatenate(c) for c in zip(*spans, strict=True))):
            now = self._poses[-1].copy()
            rows = (first < time) & (last >= time)
            at = body[rows]
            placed = _shifted(before[rows], self._centers[at])
            now[at] = _moved(placed, velocity[rows], time - first[rows])
            for robot in self._robots.values():
                links, where = robot.extend(moved, time)
                now[links] = _shifted(where, self._centers[links])
            self._append(begin + time, now)
        for robot in self._robots.values():
            robot.end()
        self._append(end, self._centered(poses))

    def _append(self, time: float, poses: Floats) -> None:
        # A substep may be shorter than the resolution of the clock.
        self._times.append(max(time, float(np.nextafter(self._times[-1], np.inf))))
        self._poses.append(poses)


def _times_between(first: Floats, last: Floats, turn: Floats) -> Floats:
    """Return the ends of all motions except the last end, and times that split large turns."""
    if not len(last):
        return last
    pieces = np.ceil(turn / _MOST_TURN).astype(int)
    rows = np.flatnonzero(pieces > 1)
    extra = [np.linspace(first[k], last[k], pieces[k] + 1)[1:-1] for k in rows]
    return np.unique(np.concatenate((last, *extra)))[:-1]


def _shifted(poses: ArrayLike, centers: Floats) -> Floats:
    """Return poses after moving the frames to `centers`, which are in body coordinates, (n, 3)."""
    result = np.array(poses, dtype=np.float64)
    result[:, :3, 3] += np.einsum("nij,nj->ni", result[:, :3, :3], centers)
    return result


def _moved(poses: Floats, velocity: Floats, duration: Floats) -> Floats:
    """Return poses after motions with velocities, (n, 6), for some seconds, (n,)."""
    result = poses.copy()
    result[:, :3, 3] += velocity[:, :3] * duration[:, None]
    result[:, :3, :3] = _rotations(velocity[:, 3:] * duration[:, None]) @ poses[:, :3, :3]
    return result


def _rotations(vectors: Floats) -> Floats:
    """Return the rotation matrices of rotation vectors, (n, 3), by Rodrigues' formula."""
    angle = np.linalg.norm(vectors, axis=1)[:, None, None]
    x, y, z = (vectors / np.where(angle[:, 0] > 0, angle[:, 0], 1)).T
    zero = np.zeros_like(x)
    across = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    matrices: Floats = np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * (across @ across)
    return matrices
