"""Views of files: meshes, scenes, robots, logs, paths, and frames of a deforming mesh."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from toccata._frame_files import FrameFiles, by_number
from toccata._mesh import Mesh
from toccata._robot import Robot
from toccata._scene import Scene
from toccata.dynamics._path import MotionPath
from toccata.view._deforming import of_steps, steps_of_frames
from toccata.view._items import View
from toccata.view._log import of_log
from toccata.view._path import of_path
from toccata.view._robot import of_robot
from toccata.view._scene import of_meshes, of_scene

_KINDS = {".urdf": "robot", ".xacro": "robot", ".csv": "log", ".parquet": "log", ".json": "path"}
"""Kinds of files by suffix. The arrays of an .npz file decide, and all other files are meshes."""
_FEW = 3
"""Least number of meshes that count as frames, if their names differ only in numbers."""


def of_files(
    files: Sequence[str | os.PathLike[str]],
    meshes: Mapping[str, Any] | None = None,
    frames: bool = False,
    **reading: Any,
) -> View:
    """Return a view of the contents of files.

    The files are one mesh or scene; several meshes; a URDF and the meshes around it; a log of poses
    (.npz, .csv, .parquet); the path of a part (.npz, .json), the mesh of the part, and the meshes
    around it; or frames of a deforming mesh.

    Args:
        files: names of the files.
        meshes: bodies of a log by name.
        frames: True if the meshes are frames. Three or more meshes with names that differ only in
            numbers are always frames.
        reading: arguments of `Robot.from_urdf`.

    """
    paths = [Path(os.fspath(file)) for file in files]
    if not paths:
        raise ValueError("files: expected at least one file, got none")
    for path in paths:
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file")
    kind = "frames" if frames else _kind(paths[0])
    stems = {(path.parent, re.sub(r"\d+", "#", path.name)) for path in paths}
    if reading and kind != "robot":
        raise ValueError(
            f"{next(iter(reading))}: expected a URDF as the first file, got {paths[0]}"
        )
    if kind == "log":
        if len(paths) > 1:
            raise ValueError(f"files: a log cannot be combined with {paths[1]}")
        view = of_log(paths[0], meshes)
    elif kind == "path":
        if len(paths) < 2:
            raise ValueError(f"files: expected the mesh of the part after the path {paths[0]}")
        view = of_path(MotionPath.load(paths[0]), Mesh.load(paths[1]), scene_of(paths[2:]))
    elif kind == "robot":
        robot, world = robot_of(paths, **reading)
        view = of_robot(robot, None, world)
    elif kind == "frames" or (len(paths) >= _FEW and len(stems) == 1):
        ordered = sorted(map(str, paths), key=by_number)
        view = of_steps(steps_of_frames([*FrameFiles(ordered)]))
    elif len(paths) == 1:
        view = of_scene(Scene.load(paths[0]))
    else:
        view = of_meshes(_named(paths))
    return replace(view, title=", ".join(path.name for path in paths[:3]))


def is_robot(path: object) -> bool:
    """Return whether a value is the name of a URDF."""
    return isinstance(path, str | os.PathLike) and _KINDS.get(Path(path).suffix.lower()) == "robot"


def robot_of(files: Sequence[str | os.PathLike[str]], **reading: Any) -> tuple[Robot, Scene | None]:
    """Return the robot of a URDF, and the scene of the files after it."""
    return Robot.from_urdf(files[0], **reading), scene_of([Path(file) for file in files[1:]])


def _kind(path: Path) -> str:
    if (suffix := path.suffix.lower()) != ".npz":
        return _KINDS.get(suffix, "mesh")
    with np.load(path, allow_pickle=False) as arrays:
        for name, kind in (("poses", "log"), ("pivot", "path"), ("vertices_0", "frames")):
            if name in arrays:
                return kind
        raise ValueError(f"{path}: expected a log of poses or a path, got {', '.join(arrays)}")


def _named(paths: list[Path]) -> dict[str, Mesh]:
    """Return meshes by the names of their files. Repeated names get a number."""
    found: dict[str, Mesh] = {}
    for path in paths:
        name, count = path.stem, 1
        while name in found:
            count += 1
            name = f"{path.stem} {count}"
        found[name] = Mesh.load(path)
    return found


def scene_of(paths: list[Path]) -> Scene | None:
    """Return the scene of one file, or a scene of several meshes; None without files."""
    if not paths:
        return None
    if len(paths) == 1:
        return Scene.load(paths[0])
    scene = Scene()
    for name, mesh in _named(paths).items():
        scene.add(name, mesh)
    return scene
