"""Answers, scenes and robots in notebooks: a small table and a still picture.

The table depends on the answer alone. The picture also needs the bodies, so an unpickled answer has
only a table. Drawing takes bounded time: large meshes are simplified, and if there are very many
bodies, only some of them are drawn.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from toccata._result import Batch, Clearance, Contact, SceneContacts, Status
from toccata._robot import Robot, RobotClearance, RobotContact
from toccata._scene import Scene
from toccata._step_result import StepContacts
from toccata._text import counted
from toccata.report._page import image_html
from toccata.report._still import still
from toccata.report._words import STATUS, escaped, headline
from toccata.view import _numbers
from toccata.view._items import Outcome, View
from toccata.view._parts import contact_facts, outcome_of, touches
from toccata.view._robot import robot_size
from toccata.view._scene import names_of, scene_outcome
from toccata.view._snapshot import snapshot

_SIZE = (400, 300)
_MOST_ROWS = 8
Rows = list[tuple[str, str]]


def html_of(value: Any) -> str:
    """Return a table of a value, with a still picture if its bodies are known."""
    title, rows = table_of(value)
    found = snapshot(value)
    image = ""
    if found is not None:
        image = image_html(still(*found, _SIZE), escaped(title), 'style="border-radius:6px" ')
    # Styles are inline and without colors: notebooks remove style sheets and may be dark.
    cells = "".join(
        f'<tr><th scope="row" style="text-align:left">{escaped(name)}</th>'
        f'<td style="text-align:left">{escaped(text)}</td></tr>'
        for name, text in rows
    )
    table = f"<table>{cells}</table>" if rows else ""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f"{image}<div><b>{escaped(title)}</b>{table}</div></div>"
    )


# Tables ---------------------------------------------------------------------------------------


@singledispatch
def table_of(value: Any) -> tuple[str, Rows]:
    """Return a caption, and rows of names and values. Answers of other types have no rows."""
    return str(value), []


def _headline(outcome: Outcome) -> str:
    return headline(View("", (), np.array([0.0, 1.0]), outcome))


def _names(answer: Any) -> tuple[str, str]:
    return answer.body_a or "a", answer.body_b or "b"


@table_of.register
def _(contact: Contact) -> tuple[str, Rows]:
    names = _names(contact)
    rows = [*contact_facts(contact, names)]
    if contact.contacts:
        rows.append(("Contacts", _numbers.count(len(contact.contacts))))
    if not touches(contact):
        rows.append(("Tolerance", _numbers.length(contact.tolerance)))
    rows.append(_seconds(contact.stats.seconds))
    return _headline(outcome_of(contact, names)), rows


@table_of.register
def _(contact: RobotContact) -> tuple[str, Rows]:
    title, rows = table_of.dispatch(Contact)(contact)
    if contact.piece is not None:
        rows.insert(0, ("Piece of the path", str(contact.piece)))
    if contact and np.isfinite(contact.q).all():
        rows.insert(-1, ("Configuration", _few(map(_numbers.decimals, contact.q))))
    return title, rows


@table_of.register
def _(found: StepContacts) -> tuple[str, Rows]:
    feature = (found.feature,) if found.feature and found.status is not Status.UNDECIDED else ()
    counts = {
        "Vertex-face contacts": len(found.vertex_face),
        "Edge-edge contacts": len(found.edge_edge),
        "Edges through faces at the start": len(found.initial_edge_face),
    }
    rows = [(name, _numbers.count(count)) for name, count in counts.items() if count]
    if np.isfinite(found.point_a).all():
        rows.append(("Contact point", _numbers.vector(found.point_a)))
    rows.append(_seconds(found.stats.seconds))
    return _headline(replace(outcome_of(found), touching=feature)), rows


@table_of.register
def _(found: SceneContacts) -> tuple[str, Rows]:
    rows = [
        (
            " and ".join(names_of(found, i)),
            f"{STATUS[Status(found.status[i]).name]} at {_at(found.toc[i])}",
        )
        for i in range(min(len(found), _MOST_ROWS))
    ]
    return _headline(scene_outcome(found)), rows + _left(len(found), "pair")


@table_of.register
def _(batch: Batch) -> tuple[str, Rows]:
    counts = [(STATUS[status.name], int((batch.status == status).sum())) for status in Status]
    rows = [(words.capitalize(), _numbers.count(count)) for words, count in counts if count]
    known = batch.toc[batch.status != Status.FREE]
    if len(known):
        rows.append(("Earliest", _at(known.min())))
    return counted(len(batch), "motion"), rows


@table_of.register
def _(near: Clearance | RobotClearance) -> tuple[str, Rows]:
    lower, upper = _numbers.length(near.lower), _numbers.length(near.upper)
    rows = [("Clearance", f"at least {lower}, at most {upper}")]
    if np.isfinite(near.time):
        a, b = _names(near) if isinstance(near, Clearance) else (near.link_a, near.link_b)
        rows += [
            ("Nearest", f"{a} and {b}, {_at(near.time)}"),
            ("Points", f"{_numbers.vector(near.point_a)}, {_numbers.vector(near.point_b)}"),
        ]
    title = "in contact" if near.lower == 0 else f"clearance of {lower}, certified"
    return title, [*rows, _seconds(near.stats.seconds)]


@table_of.register
def _(scene: Scene) -> tuple[str, Rows]:
    scene = copy.copy(scene)  # other threads may edit it
    rows = []
    for name in scene.names[:_MOST_ROWS]:
        mesh, motion = scene[name]
        moving = "" if motion._core.is_fixed else ", moving"
        rows.append((name, f"{_numbers.count(len(mesh.faces))} triangles{moving}"))
    return f"Scene: {counted(len(scene), 'body')}", rows + _left(len(scene), "body")


@table_of.register
def _(robot: Robot) -> tuple[str, Rows]:
    _, size = robot_size(robot)
    rows = [("Joints", _few(robot.coordinate_names)), ("Links", _few(robot.link_names))]
    if robot.missing:
        rows.append(("Missing geometry", _few(robot.missing)))
    return f"Robot: {size}", rows


def _at(time: float) -> str:
    return f"t = {_numbers.rounded_down(float(time), 4)}"


def _seconds(seconds: float) -> tuple[str, str]:
    return "Computed in", f"{_numbers.milliseconds(1e3 * seconds)} ms"


def _left(count: int, word: str) -> Rows:
    left = count - _MOST_ROWS
    return [("", f"and {counted(left, 'more ' + word)}")] if left > 0 else []


def _few(names: Iterable[str]) -> str:
    some = [*names]
    more = len(some) - _MOST_ROWS
    return ", ".join(some[:_MOST_ROWS]) + (f" and {more} more" if more > 0 else "") or _numbers.NONE
