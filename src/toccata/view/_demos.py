"""The built-in demos: named scenes as views, and live where they can be moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from toccata.report._page import page_html
from toccata.view._camera import framed, view_direction
from toccata.view._deforming import DeformingStep, of_steps
from toccata.view._host import HOST, PORT
from toccata.view._items import View
from toccata.view._log import of_log
from toccata.view._path import of_path
from toccata.view._robot import of_robot
from toccata.view._served import ServedPage

if TYPE_CHECKING:
    from toccata.view._live.page import LivePage


@dataclass(frozen=True, slots=True)
class Demo:
    """A named demo."""

    why: str
    recorded: Callable[[], View]
    """Makes the view; takes seconds."""
    live: Callable[..., LivePage] | None = None
    """Opens a page in which it can be moved, with `host` and `port`; None: it is played only."""


def door() -> View:
    """Mount the door of a car."""
    from toccata import Mesh
    from toccata.dynamics._assembly import assemble
    from toccata.scenes.mounting import door_mounting

    given = door_mounting()
    part, scene = Mesh(*given.part), given.scene()
    found = assemble(part, scene, given.target, start=given.start, via=given.via, effort=0)
    view = of_path(found, part, scene, given.target)
    return _seen_from(replace(view, title="Car door"), 50.0, 20.0)


def men(steps: int = 120) -> View:
    """Simulate two wooden men that springs pull together."""
    from toccata.scenes import worlds

    world = worlds.make_world(worlds.get("wooden-men"), active=20)
    log = world.start_log()
    reports = [world.step() for _ in range(steps)]
    return replace(of_log(log, reports=reports), title="Wooden men")


def robot() -> View:
    """Move an arm among pipes, into one of them."""
    from toccata.scenes.pipes import pipes
    from toccata.scenes.robots import puma

    arm, world = puma(), pipes()
    end, start = arm.random_configurations(2, seed=3)
    contact = arm.first_contact(start, end, world)
    return replace(of_robot(arm, [start, end], world, contact), title="Robot among pipes")


def cloth() -> View:
    """Drop a cloth on a ball that turns."""
    return _steps("cloth-ball", 12_000, "Cloth on a ball")


def vessels() -> View:
    """Squeeze a bundle of vessels and cut every second one."""
    return _steps("nidus", 9_000, "Vessels, cut")


def _steps(name: str, triangles: int, title: str) -> View:
    from toccata._deforming import deforming_contacts
    from toccata.scenes import deforming

    steps = [
        DeformingStep.of(
            step.v0,
            step.v1,
            step.faces,
            deforming_contacts(step.v0, step.v1, step.faces, contacts="all"),
            origin=step.origin,
        )
        for step in deforming.scene(name, triangles).steps()
    ]
    return of_steps(steps, title)


def _seen_from(view: View, azimuth: float, elevation: float) -> View:
    return framed(replace(view, camera=None), direction=view_direction(azimuth, elevation))


def _live(name: str) -> Callable[..., LivePage]:
    def opened(**where: Any) -> LivePage:
        from toccata.view._live import demos  # they need viser

        return getattr(demos, f"live_{name}")(**where)  # type: ignore[no-any-return]

    return opened


DEMOS: dict[str, Demo] = {
    "door": Demo("a car door is mounted (Redon, Kheddar, Coquillart 2002)", door, _live("door")),
    "men": Demo("two wooden men, pulled together (Kim, Redon, Kim 2008)", men, _live("men")),
    "robot": Demo("an arm among pipes (Redon, Kim, Lin, Manocha 2004)", robot, _live("robot")),
    "cloth": Demo("a cloth on a ball (He, Ortiz, Enquobahrie, Manocha 2015)", cloth),
    "vessels": Demo("vessels that are squeezed and cut (He et al. 2015)", vessels),
}
"""By name."""


def demo(name: str) -> Demo:
    """Return a demo by its name."""
    if name not in DEMOS:
        raise ValueError(f"demo: expected one of {', '.join(DEMOS)}, got {name!r}")
    return DEMOS[name]


def open_demo(name: str, *, host: str = HOST, port: int = PORT) -> LivePage | ServedPage:
    """Open a page with a demo: live if it can be moved, else its view."""
    found = demo(name)
    if found.live is not None:
        return found.live(host=host, port=port)
    return ServedPage(page_html(found.recorded()), host=host, port=port)
