"""Checks of motions and states for the planners of OMPL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import ompl.base as ob

from toccata._arrays import Floats
from toccata._options import RobotFreeOptions, takes
from toccata._robot import Robot
from toccata._robot.internal import queries_of
from toccata._robot.robot import as_robot
from toccata._scene import PreparedWorld, Scene, as_world
from toccata.planning._layout import Layout
from toccata.typing import WorldLike

if TYPE_CHECKING:  # OMPL has no annotations

    class _MotionBase:
        def __init__(self, space_information: Any) -> None: ...

    class _StateBase(_MotionBase): ...

else:
    _MotionBase, _StateBase = ob.MotionValidator, ob.StateValidityChecker


class _Checker:
    """Certified checks of a robot in a world with fixed options."""

    def __init__(
        self, robot: Robot, world: Any, space_information: Any, options: Mapping[str, Any]
    ) -> None:
        self.robot, self.options = as_robot(robot), options
        self.layout = Layout(robot, space_information.getStateSpace())
        # A Scene may change between checks, so each check converts it; other worlds do not change.
        self.world = world if isinstance(world, Scene) else as_world(world)
        zero = robot.zero_configuration()
        self.free(zero, zero)  # refuses invalid worlds and options

    def bodies(self) -> PreparedWorld:
        """Return the world after checking that its bodies do not move."""
        bodies = as_world(self.world)
        if bodies.moves:
            moving = [n for n, (_, motion) in bodies.bodies.items() if not motion._core.is_fixed]
            wanted = "bodies that do not move, because states have no time"
            got = ", ".join(map(repr, moving))
            raise ValueError(f"world: expected {wanted}, got {got} on a motion")
        return bodies

    def free(self, q0: Floats, q1: Floats) -> bool:
        return queries_of(self.robot).is_free(q0, q1, self.bodies(), self.options)

    def clearance(self, q: Floats) -> float:
        how = {"self_contact": self.options.get("self_contact", True)}
        return queries_of(self.robot).clearance(q, q, self.bodies(), how).lower


class MotionValidator(_MotionBase):
    """A motion validator of OMPL that accepts only motions that are proven free.

    A motion that is undecided because the budget ran out is refused.
    """

    checked: int
    """Number of checked motions."""
    free: int
    """Number of accepted motions."""

    @takes(RobotFreeOptions)
    def __init__(
        self,
        space_information: Any,
        robot: Robot,
        world: WorldLike = None,
        **options: Unpack[RobotFreeOptions],
    ) -> None:
        """Check that robot, state space, world and options fit together.

        Args:
            space_information: an `ompl.base.SpaceInformation`.
            robot: the robot.
            world: as for `setup`.

        """
        super().__init__(space_information)
        self._checker = _Checker(robot, world, space_information, options)
        self.checked = self.free = 0

    # OMPL 2.0 lets Python override only this overload. The overload with the last valid state calls
    # it.
    def checkMotion(self, start: Any, end: Any) -> bool:  # noqa: N802
        """Return whether the motion between two states is proven free."""
        free = self._checker.free(*self._checker.layout.motion(start, end))
        self.checked += 1
        self.free += free
        return free


class StateValidityChecker(_StateBase):
    """A state validity checker of OMPL that accepts only states that are proven free.

    The bounds of the state space are not tested here, because planners test them.
    """

    checked: int
    """Number of checked states."""
    free: int
    """Number of accepted states."""

    @takes(RobotFreeOptions)
    def __init__(
        self,
        space_information: Any,
        robot: Robot,
        world: WorldLike = None,
        **options: Unpack[RobotFreeOptions],
    ) -> None:
        """Check that robot, state space, world and options fit together.

        Args:
            space_information: an `ompl.base.SpaceInformation`.
            robot: the robot.
            world: as for `setup`.

        """
        super().__init__(space_information)
        self._checker = _Checker(robot, world, space_information, options)
        self.checked = self.free = 0

    def isValid(self, state: Any) -> bool:  # noqa: N802
        """Return whether a state is proven free."""
        q = self._checker.layout.configuration(state)
        free = self._checker.free(q, q)
        self.checked += 1
        self.free += free
        return free

    def clearance(self, state: Any) -> float:
        """Return a certified lower bound of all distances at a state, for objectives of OMPL."""
        return self._checker.clearance(self._checker.layout.configuration(state))


@dataclass(frozen=True, slots=True, eq=False)
class Checks:
    """The checks that `setup` installed."""

    motions: MotionValidator
    states: StateValidityChecker
    layout: Layout


@takes(RobotFreeOptions)
def setup(
    space_information: Any,
    robot: Robot,
    world: WorldLike = None,
    **options: Unpack[RobotFreeOptions],
) -> Checks:
    """Install certified checks of a robot's motions and states in a SpaceInformation.

    Keep the returned object while planning, because OMPL may not keep these Python objects alive.

    Args:
        space_information: an `ompl.base.SpaceInformation`, for example of a `SimpleSetup`.
        robot: the robot. States are its configurations; `Layout` lists the supported state spaces.
        world: as for `Robot.first_contact`. Its bodies must not move, because states have no time.

    """
    motions = MotionValidator(space_information, robot, world, **options)
    states = StateValidityChecker(space_information, robot, world, **options)
    space_information.setMotionValidator(motions)
    space_information.setStateValidityChecker(states)
    return Checks(motions, states, motions._checker.layout)
