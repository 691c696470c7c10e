"""Playback of a robot's path."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._robot.answers import RobotContact
from toccata._robot.robot import Robot
from toccata.typing import WorldLike


class PathPlayer:
    """A player of straight motions through waypoints, (n, dof), with equal durations.

    The path is tested once for contact; `contact` is the answer.
    """

    def __init__(
        self, robot: Robot, path: ArrayLike, world: WorldLike, seconds: float = 4.0
    ) -> None:
        self._robot = robot
        self.waypoints = as_shape("path", path, -1, robot.dof)
        self.contact: RobotContact = robot.first_contact_path(self.waypoints, world)
        self.seconds = seconds
        """Duration of the whole path in seconds."""
        self.time = 0.0
        """Time from 0 to 1 over the whole path."""
        self.playing = False

    def at(self, time: float) -> Floats:
        """Return the configuration at a time."""
        pieces = len(self.waypoints) - 1
        piece = min(int(time * pieces), pieces - 1)
        ends = self.waypoints[piece], self.waypoints[piece + 1]
        return np.asarray(self._robot.interpolate(*ends, time * pieces - piece))

    def play(self) -> None:
        """Start or resume. At the end of the path, start again."""
        if self.time >= 1.0:
            self.time = 0.0
        self.playing = True

    def seek(self, time: float) -> None:
        """Set the time, and pause."""
        self.playing, self.time = False, min(max(float(time), 0.0), 1.0)

    def advance(self, passed: float, stops: bool) -> bool:
        """Advance by `passed` seconds, and with `stops` only to the first contact.

        Return whether the path was playing.
        """
        if not self.playing:
            return False
        end = min(1.0, self.contact.safe_until) if stops and self.contact else 1.0
        if self.time >= end:  # a user has set a time after the contact: start again
            self.time = 0.0
        self.time = min(self.time + passed / self.seconds, end)
        self.playing = self.time < end
        return True
