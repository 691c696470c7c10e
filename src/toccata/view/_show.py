"""Views of anything: answers, scenes, robots, logs, paths, meshes and files."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

import numpy as np

from toccata._audit import Audit
from toccata._deforming import StepContacts
from toccata._mesh import Mesh
from toccata._pose_log import PoseLog
from toccata._result import Contact, SceneContacts
from toccata._robot import Robot, RobotContact
from toccata._scene import Scene
from toccata._sequence import as_frame
from toccata.dynamics import World
from toccata.dynamics._assembly import Assembly
from toccata.dynamics._log import WorldLog
from toccata.dynamics._path import MotionPath
from toccata.report._page import page_html, save_page
from toccata.view._contact import of_contact
from toccata.view._deforming import DeformingStep, of_steps, steps_of_frames
from toccata.view._files import is_robot, of_files, robot_of
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
from toccata.view._scene import as_meshes, of_meshes, of_scene
from toccata.view._served import ServedPage


def show(what: object, *, host: str = HOST, port: int = PORT, **given: object) -> None:
    """Show something in the browser until the program is interrupted.

    `view_of` lists the things to show and their arguments. Three things become live pages, which
    require viser: a robot or the name of its URDF, with an optional `world`; a `dynamics.World`;
    and a part in hand, which is a mesh with a `scene` and its start `pose`.

    Args:
        what: the thing to show.
        host: an address of this machine. By default, only this machine can open the page. If other
            machines can open the page, its address contains a random token.
        port: port to use; if it is not free, the next free port is used. 0 means any free port.
        given: arguments for `what`.

    """
    with open_page(what, host=host, port=port, **given) as page:
        webbrowser.open(page.address)
        page.wait()


def open_page(
    what: object, *, host: str = HOST, port: int = PORT, **given: object
) -> LivePage | ServedPage:
    """Start the page that `show` opens, and return it. `stop` ends it."""
    live = _live(what, given)
    if live is None:
        return ServedPage(page_html(view_of(what, **given)), host=host, port=port)
    return LivePage(*live, host=host, port=port)


def save_html(what: object, file: str | os.PathLike[str], **given: object) -> None:
    """Write one HTML file that plays from disk, without a network.

    `view_of` lists the arguments.
    """
    save_page(view_of(what, **given), file)


def view_of(what: object, **given: object) -> View:
    r"""Return a view of an answer or another object, for pages, reports and stills.

    | what | arguments |
    |---|---|
    | a `Contact` of two bodies | `bodies=(a, b)`\*, `motions=(motion_a, motion_b)`\*; `names` |
    | a `Contact` or the `SceneContacts` of a scene | `scene=` |
    | a `Scene` | – |
    | a `RobotContact` | `robot=`\*, `path=`\*; `world`, and the options of the path |
    | a `Robot` | `path`, `world` |
    | `StepContacts` | `v0=`\*, `v1=`\*, `faces=`\*; `origin`, `groups`, `edges`, `points` |
    | frames, or a list of `DeformingStep` | `contacts`, one for each step |
    | a log: a `PoseLog` or `WorldLog` | `meshes`, `series`; `reports` of the steps |
    | an `Audit` | `log=`; `meshes`, `series` |
    | a `MotionPath` or an `Assembly` | `body=`; `scene`, `target` |
    | a mesh, several meshes, or a mapping of meshes | – |
    | the names of files | `meshes`, `frames`; for a URDF, arguments of `Robot.from_urdf` |

    Arguments with a star are required only for answers that do not keep them: answers of sequences
    and large deforming meshes, and unpickled answers.
    """
    first = what[0] if isinstance(what, list | tuple) and what else None
    for one, table in ((what, _KINDS), (first, _KINDS_OF_LISTS)):
        for kinds, make in table:
            if isinstance(one, kinds):
                return _called(make, what, given)
    meshes = as_meshes(what)
    if meshes is None:
        wanted = "expected an answer, a scene, a robot, a log, a path, meshes or files"
        raise TypeError(f"what: {wanted}, got {type(what).__name__}")
    return _called(of_meshes, meshes, given)


def _called(make: Callable[..., View], what: Any, given: dict[str, Any]) -> View:
    """Call a converter. The error lists the expected and the given arguments."""
    try:
        signature(make).bind(what, **given)
    except TypeError:
        named = [*signature(make).parameters.values()][1:]
        needed = [p.name for p in named if p.default is p.empty and p.kind != p.VAR_KEYWORD]
        more = [p.name for p in named if p.default is not p.empty]
        wanted = ", ".join(needed) or "no argument"
        wanted += f" (optional: {', '.join(more)})" if more else ""
        got = ", ".join(given) or "none"
        raise ValueError(f"given: expected {wanted} for {_a(what)}, got {got}") from None
    return make(what, **given)


def _a(what: object) -> str:
    """Return the name of a type after an article; plural names have none."""
    name = type(what).__name__
    if name.endswith("s"):
        return name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _contact(
    contact: Contact,
    bodies: Any = None,
    motions: Any = None,
    names: tuple[str, str] = ("A", "B"),
    scene: Scene | None = None,
) -> View:
    if scene is not None:
        return of_scene(scene, contact)
    if bodies is None and motions is None and len(contact._kept) == 4:
        bodies, motions = contact._kept[:2], contact._kept[2:]
    if bodies is None or motions is None:
        raise ValueError("bodies: this Contact needs `bodies` and `motions`, or `scene`")
    return of_contact(contact, bodies, motions, names)


def _robot_contact(
    contact: RobotContact,
    robot: Robot | None = None,
    path: Any = None,
    world: Any = None,
    **options: Any,
) -> View:
    if robot is None and path is None and contact._kept:
        robot, world, *rows = contact._kept
        path = rows[0] if len(rows) == 1 else np.stack(rows)
    if robot is None or path is None:
        raise ValueError("robot: this RobotContact needs `robot` and `path`")
    return of_robot(robot, path, world, contact, **options)


def _step(
    contacts: StepContacts, v0: Any = None, v1: Any = None, faces: Any = None, **more: Any
) -> View:
    frames = (v0, v1, faces)
    if all(given is None for given in frames) and contacts._kept:
        frames = contacts._kept
    if any(given is None for given in frames):
        raise ValueError("v0: these StepContacts need `v0`, `v1` and `faces`")
    return of_steps([DeformingStep.of(*frames, contacts, **more)])


def _frames(frames: Sequence[Any], contacts: Sequence[StepContacts | None] = ()) -> View:
    return of_steps(steps_of_frames([as_frame(frame) for frame in frames], contacts))


_KINDS: tuple[tuple[Any, Callable[..., View]], ...] = (
    (View, lambda view: view),
    (RobotContact, _robot_contact),
    (Contact, _contact),
    (SceneContacts, lambda contact, scene: of_scene(scene, contact)),
    (StepContacts, _step),
    (Audit, lambda audit, log, meshes=None, series=None: of_log(log, meshes, audit, series)),
    (PoseLog | WorldLog, of_log),
    (MotionPath | Assembly, of_path),
    (Scene, of_scene),
    (Robot, of_robot),
    (str | os.PathLike, lambda file, **options: of_files([file], **options)),
)
_KINDS_OF_LISTS: tuple[tuple[Any, Callable[..., View]], ...] = (
    (str | os.PathLike, of_files),
    (DeformingStep, of_steps),
    (tuple, _frames),
)


def _live(what: Any, given: dict[str, Any]) -> tuple[Any, Any] | None:
    """Return a session and its controls, or None if there is no live page for `what`."""
    if isinstance(what, World):
        return SimulationSession(what, **given), SimulationPanel
    if isinstance(what, Robot) and given.keys() <= {"world", "path"}:
        return _arm(what, given.get("world"), given.get("path"))
    files = [what] if isinstance(what, str | os.PathLike) else what
    if isinstance(files, list | tuple) and files and is_robot(files[0]):
        if wrong := given.keys() - _READING:
            known, got = ", ".join(_READING), ", ".join(sorted(wrong))
            raise ValueError(f"given: a URDF can be combined with {known}, but not with {got}")
        return _arm(*robot_of(files, **given), None)
    if isinstance(what, Mesh) and {"scene", "pose"} <= given.keys():
        return HandSession(what, **given), HandPanel
    return None


_READING = ("srdf", "package_dirs", "geometry", "primitive_error", "solid", "missing")
"""Arguments of `Robot.from_urdf`."""


def _arm(robot: Robot, world: Any, path: Any) -> tuple[Any, Any] | None:
    if isinstance(path, dict):
        return None  # robots with separate clocks have only a recording
    rows = np.atleast_2d(np.zeros((0, robot.dof)) if path is None else np.asarray(path))
    q, waypoints = (rows[0] if len(rows) else None), (rows if len(rows) > 1 else None)
    return ArmSession(robot, world, q, waypoints), ArmPanel
