"""Logs of poses over time, as written by simulators and trackers."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_array, as_number, as_shape
from toccata._checks import as_path
from toccata._mesh import Mesh, as_mesh
from toccata._motion import pose
from toccata._robot.logged import LoggedRobot, read_robots
from toccata._text import listed
from toccata.typing import BodyLike

COLUMNS = ("time", "name", "x", "y", "z", "qx", "qy", "qz", "qw")
"""Columns of a table with one row for each body at each time."""
_NUMBERS = tuple(name for name in COLUMNS if name != "name")


Meshes = Mapping[str, BodyLike]
"""Bodies by name."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PoseLog:
    """Poses of bodies at increasing times."""

    names: tuple[str, ...]
    times: Floats
    """Increasing times, (k,)."""
    poses: Floats
    """Poses of the n bodies at each time, (k, n, 4, 4)."""
    meshes: tuple[Mesh, ...]
    tolerance: float | None = None
    """Default tolerance of an audit."""
    robots: tuple[LoggedRobot, ...] = ()
    """Robots; from row to row their links move straight in joint space."""
    ignored: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    """Pairs of bodies that may touch, (m, 2)."""

    @classmethod
    def read(
        cls, log: str | os.PathLike[str] | Mapping[str, ArrayLike], meshes: Meshes | None = None
    ) -> PoseLog:
        """Read a file (.npz, .csv or .parquet), or a mapping with the arrays of an .npz file.

        The arrays are `names` (n,), `times` (k,) and `poses` (k, n, 4, 4). Body i has the arrays
        `vertices_i` and `faces_i`, or a mesh in `meshes`. Optional arrays are `solid_i` (the
        argument `solid` of `Mesh`; a surface without it), `tolerance`, `ignored` (m, 2) with pairs
        of bodies that may touch, and the arrays of robots that `dynamics.WorldLog` writes. Tables
        have the columns `COLUMNS`, and need `meshes` for all bodies.
        """
        if isinstance(log, Mapping):
            return _from_arrays(log, meshes or {})
        path = as_path("log", log)
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file")
        readers = {".npz": _read_npz, ".csv": _read_csv, ".parquet": _read_parquet}
        if path.suffix.lower() not in readers:
            raise ValueError(f"log: expected a file of {', '.join(readers)}, got {path}")
        try:
            return readers[path.suffix.lower()](path, meshes or {})
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: {error}") from error

    def __repr__(self) -> str:
        span = f"{self.times[0]:.6g} to {self.times[-1]:.6g}"
        return f"PoseLog({len(self.names)} bodies, {len(self.times)} rows, {span})"


LogLike: TypeAlias = str | os.PathLike[str] | Mapping[str, ArrayLike] | PoseLog
"""A file of poses, a mapping of arrays, or a `PoseLog`."""


def _read_npz(path: Path, meshes: Meshes) -> PoseLog:
    with np.load(path, allow_pickle=False) as arrays:
        return _from_arrays(arrays, meshes)


def _from_arrays(log: Mapping[str, Any], meshes: Meshes) -> PoseLog:
    for name in ("names", "times", "poses"):
        if name not in log:
            raise ValueError(f"log: expected an array {name!r}, got {listed(list(log))}")
    names = tuple(str(name) for name in as_array("names", log["names"], "texts").ravel())
    times = _checked_times(as_shape("times", log["times"], -1))
    poses = as_shape("poses", log["poses"], len(times), len(names), 4, 4)
    given = {name: _mesh_of(log, i, name, meshes) for i, name in enumerate(names)}
    tolerance = None
    if "tolerance" in log:
        number = float(as_array("tolerance", log["tolerance"], "a number"))
        tolerance = as_number("tolerance", number, least=0, open_end=True)
    robots = read_robots(log, len(names), poses)
    return PoseLog(
        names, times, poses, _all_meshes(names, given, meshes), tolerance, robots,
        _ignored(log, len(names)),
    )  # fmt: skip


def _ignored(log: Mapping[str, Any], count: int) -> NDArray[np.int64]:
    pairs = as_array("ignored", log.get("ignored", np.empty((0, 2))), "pairs of numbers")
    rows = pairs.astype(np.int64)
    if rows.ndim != 2 or rows.shape[1] != 2 or not ((rows >= 0) & (rows < count)).all():
        raise ValueError(f"ignored: expected (m, 2) indices of {count} bodies, got {rows.shape}")
    return rows


def _mesh_of(log: Mapping[str, Any], i: int, name: str, meshes: Meshes) -> Any:
    if name in meshes:
        return meshes[name]
    if f"vertices_{i}" not in log or f"faces_{i}" not in log:
        wanted = f"a mesh of {name!r}, or vertices_{i} and faces_{i} in the log"
        raise ValueError(f"meshes: expected {wanted}, got none")
    solid = np.asarray(log.get(f"solid_{i}", False))
    try:
        return Mesh(log[f"vertices_{i}"], log[f"faces_{i}"], solid if solid.ndim else solid.item())
    except (TypeError, ValueError) as error:
        raise type(error)(f"meshes[{name!r}]: {error}") from error


def _read_csv(path: Path, meshes: Meshes) -> PoseLog:
    with path.open(newline="", encoding="utf-8-sig") as file:
        table = csv.DictReader(file, skipinitialspace=True)
        _check_columns(table.fieldnames or ())
        rows = list(table)
    columns = {name: _column(rows, name) for name in _NUMBERS}
    return _from_table([row["name"] for row in rows], columns, meshes)


def _column(rows: list[dict[str, str]], name: str) -> Floats:
    values = np.empty(len(rows))
    for i, row in enumerate(rows):
        try:
            values[i] = float(row[name])
        except (TypeError, ValueError):
            raise ValueError(
                f"{name}: expected a number, got {row[name]!r} (line {i + 2})"
            ) from None
    return values


def _read_parquet(path: Path, meshes: Meshes) -> PoseLog:
    try:
        parquet = import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        hint = "pip install 'toccata[parquet]', or use .npz or .csv"
        raise ModuleNotFoundError(f"parquet files need pyarrow: {hint}") from error
    table = parquet.read_table(path)
    _check_columns(table.column_names)
    columns = {name: np.asarray(table[name].to_numpy(), dtype=np.float64) for name in _NUMBERS}
    return _from_table(table["name"].to_pylist(), columns, meshes)


def _check_columns(found: Iterable[str]) -> None:
    missing = [name for name in COLUMNS if name not in set(found)]
    if missing:
        raise ValueError(f"columns: expected {', '.join(COLUMNS)}; missing: {', '.join(missing)}")


def _from_table(names: list[str], columns: Mapping[str, Floats], meshes: Meshes) -> PoseLog:
    """Return the log of a table with rows in any order."""
    if not names:
        raise ValueError("rows: expected at least one, got none")
    table = as_shape("rows", np.column_stack([columns[name] for name in _NUMBERS]), -1, 8)
    bodies = tuple(dict.fromkeys(names))
    number = {name: i for i, name in enumerate(bodies)}
    times, at = np.unique(table[:, 0], return_inverse=True)
    body = np.array([number[name] for name in names])
    _check_complete(times, bodies, at, body)
    poses = np.empty((len(times), len(bodies), 4, 4))
    for row, values in enumerate(table):
        poses[at[row], body[row]] = pose(values[1:4], quat_xyzw=values[4:])
    given = _all_meshes(bodies, {name: meshes.get(name) for name in bodies}, meshes)
    return PoseLog(bodies, _checked_times(times), poses, given)


def _check_complete(
    times: Floats, bodies: tuple[str, ...], at: NDArray[Any], body: NDArray[Any]
) -> None:
    counts = np.zeros((len(times), len(bodies)), dtype=int)
    np.add.at(counts, (at, body), 1)
    for k, i in np.argwhere(counts != 1)[:1]:
        rows = f"got {counts[k, i]} at time {times[k]:.9g}"
        raise ValueError(f"rows: expected one row of {bodies[i]!r} at each time, {rows}")


def _checked_times(times: Floats) -> Floats:
    if len(times) < 2:
        raise ValueError(f"times: expected at least two, got {len(times)}")
    late = np.flatnonzero(np.diff(times) <= 0)
    if len(late):
        i = int(late[0]) + 1
        raise ValueError(f"times: expected increasing numbers, got {times[i]} in row {i}")
    return times


def _all_meshes(
    names: tuple[str, ...], given: Mapping[str, Any], meshes: Meshes
) -> tuple[Mesh, ...]:
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"names: expected unique names, got {twice!r} twice")
    unknown = sorted(set(meshes) - set(names))
    if unknown:
        raise ValueError(f"meshes: expected names of the log, got {unknown[0]!r}")
    for name in names:
        if given[name] is None:
            raise ValueError(f"meshes: expected a mesh of {name!r}, got none")
    return tuple(as_mesh(f"meshes[{name!r}]", given[name]) for name in names)
