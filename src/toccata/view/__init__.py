"""Answers, scenes, robots, logs and paths as views, shown in a browser or saved as one file."""

from toccata.view._demos import DEMOS, Demo, open_demo
from toccata.view._items import Arrows, Body, Camera, Item, Label, Mark, Outcome, Plot, Points, View
from toccata.view._show import open_page, save_html, show, view_of

__all__ = [
    "DEMOS",
    "Arrows",
    "Body",
    "Camera",
    "Demo",
    "Item",
    "Label",
    "Mark",
    "Outcome",
    "Plot",
    "Points",
    "View",
    "open_demo",
    "open_page",
    "save_html",
    "show",
    "view_of",
]
