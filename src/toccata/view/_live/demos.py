"""The built-in views that one can touch."""

from __future__ import annotations

from typing import Any

from toccata.view._camera import view_direction
from toccata.view._live.arm import ArmSession
from toccata.view._live.arm_panel import ArmPanel
from toccata.view._live.hand import HandSession
from toccata.view._live.hand_panel import HandPanel
from toccata.view._live.page import LivePage
from toccata.view._live.simulation import SimulationSession
from toccata.view._live.simulation_panel import SimulationPanel


def live_door(**where: Any) -> LivePage:
    """A car door that one drags into its opening (Redon, Kheddar, Coquillart 2002)."""
    from toccata._mesh import Mesh
    from toccata.scenes.mounting import door_mounting

    given = door_mounting()
    session = HandSession(Mesh(*given.part), given.scene(), given.start)
    session.title = "Car door"
    session.direction = view_direction(50.0, 20.0)  # the door is on this side of the car
    return LivePage(session, HandPanel, **where)


def live_men(**where: Any) -> LivePage:
    """Two wooden men, pulled together by a spring (Kim, Redon, Kim 2008)."""
    from toccata.scenes import worlds

    scene = worlds.get("wooden-men")
    grips = {name: (man.friction, man.restitution) for name, man in scene.robots.items()}
    session = SimulationSession(worlds.make_world(scene), grips)
    session.title = "Wooden men"
    return LivePage(session, SimulationPanel, **where)


def live_robot(**where: Any) -> LivePage:
    """A robot among pipes (Redon, Kim, Lin, Manocha 2004)."""
    from toccata.scenes.pipes import pipes
    from toccata.scenes.robots import puma

    arm = puma()
    ends = arm.random_configurations(2, seed=3)[::-1]  # into a pipe, as the view shows it
    session = ArmSession(arm, pipes(), arm.zero_configuration(), ends)
    session.title = "Robot among pipes"
    return LivePage(session, ArmPanel, **where)
