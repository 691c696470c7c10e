"""Time that runs along a path of a robot."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._robot.answers import RobotContact
from toccata._robot.robot import Robot
from toccata.typing import WorldLike


class PathPlayer:
    """Plays straight motions through (n, dof) waypoints, each in the same time.

    The path is queried once; `contact` is the answer.
    """

    def __init__(
        self, robot: Robot, path: ArrayLike, world: WorldLike, seconds: float = 4.0
    ) -> None:
        self._robot = robot
        self.waypoints = as_shape("path", path, -1, robot.dof)
        self.contact: RobotContact = robot.first_contact_path(self.waypoints, world)
        self.seconds = seconds
        """Seconds that playing the whole path takes."""
        self.time = 0.0
        """From 0 to 1 over the whole path."""
        self.playing = False

    def at(self, time: float) -> Floats:
        """Return the configuration at a time."""
        pieces = len(self.waypoints) - 1
        piece = min(int(time * pieces), pieces - 1)
        ends = self.waypoints[piece], self.waypoints[piece + 1]
        return np.asarray(self._robot.interpolate(*ends, time * pieces - piece))

    def play(self) -> None:
        """Go on; from the start if it is at the end."""
        if self.time >= 1.0:
            self.time = 0.0
        self.playing = True

    def pause(self) -> None:
        """Stay."""
        self.playing = False

    def seek(self, time: float) -> None:
        """Go to a time and stay there."""
        self.playing, self.time = False, min(max(float(time), 0.0), 1.0)

    def advance(self, passed: float, stops: bool) -> bool:
        """Let seconds pass; return whether it moved. It stops at the first contact, if it shall."""
        if not self.playing:
            return False
        end = min(1.0, self.contact.safe_until) if stops and self.contact else 1.0
        if self.time >= end:  # after the contact, it was put there: it starts anew
            self.time = 0.0
        self.time = min(self.time + passed / self.seconds, end)
        if self.time >= end:
            self.playing = False
        return True
