"""Bad URDF files: messages name the file, the link or joint, and what was expected."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from oracles.urdf_text import BOMB, LINK, SECOND, joint, read, shape, urdf

BAD: dict[str, tuple[str | bytes, str]] = {
    # The file.
    "empty": ("", "expected a URDF, got broken XML .no element found"),
    "no xml": ("robot", "expected a URDF, got broken XML"),
    "cut": (urdf()[:-9], "got broken XML"),
    "two roots": (urdf() * 2, "got broken XML .junk after document element"),
    "null": (urdf("\0"), "got broken XML"),
    "undeclared latin-1": (urdf(arm="é").encode("latin-1"), "got broken XML"),
    "unknown encoding": ("<?xml version='1.0' encoding='no'?>" + urdf(), "got broken XML"),
    "wide encoding": ("<?xml version='1.0' encoding='gbk'?>" + urdf(), "got broken XML"),
    "unknown entity": (urdf("&nbsp;"), "got broken XML .undefined entity"),
    "bomb": (BOMB + urdf("&a12;"), "broken XML .document types are not accepted"),
    "outer": (
        '<!DOCTYPE robot SYSTEM "file:///etc/passwd">' + urdf(),
        "document types are not accepted",
    ),
    "twice the same attribute": (urdf("<x a='1' a='2'/>"), "got broken XML .duplicate attribute"),
    "sdf": ("<sdf><model/></sdf>", "expected a URDF, got <sdf>"),
    # What is no URDF yet.
    "xacro": (
        urdf(more='<xacro:macro name="x"/>'),
        "got xacro with <xacro:macro>; make a URDF with xacro first: xacro FILE",
    ),
    "xacro inside": (urdf("<xacro:insert_block name='x'/>"), "got xacro with <xacro:insert_block>"),
    "xacro by another name": (
        urdf("<x:if/>").replace("<robot ", "<robot xmlns:x='http://ros.org/wiki/xacro' "),
        "got xacro with <x:if>",
    ),
    "formula": (
        shape('<sphere radius="${r / 2}"/>'),
        r"link 'arm': <sphere> radius: expected a value, got xacro '\${r / 2}'; make a URDF",
    ),
    "argument": (shape('<mesh filename="$(find x)/y.stl"/>'), "link 'arm': <mesh> filename: expec"),
    "name": (urdf().replace("arm", "${prefix}arm"), "<parent|<link> name|<child> link: expected a"),
    # Links.
    "no geometry": (
        urdf("<collision/>"),
        "link 'arm': <collision>: expected a geometry of box, capsule, cylinder, mesh, sphere, got",
    ),
    "empty geometry": (shape(""), "link 'arm': <collision>: expected a geometry of .*, got none"),
    "cone": (shape('<cone radius="1" length="1"/>'), "link 'arm': .* got <cone>"),
    "two shapes": (
        shape('<sphere radius="1"/><box size="1 1 1"/>'),
        "link 'arm': <collision>: expected a geometry of .*, got <sphere>, <box>",
    ),
    "two geometries": (
        urdf("<collision><geometry/><geometry/></collision>"),
        "link 'arm': <collision>: expected one <geometry>, got 2",
    ),
    "two origins": (
        urdf("<collision><origin/><origin/><geometry><sphere radius='1'/></geometry></collision>"),
        "link 'arm': <collision>: expected one <origin>, got 2",
    ),
    "box without size": (shape("<box/>"), "link 'arm': <box>: expected size, got none"),
    "flat box": (shape('<box size="1 1 0"/>'), "link 'arm': size: expected a positive number"),
    "box of two": (shape('<box size="1 1"/>'), "<box> size: expected 3 numbers, got '1 1'"),
    "box of four": (
        shape('<box size="1 1 1 1"/>'),
        "<box> size: expected 3 numbers, got '1 1 1 1'",
    ),
    "commas": (shape('<box size="1, 1, 1"/>'), "<box> size: expected 3 numbers, got '1, 1, 1'"),
    "radius": (shape("<sphere/>"), "link 'arm': <sphere>: expected radius, got none"),
    "empty radius": (shape('<sphere radius=""/>'), "<sphere>: expected radius, got none"),
    "negative": (shape('<sphere radius="-1"/>'), "link 'arm': radius: expected a positive number"),
    "nan": (shape('<sphere radius="nan"/>'), "<sphere> radius: expected 1 number, got 'nan'"),
    "infinite": (
        shape('<sphere radius="1e999"/>'),
        "<sphere> radius: expected 1 number, got '1e999'",
    ),
    "underscores": (shape('<sphere radius="1_0"/>'), "expected 1 number, got '1_0'"),
    "other digits": (shape('<sphere radius="١"/>'), "expected 1 number, got"),
    "length": (
        shape('<cylinder radius="1"/>'),
        "link 'arm': <cylinder>: expected length, got none",
    ),
    "huge": (
        shape('<cylinder radius="1e12" length="1"/>'),
        "link 'arm': primitive_error: expected",
    ),
    "huge ball": (shape('<sphere radius="1e4"/>'), "link 'arm': primitive_error: expected"),
    "mesh without file": (shape("<mesh/>"), "link 'arm': <mesh>: expected filename, got none"),
    "mesh of no name": (shape('<mesh filename=""/>'), "link 'arm': <mesh>: expected filename, got"),
    "long name": (
        shape(f'<mesh filename="{"a" * 5000}.stl"/>'),
        "link 'arm': expected the mesh aaa",
    ),
    "folder": (shape('<mesh filename="."/>'), r"link 'arm': expected the mesh \., found none of /"),
    "package": (
        shape('<mesh filename="package://x/y.stl"/>'),
        "link 'arm': expected the mesh package://x/y.stl, found none of x/y.stl in /",
    ),
    "scale": (
        shape('<mesh filename="t.obj" scale="1 2"/>'),
        "<mesh> scale: expected 1 or 3 numbers",
    ),
    "no scale": (
        shape('<mesh filename="t.obj" scale="1 1 0"/>'),
        "scale: expected numbers other th",
    ),
    "misspelt scale": (
        shape('<mesh filename="t.obj" Scale="1"/>'),
        "<mesh>: expected filename and",
    ),
    "broken mesh": (
        shape('<mesh filename="r.urdf"/>'),
        r"link 'arm': .*r\.urdf: expected a file tha",
    ),
    "mesh with nan": (
        shape('<mesh filename="nan.obj"/>'),
        r"link 'arm': .*nan\.obj: vertices: expec",
    ),
    "far mesh": (
        shape('<mesh filename="far.obj" scale="1e308"/>'),
        r"link 'arm': .*far\.obj: vert",
    ),
    "origin": (
        urdf('<collision><origin xyz="1 2"/><geometry><sphere radius="1"/></geometry></collision>'),
        "link 'arm': <origin> xyz: expected 3 numbers, got '1 2'",
    ),
    "quaternion": (
        urdf(
            '<collision><origin quat_xyzw="0 0 0 1"/><geometry><sphere radius="1"/></geometry>'
            "</collision>"
        ),
        "link 'arm': <origin>: expected xyz and rpy, got quat_xyzw",
    ),
    "same link": (urdf(more=LINK.format("base")), "links: expected different names, got 'base' tw"),
    "nameless link": (urdf(more="<link/>"), "<link>: expected name, got none"),
    "lonely link": (urdf(more=LINK.format("c")), "expected one link without a parent, got base, c"),
    "no link": ('<robot name="r"/>', "expected links, got none"),
    # Joints.
    "no type": (joint("").replace(' type="revolute"', ""), "joint 'j': expected a joint type of"),
    "no parent": (
        joint("", ends='<child link="arm"/>'),
        "joint 'j': expected a parent link, got no",
    ),
    "no child": (
        joint("", ends='<parent link="arm"/>'),
        "joint 'j': expected a child link, got non",
    ),
    "no parent link": (
        joint("", ends='<parent/><child link="arm"/>'),
        "joint 'j': <parent>: expected link, got none",
    ),
    "two parents": (
        joint('<parent link="arm"/>'),
        "joint 'j': <joint>: expected one <parent>, got 2",
    ),
    "unknown link": (
        joint("", ends='<parent link="x"/><child link="arm"/>'),
        "joint 'j': parent 'x' is not a link of this robot",
    ),
    "itself": (
        joint("", ends='<parent link="arm"/><child link="arm"/>'),
        "got a cycle through arm",
    ),
    "cycle": (
        urdf(more=SECOND.format("k", "fixed", "arm", "base", "")),
        "expected a tree, got a cycle through",
    ),
    "two above": (
        urdf(more=SECOND.format("k", "fixed", "base", "arm", "")),
        "link 'arm': expected one parent joint, got 'j' and 'k'",
    ),
    "same joint": (
        urdf(more=LINK.format("c") + SECOND.format("j", "fixed", "arm", "c", "")),
        "joints: expected different names, got 'j' twice",
    ),
    "axis": (joint('<axis xyz="1"/>'), "joint 'j': <axis> xyz: expected 3 numbers, got '1'"),
    "empty axis": (joint("<axis/>"), "joint 'j': <axis>: expected xyz, got none"),
    "no axis": (joint('<axis xyz="0 0 0"/>'), "joint 'j': expected an axis of nonzero length"),
    "pose": (
        joint('<origin rpy="0 0"/>'),
        "joint 'j': <origin> rpy: expected 3 numbers, got '0 0'",
    ),
    "limits": (joint('<limit lower="2" upper="1"/>'), "joint 'j': expected lower <= upper"),
    "word": (
        joint('<limit lower="low"/>'),
        "joint 'j': <limit> lower: expected 1 number, got 'low'",
    ),
    "limit nan": (joint('<limit upper="nan"/>'), "<limit> upper: expected 1 number, got 'nan'"),
    "planar": (
        joint('<limit lower="-1" upper="1"/>', "planar"),
        "joint 'j': <limit> lower: expected 3 numbers, got '-1'",
    ),
    "floating": (joint('<limit upper="1"/>', "floating"), "<limit> upper: expected 7 numbers"),
    "mimic": (joint("<mimic/>"), "joint 'j': <mimic>: expected joint, got none"),
    "mimic of none": (
        joint('<mimic joint="x"/>'),
        "joint 'j': the mimicked joint 'x' is not a joint",
    ),
    "mimic of itself": (
        joint('<mimic joint="j"/>'),
        "joint 'j': the joints that it mimics form a cycle",
    ),
    "mimic factor": (
        joint('<mimic joint="j" multiplier=""/>'),
        "<mimic>: expected multiplier, got",
    ),
    "mimic misspelt": (
        joint('<mimic joint="j" ofset="1"/>'),
        "<mimic>: expected joint and multipli",
    ),
    "mimic of planar": (
        joint("", "planar").replace(
            "</robot>",
            LINK.format("c")
            + SECOND.format("k", "revolute", "arm", "c", '<mimic joint="j"/>')
            + "</robot>",
        ),
        "joint 'k': the mimicked planar joint 'j' does not have one coordinate",
    ),
    "mimics in a circle": (
        joint('<mimic joint="k"/>').replace(
            "</robot>",
            LINK.format("c")
            + SECOND.format("k", "revolute", "arm", "c", '<mimic joint="j"/>')
            + "</robot>",
        ),
        "the joints that it mimics form a cycle",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (tmp_path / "nan.obj").write_text("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (tmp_path / "far.obj").write_text("v 0 0 0\nv 10 0 0\nv 0 10 0\nf 1 2 3\n")
    content, message = BAD[name]
    start = time.perf_counter()
    with pytest.raises((ValueError, FileNotFoundError), match=rf"r\.urdf: .*({message})"):
        read(tmp_path, content)
    assert time.perf_counter() - start < 5, "it takes no bomb to refuse a file"
