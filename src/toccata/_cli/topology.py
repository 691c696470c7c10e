"""Changes of topology between frames in files, in words and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from toccata._cli.answers import fields_of
from toccata._sequence import Frame, TopologyChange
from toccata._text import counted

ORIGINS = """\
Each vertex of a new topology needs its origin: the index of the vertex of the previous frame where
it starts, or -1 for a new vertex, which stands still. Origins are the property origin of the
vertices of a PLY file, or the array origin of an .npz file. Without them, vertices come from those
at the same position."""
"""Paragraph of the description of a command."""


class Changes:
    """The changes of topology in a sequence of frames."""

    def __init__(self, frames: list[Frame]) -> None:
        """Start with a list of frames. Its last frame is the one to which steps lead."""
        self.frames = frames
        self.words: dict[int, str] = {}
        """Text about each change, by the index of its frame."""
        self.fields: dict[int, dict[str, Any]] = {}
        """JSON object for each change."""

    def add(self, change: TopologyChange) -> None:
        """Add a change, and give the last frame the origins that were found."""
        self.fields[change.frame] = fields_of(change, "known_by", "new", "lost")
        self.words[change.frame] = _words(change)
        if change.known_by == "positions":
            self.frames[-1] = self.frames[-1]._replace(origin=change.origin)


def _words(change: TopologyChange) -> str:
    if change.known_by is None:
        some = counted(len(change.origin), "vertex", "vertices")
        return f"{change.lost:,} of {some} have no origin and no earlier vertex at their position"
    source = {"origin": "given origins", "positions": "origins by equal positions"}
    new = f", {counted(change.new, 'new vertex', 'new vertices')}" if change.new else ""
    return f"new topology with {source[change.known_by]}{new}"


@contextmanager
def naming(names: Sequence[str]) -> Iterator[None]:
    """Replace the index of a frame in a message by the name of its file, which users know."""
    try:
        yield
    except ValueError as error:
        named = re.sub(r"^frame (\d+)", lambda at: names[int(at[1])], str(error))
        raise ValueError(named) from error
