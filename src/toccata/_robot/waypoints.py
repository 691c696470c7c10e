"""Waypoints of a robot from a CSV file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from toccata._arrays import Floats
from toccata._robot import Joint, Robot
from toccata._robot.tree import mimicked

_SEPARATOR = re.compile(r"\s*[,;]\s*")
_MIMIC_ERROR = 1e-6
"""Largest accepted error of the value of a mimic joint."""


@dataclass(frozen=True, slots=True, eq=False)
class Waypoints:
    """Configurations of a robot, in order."""

    rows: Floats
    """Configurations, (n, dof)."""
    times: Floats | None = None
    """Times from the column `time`, (n,); None without this column."""


def read_waypoints(path: str, robot: Robot) -> Waypoints:
    """Return the configurations of a file.

    Commas, semicolons or spaces separate columns. A first row without numbers is a header with the
    names of the robot's coordinates in any order. The header may also contain `time` and the names
    of mimic joints. Values of mimic joints are checked.
    """
    lines = _lines(path)
    own, joints = robot.coordinate_names, {joint.name: joint for joint in robot.joints}
    mimics = {name: j for name, j in joints.items() if j.mimic and j.kind != "fixed"}
    names = list(own)
    if lines and _numbers(lines[0][1]) is None:
        names = [word.strip("\"'") for word in lines.pop(0)[1]]
        _check_titles(path, names, own, mimics)
    where = [f"{path}, line {i}" for i, _ in lines]
    table = np.array([_row(f"{path}, line {i}", words, len(names)) for i, words in lines])
    if len(table) < 2:
        raise ValueError(f"{path}: expected at least two configurations, got {len(table)}")
    column = dict(zip(names, table.T, strict=True))
    for name in filter(column.__contains__, mimics):
        followed, factor, offset = mimicked(mimics[name], joints)
        _check_mimic(where, name, column[name], factor * column[followed] + offset)
    times = None
    if "time" in column and "time" not in own:
        times = column["time"]
        for line, before, now in zip(where, [-np.inf, *times], times, strict=False):
            if not before < now < np.inf:
                raise ValueError(f"{line}: expected increasing times, got {now} after {before}")
    return Waypoints(table[:, [names.index(name) for name in own]], times)


def _lines(path: str) -> list[tuple[int, list[str]]]:
    """Return the words of each line that is not empty or a comment, with the number of the line."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: no such file")
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = [(i, line.strip()) for i, line in enumerate(file, 1)]
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected text in UTF-8 ({error})") from error
    return [
        (i, _SEPARATOR.split(line) if "," in line or ";" in line else line.split())
        for i, line in lines
        if line and not line.startswith("#")
    ]


def _check_titles(
    path: str, titles: list[str], own: tuple[str, ...], mimics: Mapping[str, Joint]
) -> None:
    for title in titles:
        if title not in (*own, "time", *mimics):
            names = ", ".join(own)
            raise ValueError(f"{path}: expected columns of {names} or time, got {title!r}")
        if titles.count(title) > 1:
            raise ValueError(f"{path}: two columns have the name {title!r}")
    for name in own:
        if name not in titles:
            raise ValueError(f"{path}: the coordinate {name!r} has no column")


def _check_mimic(where: list[str], name: str, got: Floats, wanted: Floats) -> None:
    off = ~(np.abs(got - wanted) <= _MIMIC_ERROR)
    if off.any():
        i = int(np.argmax(off))
        joint = f"{name!r}, which mimics another joint"
        raise ValueError(f"{where[i]}: expected {wanted[i]} for {joint}, got {got[i]}")


def _row(where: str, words: list[str], size: int) -> list[float]:
    row = _numbers(words)
    if row is None:
        raise ValueError(f"{where}: expected numbers, got {' '.join(words)!r}")
    if len(row) != size:
        raise ValueError(f"{where}: expected {size} numbers, got {len(row)}")
    return row


def _numbers(words: list[str]) -> list[float] | None:
    try:
        return list(map(float, words))
    except ValueError:
        return None
