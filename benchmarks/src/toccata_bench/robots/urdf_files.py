"""A robot and its world as URDF and STL, for peers that read no other format."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata._robot.parts import WIDTH, Joint
from toccata_bench.robots.pin_model import WORLD, world_soup

Floats = NDArray[np.float64]


def write_stl(path: Path, vertices: Floats, faces: NDArray[np.int32]) -> None:
    """Write a binary STL file without normals."""
    records = np.zeros(len(faces), dtype=[("numbers", "<f4", (4, 3)), ("end", "<u2")])
    records["numbers"][:, 1:] = np.asarray(vertices)[faces]
    path.write_bytes(bytes(80) + np.uint32(len(faces)).tobytes() + records.tobytes())


def write_robot(folder: Path, robot: tc.Robot, world: tc.Scene | None = None) -> Path:
    """Write a robot, and its world as one more link fixed to the root."""
    lines = ['<robot name="robot">']
    for name, link in robot.links.items():
        mesh = None if link.mesh is None else (link.mesh.vertices, link.mesh.faces)
        lines.append(_link(folder, name, mesh))
    lines += [_joint(joint) for joint in robot.joints]
    if world is not None:
        root = next(iter({*robot.links} - {joint.child for joint in robot.joints}))
        lines.append(_link(folder, WORLD, world_soup(world)))
        lines.append(_joint(Joint(f"{WORLD}_fixed", "fixed", root, WORLD)))
    path = folder / "robot.urdf"
    path.write_text("\n".join([*lines, "</robot>"]))
    return path


def _link(folder: Path, name: str, mesh: tuple[Floats, NDArray[np.int32]] | None) -> str:
    if mesh is None:
        return f"<link name={quoteattr(name)}/>"
    file = folder / f"{name}.stl"
    write_stl(file, *mesh)
    shape = f"<geometry><mesh filename={quoteattr(str(file))}/></geometry>"
    return f"<link name={quoteattr(name)}><collision>{shape}</collision></link>"


def _joint(joint: Joint) -> str:
    pose = np.asarray(joint.origin)
    origin = f'<origin xyz="{_numbers(pose[:3, 3])}" rpy="{_numbers(_roll_pitch_yaw(pose))}"/>'
    axis = f'<axis xyz="{_numbers(np.asarray(joint.axis))}"/>'
    limit = ""  # joints with several coordinates are not supported here
    if WIDTH[joint.kind] == 1:
        low, high = (float(np.clip(limit, -1e3, 1e3)) for limit in (joint.lower, joint.upper))
        limit = f'<limit lower="{low}" upper="{high}" effort="1" velocity="1"/>'
    # Configurations have plain angles, but peers represent a continuous joint by a unit circle.
    kind = "revolute" if joint.kind == "continuous" else joint.kind
    return (
        f'<joint name={quoteattr(joint.name)} type="{kind}">'
        f"<parent link={quoteattr(joint.parent)}/><child link={quoteattr(joint.child)}/>"
        f"{origin}{axis}{limit}</joint>"
    )


def _numbers(values: Floats) -> str:
    return " ".join(repr(float(value)) for value in values)


def _roll_pitch_yaw(pose: Floats) -> Floats:
    """Return the fixed-axis angles of a rotation for URDF."""
    r = pose[:3, :3]
    pitch = np.arctan2(-r[2, 0], np.hypot(r[0, 0], r[1, 0]))
    if np.hypot(r[0, 0], r[1, 0]) < 1e-9:  # roll and yaw turn about the same axis
        return np.array([np.arctan2(-r[1, 2], r[1, 1]), pitch, 0.0])
    return np.array([np.arctan2(r[2, 1], r[2, 2]), pitch, np.arctan2(r[1, 0], r[0, 0])])
