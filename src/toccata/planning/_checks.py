"""The two checks that planners of OMPL call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ompl.base as ob

from toccata._arrays import Floats
from toccata._robot import Robot
from toccata._robot.internal import queries_of
from toccata._robot.options import FREE_OPTIONS
from toccata._scene import Scene, World, as_world
from toccata.planning._layout import Layout

OPTIONS = sorted(FREE_OPTIONS)


class _Asking:
    """A robot in a world, asked again and again."""

    def __init__(self, robot: Robot, world: Any, space: Any, options: dict[str, Any]) -> None:
        self.robot = robot
        self.layout = Layout(robot, space)
        # A Scene may grow later and is seen as it is; anything else becomes a world once.
        self.world = world if isinstance(world, Scene) else as_world(world)
        for name in options:
            if name not in OPTIONS:
                raise ValueError(f"options: expected some of {', '.join(OPTIONS)}, got {name!r}")
        self.options = options
        rest = robot.zero_configuration()
        self.free(rest, rest)  # refuses a bad world and bad options here

    def bodies(self) -> World:
        bodies = as_world(self.world)
        if bodies.moves:
            wanted = "bodies that stay, since states have no time"
            raise ValueError(f"world: expected {wanted}, got {_moving(bodies)} on a motion")
        return bodies

    def free(self, q0: Floats, q1: Floats) -> bool:
        return queries_of(self.robot).is_free(q0, q1, self.bodies(), self.options)

    def clearance(self, q: Floats) -> float:
        self_contact = self.options.get("self_contact", True)
        how = {"self_contact": self_contact}
        return queries_of(self.robot).clearance(q, q, self.bodies(), how).lower


def _moving(bodies: World) -> str:
    names = (name for name, (_, motion) in bodies.bodies.items() if not motion._core.is_fixed)
    return ", ".join(map(repr, names))


class MotionValidator(ob.MotionValidator):
    """Lets a motion pass only if it is proven free.

    Options are those of `Robot.motion_is_free`: `separation` is the clearance that is wished, for
    all or pair by pair, and `self_contact`, `method`, `tolerance`, `budget`. A motion that a budget
    leaves undecided does not pass.
    """

    def __init__(
        self, space_information: Any, robot: Robot, world: Any = None, **options: Any
    ) -> None:
        """Check that robot, space and options fit together."""
        super().__init__(space_information)
        self._asking = _Asking(robot, world, space_information.getStateSpace(), options)
        self.checked = 0
        """Motions that were checked."""
        self.free = 0
        """Motions among them that passed."""

    # OMPL 2.0 lets Python override this form only; the one that also asks for the last valid state
    # ends here too.
    def checkMotion(self, start: Any, end: Any) -> bool:  # noqa: N802
        """Whether the motion between two states is proven free."""
        free = self._asking.free(*self._asking.layout.motion(start, end))
        self.checked += 1
        self.free += free
        return free


class StateValidityChecker(ob.StateValidityChecker):
    """Lets a state pass only if it is proven free; options as for `MotionValidator`.

    Bounds are those of the state space, which planners test by themselves.
    """

    def __init__(
        self, space_information: Any, robot: Robot, world: Any = None, **options: Any
    ) -> None:
        """Check that robot, space and options fit together."""
        super().__init__(space_information)
        self._asking = _Asking(robot, world, space_information.getStateSpace(), options)
        self.checked = 0
        """States that were checked."""
        self.free = 0
        """States among them that passed."""

    def isValid(self, state: Any) -> bool:  # noqa: N802
        """Whether a state is proven free."""
        q = self._asking.layout.configuration(state)
        free = self._asking.free(q, q)
        self.checked += 1
        self.free += free
        return free

    def clearance(self, state: Any) -> float:
        """Return a certified lower bound of all distances, for objectives that ask for it."""
        return self._asking.clearance(self._asking.layout.configuration(state))


@dataclass(frozen=True, slots=True, eq=False)
class Checks:
    """What `setup` has put into a SpaceInformation."""

    motions: MotionValidator
    states: StateValidityChecker
    layout: Layout


def setup(space_information: Any, robot: Robot, world: Any = None, **options: Any) -> Checks:
    """Let a SpaceInformation check motions and states of a robot in a world.

    Keep what is returned as long as you plan: OMPL calls the two checks, but they are Python
    objects, and nothing else promises to keep them.

    Args:
        space_information: ompl.base.SpaceInformation, or that of a SimpleSetup.
        robot: whose configurations are the states; see `Layout` for the spaces that fit.
        world: toccata.Scene, trimesh.Scene, a mesh, or None for a robot alone. Its bodies stay:
            states have no time, so that a body on a motion is refused.
        options: as for `Robot.motion_is_free`; `separation` is the clearance that is wished.

    """
    motions = MotionValidator(space_information, robot, world, **options)
    states = StateValidityChecker(space_information, robot, world, **options)
    space_information.setMotionValidator(motions)
    space_information.setStateValidityChecker(states)
    return Checks(motions, states, motions._asking.layout)
