"""See it: questions and answers as plain lists of items, drawn in a browser or into one file."""

from toccata.view.items import (
    Arrows,
    Body,
    Camera,
    Item,
    Label,
    Mark,
    Plot,
    Points,
    View,
)

__all__ = ["Arrows", "Body", "Camera", "Item", "Label", "Mark", "Plot", "Points", "View"]
