"""Pairs of links that an SRDF file switches off."""

from __future__ import annotations

import os
import warnings

from toccata._text import visible
from toccata.robot.xml_file import attribute, naming, read_xml


def read_disabled(path: str | os.PathLike[str], links: set[str]) -> list[tuple[str, str, str]]:
    """Return (link, link, reason) of every `disable_collisions`."""
    name = os.fspath(path)
    pairs, unknown = [], set()
    with naming(path):
        for entry in read_xml(path, "an SRDF").iter("disable_collisions"):
            a, b = attribute(entry, "link1"), attribute(entry, "link2")
            unknown.update({a, b} - links)
            if links.issuperset((a, b)):
                pairs.append((a, b, entry.get("reason", "no reason given")))
    if unknown:  # nothing is left untested by that: files are shared by robots of one kind
        named = ", ".join(sorted(unknown))
        warnings.warn(visible(f"{name}: expected links of the robot, got {named}"), stacklevel=3)
    return pairs
