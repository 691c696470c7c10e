"""A view as one HTML file that plays from disk: viser's own page, and a player for what changes."""

from __future__ import annotations

import base64
import gzip
import os
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from toccata._text import json_in_html, visible
from toccata.view.camera import sight_of
from toccata.view.canvas import Canvas, node_name
from toccata.view.items import Arrows, Body, Camera, Item, Label, Plot, Points, View
from toccata.view.recording import GHOSTS
from toccata.view.server import close_server, open_server, set_sight
from toccata.view.turns import as_wxyz


def save_html(view: View, file: str | os.PathLike[str]) -> None:
    """Write one file that shows a view in a browser, from disk and without a network."""
    Path(os.fspath(file)).write_text(as_html(view), encoding="utf-8")


def as_html(view: View) -> str:
    """Return the page."""
    sight = sight_of(view)
    server = open_server(view.title, port=0)
    try:
        set_sight(server, sight)
        canvas = Canvas(server.scene)
        # An item that comes later is in the page from the start, and hidden.
        canvas.show(item.at(0) for item in view.items)
        canvas.show(view.at(0))
        page = server.get_scene_serializer().as_html()
        told = _told(view, canvas, sight.camera)
    finally:
        close_server(server)
    return _with_player(page, view.title, told)


def _with_player(page: str, title: str, told: dict[str, Any]) -> str:
    folder = files("toccata.view")
    style = folder.joinpath("player.css").read_text(encoding="utf-8")
    script = folder.joinpath("player.js").read_text(encoding="utf-8")
    data = json_in_html(told)
    page = page.replace("<title>Viser</title>", f"<title>{escape(visible(title))}</title>")
    head, _, body = page.partition("</head>")
    end = body.rindex("</body>")
    player = f"<script>window.toccataView={data};</script>\n<script>\n{script}</script>\n"
    return f"{head}<style>\n{style}</style></head>{body[:end]}{player}{body[end:]}"


def _told(view: View, canvas: Canvas, camera: Camera) -> dict[str, Any]:
    """Return what the player reads."""
    block = _Block()
    groups = (item.name.partition("/")[0] for item in view.items)
    tracks = [_track(view, item, canvas, block) for item in view.items]
    return {
        "title": view.title,
        "notes": list(view.notes),
        "times": view.times.tolist(),
        "seconds": view.seconds,
        "unit": view.unit,
        "camera": _camera(camera),
        "marks": [
            {
                "name": mark.name,
                "time": mark.time,
                "color": list(mark.color),
                "camera": None if mark.camera is None else _camera(mark.camera),
            }
            for mark in view.marks
        ],
        "plots": [_plot(plot) for plot in view.plots],
        "ghosts": sorted({f"/{group}" for group in groups if group in GHOSTS}),
        "nodes": [node_name(item.name) for item in view.items],
        "tracks": [track for track in tracks if track is not None],
        "data": base64.b64encode(gzip.compress(bytes(block.bytes), 6)).decode("ascii"),
    }


def _camera(camera: Camera) -> dict[str, list[float]]:
    names = ("position", "target", "up")
    return {name: np.asarray(getattr(camera, name)).tolist() for name in names}


def _plot(plot: Plot) -> dict[str, Any]:
    series = zip(plot.series.items(), plot.colors, strict=True)
    return {
        "name": plot.name,
        "series": [
            {
                "name": name,
                "color": list(color),
                "values": [float(x) if np.isfinite(x) else None for x in values],
            }
            for (name, values), color in series
        ],
    }


class _Block:
    """All arrays of a page behind each other."""

    def __init__(self) -> None:
        self.bytes = bytearray()

    def add(self, rows: Any, kind: str = "f") -> tuple[str, int, int]:
        """Append an array with a row for each time; return where it is."""
        array = np.ascontiguousarray(rows, dtype="<f4" if kind == "f" else "u1")
        self.bytes += bytes(-len(self.bytes) % 4)
        place = kind, len(self.bytes), int(np.prod(array.shape[1:]))
        self.bytes += array.tobytes()
        return place


def _track(view: View, item: Item, canvas: Canvas, block: _Block) -> dict[str, Any] | None:
    """Return how an item changes, None if it does not."""
    rows, changing = view.rows(item), item.changing
    if not changing and len(rows) == len(view.times):
        return None
    track = {"name": node_name(item.name), "first": rows.start, "count": len(rows)}
    props: dict[str, Any] = {}
    if "pose" in changing and isinstance(item, Body):
        track |= {"position": block.add(item.pose[:, :3, 3]), "wxyz": block.add(as_wxyz(item.pose))}
    if "place" in changing and isinstance(item, Label):
        track["position"] = block.add(item.place)
    if "vertices" in changing and isinstance(item, Body):
        props["vertices"] = block.add(item.vertices[:, canvas.source(item.name)])
    if "places" in changing and isinstance(item, Points):
        props["points"] = block.add(item.places)
    if isinstance(item, Arrows) and {"start", "end"} & set(changing):
        both = np.broadcast_arrays(item.start, item.end)
        props["points"] = block.add(np.stack(both, axis=2))
    if "color" in changing:
        props["color" if isinstance(item, Body) else "colors"] = block.add(item.color, "b")
    return track | {"props": props}
