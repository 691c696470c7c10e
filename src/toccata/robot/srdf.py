"""Pairs of links that an SRDF file switches off."""

from __future__ import annotations

import os
import warnings
import xml.etree.ElementTree as ElementTree


def read_disabled(path: str | os.PathLike[str], links: set[str]) -> list[tuple[str, str, str]]:
    """Return (link, link, reason) of every `disable_collisions`."""
    name = os.fspath(path)
    if not os.path.isfile(name):
        raise FileNotFoundError(f"{name}: no such file")
    try:
        root = ElementTree.parse(name).getroot()
    except ElementTree.ParseError as error:
        raise ValueError(f"{name}: expected an SRDF, got broken XML ({error})") from error
    pairs, unknown = [], set()
    for entry in root.iter("disable_collisions"):
        a, b = entry.get("link1", ""), entry.get("link2", "")
        unknown.update({a, b} - links)
        if links.issuperset((a, b)):
            pairs.append((a, b, entry.get("reason", "no reason given")))
    if unknown:  # nothing is left untested by that: files are shared by robots of one kind
        named = ", ".join(sorted(unknown))
        warnings.warn(f"{name}: expected links of the robot, got {named}", stacklevel=3)
    return pairs
