"""Robots from URDF files, by yourdfpy and trimesh."""

from __future__ import annotations

import os
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import numpy as np

from toccata._arrays import as_number
from toccata.mesh import Mesh, read_triangles
from toccata.robot import shapes
from toccata.robot.parts import Joint, JointKind, Link, Mimic

Paths = Sequence[str | os.PathLike[str]]


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Begin the message of what goes wrong inside with the name of the file."""
    try:
        yield
    except (ValueError, FileNotFoundError) as error:
        raise type(error)(f"{os.fspath(path)}: {error}") from error


def read_urdf(
    path: str | os.PathLike[str], package_dirs: Paths, geometry: str, error: float
) -> tuple[list[Link], list[Joint]]:
    """Return the links and joints of a URDF file."""
    if geometry not in ("collision", "visual"):
        raise ValueError(f"geometry: expected 'collision' or 'visual', got {geometry!r}")
    as_number("primitive_error", error, least=0, open_end=True)
    file = Path(path)
    model = _parse(file)
    find = _Finder(file, [Path(folder) for folder in package_dirs])
    links = [_link(link, geometry, find, error) for link in model.links]
    joints = [_joint(joint) for joint in model.joints]
    bare = [link.name for link in links if link.mesh is None]
    if len(bare) == len(links):
        seen = geometry == "collision" and any(link.visuals for link in model.links)
        hint = "; geometry='visual' takes what is seen" if seen else ""
        raise ValueError(f"expected links with {geometry} geometry, got none{hint}")
    hidden = [
        link.name for link in model.links if not getattr(link, f"{geometry}s") and link.visuals
    ]
    if geometry == "collision" and hidden:
        warnings.warn(
            f"{file.name}: links that are seen but have no collision geometry touch nothing: "
            + ", ".join(hidden),
            stacklevel=3,
        )
    return links, joints


def _parse(file: Path) -> Any:
    try:
        import trimesh  # noqa: F401
        import yourdfpy
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "Robot.from_urdf needs yourdfpy and trimesh: pip install 'toccata[robots]'"
        ) from error
    if not file.is_file():
        raise FileNotFoundError("no such file")
    try:
        root = ElementTree.parse(file).getroot()  # yourdfpy would repair what is broken
    except ElementTree.ParseError as error:
        raise ValueError(f"expected a URDF, got broken XML ({error})") from error
    if root.tag != "robot":
        raise ValueError(f"expected a URDF, got <{root.tag}>")
    _check(file.name, root)
    try:
        return yourdfpy.URDF.load(os.fspath(file), build_scene_graph=False, load_meshes=False).robot
    except Exception as error:  # every fault of the file surfaces in its own way
        raise ValueError(f"expected a URDF that yourdfpy reads ({error})") from error


def _check(file: str, root: ElementTree.Element) -> None:
    """Name faults on which yourdfpy fails with less to say, and what it leaves out."""
    if root.find("link") is None:
        raise ValueError("expected links, got none")
    for part in (root, *root.findall("link"), *root.findall("joint")):
        if not part.get("name"):
            raise ValueError(f"expected a name of every {part.tag}, got one without")
    known = {joint.get("name") for joint in root.findall("joint")}
    for joint in root.findall("joint"):
        try:
            _check_joint(joint, known)
        except ValueError as error:
            raise ValueError(f"joint {joint.get('name')!r}: {error}") from error
    replaced = [link.get("name", "") for link in root.findall("link[collision_checking]")]
    if replaced:
        warnings.warn(
            f"{file}: collision_checking, with which Pinocchio replaces shapes, is not followed: "
            + ", ".join(replaced),
            stacklevel=5,
        )


def _check_joint(joint: ElementTree.Element, known: set[str | None]) -> None:
    for tag in ("parent", "child"):
        part = joint.find(tag)
        if part is None or part.get("link") is None:
            raise ValueError(f"expected a {tag} link, got none")
    mimic = joint.find("mimic")
    if mimic is not None and mimic.get("joint") not in known:
        raise ValueError(f"expected a joint to mimic, got {mimic.get('joint')!r}")
    if joint.get("type") not in get_args(JointKind):
        raise ValueError(f"expected a joint type of URDF, got {joint.get('type')!r}")


class _Finder:
    """Finds the files of meshes."""

    def __init__(self, file: Path, package_dirs: list[Path]) -> None:
        self.folder = file.resolve().parent
        self.package_dirs = package_dirs

    def __call__(self, link: str, name: str) -> Path:
        tried = list(self.places(name))
        for place in tried:
            if place.is_file():
                return place
        looked = ", ".join(str(place) for place in tried)
        raise FileNotFoundError(f"link {link!r}: expected the mesh {name}, found none of {looked}")

    def places(self, name: str) -> list[Path]:
        if name.startswith("file://"):
            return [Path(name.removeprefix("file://"))]
        if not name.startswith("package://"):
            return [self.folder / name]
        inner = name.removeprefix("package://").lstrip("/")  # the name of the package may lack
        package, _, rest = inner.partition("/")
        named = [folder / inner for folder in self.package_dirs]
        inside = [folder / rest for folder in self.package_dirs if folder.name == package]
        # A package that contains the URDF itself.
        above = [f / rest for f in (self.folder, *self.folder.parents) if f.name == package]
        return [*named, *inside, *above]


def _link(link: Any, geometry: str, find: _Finder, error: float) -> Link:
    parts = [
        _part(link.name, part, find, error)
        for part in (link.collisions if geometry == "collision" else link.visuals)
    ]
    if not parts:
        return Link(link.name)
    starts = np.cumsum([0] + [len(vertices) for vertices, _, _ in parts])
    vertices = np.concatenate([part[0] for part in parts])
    faces = np.concatenate([part[1] + start for part, start in zip(parts, starts, strict=False)])
    return Link(link.name, Mesh(vertices, faces, solid=all(part[2] for part in parts)))


def _part(link: str, part: Any, find: _Finder, error: float) -> tuple[Any, Any, bool]:
    """Return vertices, faces and whether they bound a solid."""
    shape = part.geometry
    if shape is None:
        raise ValueError(f"link {link!r}: expected a geometry, got none")
    try:
        if shape.mesh is not None:
            (vertices, faces), solid = _mesh(link, shape.mesh, find), False
        elif shape.box is not None:
            (vertices, faces), solid = shapes.box(shape.box.size), True
        elif shape.cylinder is not None:
            radius, length = shape.cylinder.radius, shape.cylinder.length
            (vertices, faces), solid = shapes.cylinder(radius, length, error), True
        else:
            (vertices, faces), solid = shapes.sphere(shape.sphere.radius, error), True
    except ValueError as problem:
        raise ValueError(f"link {link!r}: {problem}") from problem
    pose = np.eye(4) if part.origin is None else np.asarray(part.origin)
    return vertices @ pose[:3, :3].T + pose[:3, 3], faces, solid


def _mesh(link: str, mesh: Any, find: _Finder) -> tuple[Any, Any]:
    vertices, faces = read_triangles(find(link, mesh.filename))
    scale = np.ones(3) if mesh.scale is None else np.broadcast_to(np.asarray(mesh.scale), 3)
    return np.asarray(vertices) * scale, np.asarray(faces)


def _joint(joint: Any) -> Joint:
    limit, mimic = joint.limit, joint.mimic
    lower = -np.inf if limit is None or limit.lower is None else limit.lower
    upper = np.inf if limit is None or limit.upper is None else limit.upper
    if joint.type == "continuous":
        lower, upper = -np.inf, np.inf
    return Joint(
        joint.name,
        joint.type,
        joint.parent,
        joint.child,
        np.eye(4) if joint.origin is None else joint.origin,
        (1.0, 0.0, 0.0) if joint.axis is None or joint.type == "fixed" else joint.axis,
        lower,
        upper,
        None if mimic is None else Mimic(mimic.joint, mimic.multiplier, mimic.offset),
    )
