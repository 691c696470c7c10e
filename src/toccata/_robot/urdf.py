"""URDF files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, isnan, nan, sin
from pathlib import Path
from typing import Any, Literal, get_args
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, as_number, moved
from toccata._mesh import Mesh, read_triangles
from toccata._robot import shapes
from toccata._robot import xml_file as xml
from toccata._robot.mesh_files import MeshFiles, MissingMesh, PackageDirs
from toccata._robot.parts import WIDTH, Joint, JointKind, Link, Mimic
from toccata._text import visible
from toccata.dynamics._mass import MassProperties

_MOMENTS = ("xx", "xy", "xz", "yy", "yz", "zz")
_SHAPES = ("box", "capsule", "cylinder", "mesh", "sphere")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Options of `Robot.from_urdf` about the geometry of links."""

    geometry: str
    primitive_error: float
    solid: bool | Literal["auto"]
    missing: str = "error"


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One shape of a link, in the link's frame."""

    vertices: Floats
    faces: NDArray[np.int32]
    solid: bool
    file: Path | None = None

    @property
    def size(self) -> float:
        return float(np.ptp(self.vertices, axis=0).max())


def read_urdf(
    path: str | os.PathLike[str], package_dirs: PackageDirs, how: Reading
) -> tuple[list[Link], list[Joint]]:
    """Return the links and joints of a URDF file."""
    if how.geometry not in ("collision", "visual"):
        raise ValueError(f"geometry: expected 'collision' or 'visual', got {how.geometry!r}")
    if how.missing not in ("error", "warn"):
        raise ValueError(f"missing: expected 'error' or 'warn', got {how.missing!r}")
    as_number("primitive_error", how.primitive_error, least=0, open_end=True)
    file = Path(path)
    root = xml.read_xml(file, "a URDF")
    bodies, connections = root.findall("link"), root.findall("joint")
    if not bodies:
        raise ValueError("expected links, got none")
    for part in (root, *bodies, *connections):
        if not part.get("name"):
            raise ValueError(f"<{part.tag}>: expected name, got none")
    joints = [_joint(part) for part in connections]
    files = MeshFiles(file, package_dirs)
    shown = [_link(part, files, how) for part in bodies]
    links = [link for link, _ in shown]
    for text in (*_doubts(root, links, how.geometry), *_too_large(shown, joints)):
        warnings.warn(visible(f"{file.name}: {text}"), stacklevel=3)
    return links, joints


def _doubts(root: Element, links: list[Link], geometry: str) -> Iterator[str]:
    """Yield warnings about missing parts, and parts that other readers interpret differently."""
    if lost := [f"{link.name} ({', '.join(link.missing)})" for link in links if link.missing]:
        yield f"mesh files do not exist, and contacts with them are missed: {', '.join(lost)}"
    bare = {link.name for link in links if link.mesh is None and not link.missing}
    visual = [link.get("name", "") for link in root.findall("link[visual]")]
    if len(bare) == len(links):
        has_visual = visual and geometry != "visual"
        hint = "; geometry='visual' uses the visual geometry" if has_visual else ""
        yield f"no link has {geometry} geometry, and queries about contact are refused{hint}"
    elif hidden := [name for name in visual if name in bare]:
        names = ", ".join(hidden)
        yield f"links with visual but no {geometry} geometry are not tested: {names}"
    if replaced := [link.get("name", "") for link in root.findall("link[collision_checking]")]:
        text = "<collision_checking> is ignored, although it replaces shapes in Pinocchio"
        yield f"{text}: {', '.join(replaced)}"
    found = [(link.name, link.inertia) for link in links if link.inertia is not None]
    if weightless := [name for name, i in found if isnan(i.mass) or np.isnan(i.inertia).any()]:
        text = "links with <inertial> but without <mass> or <inertia> cannot be simulated"
        yield f"{text}: {', '.join(weightless)}"


def _too_large(shown: list[tuple[Link, list[_Part]]], joints: list[Joint]) -> Iterator[str]:
    """Yield a warning if mesh files are far too large, such as files in millimeters.

    The largest mesh of a real robot is 0.6 to 6 times as long as the largest offset between joints.
    If all offsets are zero, meshes are compared with the median size of all shapes.
    """
    offsets = [float(np.linalg.norm(joint.origin[:3, 3])) for joint in joints]
    sizes = [part.size for _, parts in shown for part in parts]
    most = 50 * (max(offsets, default=0.0) or float(np.median(sizes or [0.0])))
    large = [link.name for link, parts in shown if any(p.file and p.size > most for p in parts)]
    if large:
        text = f"the meshes of {', '.join(large)} are much larger than the robot"
        yield f'{text}; if they are in millimeters, use scale="0.001 0.001 0.001"'


def _link(link: Element, files: MeshFiles, how: Reading) -> tuple[Link, list[_Part]]:
    name, parts, missing = xml.attribute(link, "name"), [], []
    with xml.naming(f"link {name!r}"):
        for part in link.findall(how.geometry):
            try:
                parts.append(_part(part, files, how))
            except MissingMesh as error:
                if how.missing == "error":
                    raise
                missing.append(error.mesh)
        mesh = _joined(parts, how.solid == "auto") if parts else None
        return Link(name, mesh, _inertia(link), tuple(missing)), parts


def _inertia(link: Element) -> MassProperties | None:
    """Return the mass properties of a link in its own frame. Values that are missing are NaN.

    The values are not checked here, since kinematics and contacts do not need them.
    """
    inertial = xml.only(link, "inertial")
    if inertial is None:
        return None
    weight, moments = xml.only(inertial, "mass"), xml.only(inertial, "inertia")
    mass = nan if weight is None else xml.number(weight, "value")
    pose, matrix = _pose(inertial), np.full((3, 3), nan)
    if moments is not None:
        xx, xy, xz, yy, yz, zz = (xml.number(moments, f"i{name}") for name in _MOMENTS)
        turn = pose[:3, :3]
        matrix = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
    return MassProperties._unchecked(mass, pose[:3, 3], (matrix + matrix.T) / 2)


def _joined(parts: list[_Part], where_closed: bool) -> Mesh:
    """Return one mesh, in which each solid part is a separate solid."""
    starts = np.cumsum([0] + [len(part.vertices) for part in parts])
    vertices = np.concatenate([part.vertices for part in parts])
    faces = np.concatenate([part.faces + at for part, at in zip(parts, starts, strict=False)])
    solids = np.cumsum([part.solid for part in parts]) * [part.solid for part in parts]
    numbers = np.repeat(solids, [len(part.faces) for part in parts]).astype(np.int32)
    try:
        if where_closed:
            return Mesh._where_closed(vertices, faces, numbers)
        return Mesh(vertices, faces, solid=numbers)
    except ValueError:
        for part in parts:  # find the part with the error, for the message
            with xml.naming(part.file or "shape"):
                Mesh(part.vertices, part.faces, solid=part.solid)
        raise


def _part(part: Element, files: MeshFiles, how: Reading) -> _Part:
    geometry = xml.only(part, "geometry")
    found = [] if geometry is None else list(geometry)
    if len(found) != 1 or found[0].tag not in _SHAPES:
        got = ", ".join(f"<{shape.tag}>" for shape in found) or "none"
        raise ValueError(f"<{part.tag}>: expected a geometry of {', '.join(_SHAPES)}, got {got}")
    shape = found[0]
    solid, file = True, None
    if shape.tag == "mesh":
        file = files.find(xml.attribute(shape, "filename"))
        (vertices, faces), solid = _mesh(shape, file), bool(how.solid)
    elif shape.tag == "box":
        vertices, faces = shapes.box(np.array(xml.numbers(shape, "size", (3,))))
    elif shape.tag == "sphere":
        vertices, faces = shapes.sphere(xml.number(shape, "radius"), how.primitive_error)
    else:  # the length of a capsule excludes its caps, as in MuJoCo and other readers
        make = shapes.capsule if shape.tag == "capsule" else shapes.cylinder
        size = xml.number(shape, "radius"), xml.number(shape, "length")
        vertices, faces = make(*size, how.primitive_error)
    with np.errstate(over="ignore", invalid="ignore"):
        return _Part(moved(vertices, _pose(part)), faces, solid, file)


def _mesh(mesh: Element, file: Path) -> tuple[Floats, NDArray[Any]]:
    xml.check_attributes(mesh, "filename", "scale")
    scale = [1.0] if mesh.get("scale") is None else xml.numbers(mesh, "scale", (1, 3))
    if 0 in scale:
        raise ValueError(f"<mesh> scale: expected numbers other than 0, got {mesh.get('scale')!r}")
    try:
        vertices, faces = read_triangles(file)
    except ModuleNotFoundError as error:
        text = "meshes of robots need trimesh: pip install 'toccata[robots]'"
        raise ModuleNotFoundError(text) from error
    with np.errstate(over="ignore"):  # Mesh checks that coordinates are finite
        return np.asarray(vertices, dtype=np.float64) * scale, np.asarray(faces)


def _pose(part: Element) -> Floats:
    """Return the pose of <origin>, (4, 4): rotations about the fixed axes x, y, z, then a shift."""
    pose = np.eye(4)
    origin = xml.only(part, "origin")
    if origin is None:
        return pose
    xml.check_attributes(origin, "xyz", "rpy")
    if origin.get("rpy") is not None:
        (a, b, c), (d, e, f) = (
            [w(x) for x in xml.numbers(origin, "rpy", (3,))] for w in (cos, sin)
        )
        about_x = np.array([[1, 0, 0], [0, a, -d], [0, d, a]])
        about_y = np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]])
        about_z = np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]])
        pose[:3, :3] = about_z @ about_y @ about_x
    if origin.get("xyz") is not None:
        pose[:3, 3] = xml.numbers(origin, "xyz", (3,))
    return pose


def _joint(joint: Element) -> Joint:
    name = xml.attribute(joint, "name")
    kind: Any = joint.get("type")
    with xml.naming(f"joint {name!r}"):
        if kind not in get_args(JointKind):
            kinds = ", ".join(get_args(JointKind))
            raise ValueError(f"expected a joint type of URDF ({kinds}), got {kind!r}")
        ends = {}
        for role in ("parent", "child"):
            if (end := xml.only(joint, role)) is None:
                raise ValueError(f"expected a {role} link, got none")
            ends[role] = xml.attribute(end, "link")
        axis = xml.only(joint, "axis")
        if axis is None or kind in ("fixed", "floating"):
            direction = [1.0, 0.0, 0.0]
        else:
            direction = xml.numbers(axis, "xyz", (3,))
        limits = _limits(joint, kind)
        pose, mimic = _pose(joint), _mimic(joint)
    return Joint(name, kind, **ends, **limits, origin=pose, axis=direction, mimic=mimic)


def _limits(joint: Element, kind: str) -> dict[str, Any]:
    """Return the limits "lower" and "upper": a number, or one number per coordinate of the joint.

    Limits of fixed and continuous joints are ignored.
    """
    limit = xml.only(joint, "limit")
    found: dict[str, Any] = {}
    if limit is None or kind in ("fixed", "continuous"):
        return found
    for name in ("lower", "upper"):
        if limit.get(name) is not None:
            values = xml.numbers(limit, name, (WIDTH[kind],), infinite=True)
            found[name] = values[0] if len(values) == 1 else values
    return found


def _mimic(joint: Element) -> Mimic | None:
    mimic = xml.only(joint, "mimic")
    if mimic is None:
        return None
    xml.check_attributes(mimic, "joint", "multiplier", "offset")
    factor, offset = xml.number(mimic, "multiplier", 1.0), xml.number(mimic, "offset", 0.0)
    return Mimic(xml.attribute(mimic, "joint"), factor, offset)
