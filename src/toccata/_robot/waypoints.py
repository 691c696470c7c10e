"""Waypoints of a robot from a CSV file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

import numpy as np

from toccata._arrays import Floats
from toccata._robot import Joint, Robot
from toccata._robot.tree import mimicked

_BETWEEN = re.compile(r"\s*[,;]\s*")
_MIMIC_ERROR = 1e-6
"""Largest difference between the value of a mimic joint and the value that it should have."""


@dataclass(frozen=True, slots=True, eq=False)
class Waypoints:
    """Configurations of a robot, in order."""

    rows: Floats
    """(n, dof)"""
    times: Floats | None = None
    """(n,) if the file has a column `time`."""


def read_waypoints(path: str, robot: Robot) -> Waypoints:
    """Return the configurations of a file.

    Commas or semicolons separate the columns, otherwise spaces. A first row without numbers is a
    header that names the coordinates of the robot in any order. It may also name `time`, and mimic
    joints, whose values are then checked.
    """
    lines = _lines(path)
    titles = None
    if lines and _numbers(lines[0][1]) is None:
        titles = [word.strip("\"'") for word in lines.pop(0)[1]]
        _check_titles(path, titles, robot)
    names = list(robot.coordinate_names) if titles is None else titles
    table = np.array([_row(f"{path}, line {i}", words, len(names)) for i, words in lines])
    if len(table) < 2:
        raise ValueError(f"{path}: expected at least two configurations, got {len(table)}")
    rows = table[:, [names.index(name) for name in robot.coordinate_names]]
    lines_of = [f"{path}, line {i}" for i, _ in lines]
    for name, joint in _mimics(robot).items():
        if name in names:
            wanted = _mimicked(joint, robot, rows)
            _check_mimic(lines_of, name, table[:, names.index(name)], wanted)
    if "time" not in names or "time" in robot.coordinate_names:
        return Waypoints(rows)
    return Waypoints(rows, _as_times(lines_of, table[:, names.index("time")]))


def _lines(path: str) -> list[tuple[int, list[str]]]:
    """Return the words of each line that is not empty or a comment, with its number."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: no such file")
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = [(i, line.strip()) for i, line in enumerate(file, 1)]
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected text in UTF-8 ({error})") from error
    return [(i, _words(line)) for i, line in lines if line and not line.startswith("#")]


def _words(line: str) -> list[str]:
    return _BETWEEN.split(line) if "," in line or ";" in line else line.split()


def _mimics(robot: Robot) -> dict[str, Joint]:
    return {joint.name: joint for joint in robot.joints if joint.mimic and joint.kind != "fixed"}


def _check_titles(path: str, titles: list[str], robot: Robot) -> None:
    wanted = robot.coordinate_names
    for title in titles:
        if title not in (*wanted, "time", *_mimics(robot)):
            names = ", ".join(wanted)
            raise ValueError(f"{path}: expected columns of {names} or time, got {title!r}")
        if titles.count(title) > 1:
            raise ValueError(f"{path}: expected every column once, got {title!r} again")
    for name in wanted:
        if name not in titles:
            raise ValueError(f"{path}: expected a column for every joint, got none for {name!r}")


def _mimicked(joint: Joint, robot: Robot, rows: Floats) -> Floats:
    """Return the values that a mimic joint should have."""
    name, factor, offset = mimicked(joint, {joint.name: joint for joint in robot.joints})
    return factor * rows[:, robot.coordinate_names.index(name)] + offset


def _check_mimic(lines_of: list[str], name: str, got: Floats, wanted: Floats) -> None:
    off = ~(np.abs(got - wanted) <= _MIMIC_ERROR)
    if off.any():
        i = int(np.argmax(off))
        raise ValueError(
            f"{lines_of[i]}: expected {wanted[i]} for {name!r}, which mimics another joint, "
            f"got {got[i]}"
        )


def _as_times(lines_of: list[str], times: Floats) -> Floats:
    for line, before, now in zip(lines_of, [-np.inf, *times], times, strict=False):
        if not before < now < np.inf:
            raise ValueError(f"{line}: expected rising times, got {now} after {before}")
    return times


def _row(where: str, words: list[str], size: int) -> list[float]:
    row = _numbers(words)
    if row is None:
        raise ValueError(f"{where}: expected numbers, got {' '.join(words)!r}")
    if len(row) != size:
        raise ValueError(f"{where}: expected {size} numbers, got {len(row)}")
    return row


def _numbers(words: list[str]) -> list[float] | None:
    try:
        return [float(word) for word in words]
    except ValueError:
        return None
