"""The built-in demos: recordings of scenes, and live pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from toccata.report._page import page_html
from toccata.view._camera import framed, view_direction
from toccata.view._deforming import DeformingStep, of_steps
from toccata.view._guard import HOST, PORT
from toccata.view._items import View
from toccata.view._live.arm import ArmSession
from toccata.view._live.arm_panel import ArmPanel
from toccata.view._live.hand import HandSession
from toccata.view._live.hand_panel import HandPanel
from toccata.view._live.page import LivePage
from toccata.view._live.simulation import SimulationSession
from toccata.view._live.simulation_panel import SimulationPanel
from toccata.view._log import of_log
from toccata.view._path import of_path
from toccata.view._robot import of_robot
from toccata.view._served import ServedPage


@dataclass(frozen=True, slots=True)
class Demo:
    """A named demo."""

    why: str
    """One line about the demo."""
    recorded: Callable[[], View]
    """Computes the view, which takes seconds."""
    live: Callable[..., LivePage] | None = None
    """Opens a live page at a `host` and `port`; None if the demo is only a recording."""


def door() -> View:
    """Mount the door of a car."""
    from toccata import Mesh
    from toccata.dynamics._assembly import assemble
    from toccata.scenes.mounting import door_mounting

    given = door_mounting()
    part, scene = Mesh(*given.part), given.scene()
    found = assemble(part, scene, given.target, start=given.start, via=given.via, effort=0)
    view = replace(of_path(found, part, scene, given.target), title="Car door", camera=None)
    return framed(view, direction=_DOOR_SIDE)


def live_door(**where: Any) -> LivePage:
    """Drag the door of a car into its opening."""
    from toccata import Mesh
    from toccata.scenes.mounting import door_mounting

    given = door_mounting()
    session = HandSession(Mesh(*given.part), given.scene(), given.start)
    session.title, session.direction = "Car door", _DOOR_SIDE
    return LivePage(session, HandPanel, **where)


_DOOR_SIDE = view_direction(50.0, 20.0)
"""Direction from the car to the eye, on the side of the door."""


def men(steps: int = 120) -> View:
    """Simulate two wooden men that springs pull together."""
    from toccata.scenes import worlds

    world = worlds.make_world(worlds.get("wooden-men"), active=20)
    log = world.start_log()
    reports = [world.step() for _ in range(steps)]
    return replace(of_log(log, reports=reports), title="Wooden men")


def live_men(**where: Any) -> LivePage:
    """Simulate the two wooden men in real time."""
    from toccata.scenes import worlds

    scene = worlds.get("wooden-men")
    grips = {name: (man.friction, man.restitution) for name, man in scene.robots.items()}
    session = SimulationSession(worlds.make_world(scene), grips)
    session.title = "Wooden men"
    return LivePage(session, SimulationPanel, **where)


def _pipes() -> tuple[Any, Any, Any]:
    """Return an arm, pipes around it, and the two ends of a motion into one of the pipes."""
    from toccata.scenes.pipes import pipes
    from toccata.scenes.robots import puma

    arm = puma()
    return arm, pipes(), arm.random_configurations(2, seed=3)[::-1]


def robot() -> View:
    """Move an arm among pipes, and into one of the pipes."""
    arm, world, ends = _pipes()
    contact = arm.first_contact(*ends, world)
    return replace(of_robot(arm, [*ends], world, contact), title="Robot among pipes")


def live_robot(**where: Any) -> LivePage:
    """Pose the arm among pipes, or play its motion."""
    arm, world, ends = _pipes()
    session = ArmSession(arm, world, arm.zero_configuration(), ends)
    session.title = "Robot among pipes"
    return LivePage(session, ArmPanel, **where)


def cloth() -> View:
    """Drop a cloth on a rotating ball."""
    return _steps("cloth-ball", 12_000, "Cloth on a ball")


def vessels() -> View:
    """Squeeze a bundle of vessels and cut every second one."""
    return _steps("nidus", 9_000, "Vessels, cut")


def _steps(name: str, triangles: int, title: str) -> View:
    from toccata._deforming import deforming_contacts
    from toccata.scenes import deforming

    steps = []
    for step in deforming.scene(name, triangles).steps():
        mesh = step.v0, step.v1, step.faces
        found = deforming_contacts(*mesh, contacts="all")
        steps.append(DeformingStep.of(*mesh, found, origin=step.origin))
    return of_steps(steps, title)


DEMOS: dict[str, Demo] = {
    "door": Demo("a car door is mounted (Redon, Kheddar, Coquillart 2002)", door, live_door),
    "men": Demo("two wooden men, pulled together (Kim, Redon, Kim 2008)", men, live_men),
    "robot": Demo("an arm among pipes (Redon, Kim, Lin, Manocha 2004)", robot, live_robot),
    "cloth": Demo("a cloth on a ball (He, Ortiz, Enquobahrie, Manocha 2015)", cloth),
    "vessels": Demo("vessels that are squeezed and cut (He et al. 2015)", vessels),
}
"""Demos by name."""


def demo(name: str) -> Demo:
    """Return a demo by its name."""
    if name not in DEMOS:
        raise ValueError(f"demo: expected one of {', '.join(DEMOS)}, got {name!r}")
    return DEMOS[name]


def open_demo(name: str, *, host: str = HOST, port: int = PORT) -> LivePage | ServedPage:
    """Open a page with a demo: live if possible, otherwise its recording."""
    found = demo(name)
    if found.live is not None:
        return found.live(host=host, port=port)
    return ServedPage(page_html(found.recorded()), host=host, port=port)
