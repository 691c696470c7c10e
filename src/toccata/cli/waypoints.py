"""Waypoints of a robot from a CSV file."""

from __future__ import annotations

import os
import re

import numpy as np

from toccata._arrays import Floats

_BETWEEN = re.compile(r"\s*[,;]\s*|\s+")


def read_waypoints(path: str, names: tuple[str, ...]) -> Floats:
    """Return (n, dof) configurations; `names` are those of the robot's numbers.

    Columns are separated by commas, semicolons or spaces. A first row that is no numbers is a
    header: if it names joints, columns may come in any order and among others.
    """
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: no such file")
    with open(path, encoding="utf-8-sig") as file:
        lines = [(i, line.strip()) for i, line in enumerate(file, 1)]
    rows = [(i, _BETWEEN.split(line)) for i, line in lines if line and not line.startswith("#")]
    columns: list[int] | None = None
    if rows and _numbers(rows[0][1]) is None:
        columns = _columns(path, rows.pop(0)[1], names)
    found = [_row(f"{path}, line {i}", words, columns, len(names)) for i, words in rows]
    if len(found) < 2:
        raise ValueError(f"{path}: expected at least two configurations, got {len(found)}")
    return np.array(found)


def _columns(path: str, header: list[str], names: tuple[str, ...]) -> list[int] | None:
    titles = [word.strip("\"'") for word in header]
    missing = [name for name in names if name not in titles]
    if not missing:
        return [titles.index(name) for name in names]
    if len(missing) < len(names):
        raise ValueError(f"{path}: expected a column for every joint, got none for {missing[0]!r}")
    return None


def _row(where: str, words: list[str], columns: list[int] | None, count: int) -> list[float]:
    numbers = _numbers(words)
    if numbers is None:
        raise ValueError(f"{where}: expected numbers, got {' '.join(words)!r}")
    if columns is None:
        if len(numbers) != count:
            raise ValueError(f"{where}: expected {count} numbers, got {len(numbers)}")
        return numbers
    if len(numbers) <= max(columns):
        raise ValueError(f"{where}: expected as many numbers as titles, got {len(numbers)}")
    return [numbers[i] for i in columns]


def _numbers(words: list[str]) -> list[float] | None:
    try:
        return [float(word) for word in words]
    except ValueError:
        return None
