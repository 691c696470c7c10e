"""URDF files are read whole, as they are written, or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles.urdf_text import BOMB, LINK, SECOND, joint, read, shape, urdf

import toccata as tc

WALL = tc.Mesh([(1.9, 0, -1), (2.1, 0, -1), (2, 0, 1)], [(0, 1, 2)])


@pytest.mark.parametrize(
    "inside",
    [
        "",
        "<x>" * 300 + "</x>" * 300,
        "<x>" * 20_000 + "</x>" * 20_000,
        "<note>" + "a" * 11_000_000 + "</note>",
        f"<note a='{'b' * 11_000_000}'/>",
        "<!-- ${no} <xacro:macro> --><![CDATA[<collision/>]]><?note no?>",
        "<drake:note/>",
    ],
    ids=["plain", "deep", "deeper", "long text", "long attribute", "comments", "unbound prefix"],
)
def test_large_files_are_read_completely(tmp_path: Path, inside: str) -> None:
    robot = read(tmp_path, urdf(inside))
    assert {name: link.triangles for name, link in robot.links.items()} == {"base": 12, "arm": 24}
    assert robot.first_contact([-1.0], [1.0], WALL)


def test_namespaces_change_nothing(tmp_path: Path) -> None:
    for space in ('xmlns="http://somewhere"', 'xmlns:xacro="http://www.ros.org/wiki/xacro"'):
        robot = read(tmp_path, urdf().replace("<robot ", f"<robot {space} "))
        assert robot.links["arm"].triangles == 24


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("latin-1", "latin-1"),
        ("latin-1", "ISO-8859-1"),
        ("cp1252", "windows-1252"),
        ("utf-8", "utf-8"),
        ("utf-8-sig", None),
        ("utf-8", None),
        ("utf-16", None),
        ("utf-16", "utf-16"),
        ("utf-16-be", "utf-16"),
    ],
)
def test_encodings_are_respected(tmp_path: Path, codec: str, declared: str | None) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    content = (head + urdf(arm="bras_é")).encode(codec)
    assert list(read(tmp_path, content).links) == ["base", "bras_é"]


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    for path in (tmp_path / "no.urdf", tmp_path, tmp_path / ("a" * 5000)):
        with pytest.raises(FileNotFoundError, match="no such file"):
            tc.Robot.from_urdf(path)


def test_numbers_are_read_in_all_forms(tmp_path: Path) -> None:
    for text in ("1 2 3", " 1\t2\n3 ", "+1 2.0 .3e1", "1. 20e-1 0.03E+2"):
        robot = read(tmp_path, shape(f'<box size="{text}"/>').replace("1 0 0", "0 0 0"))
        np.testing.assert_array_equal(
            np.ptp(robot.links["arm"].mesh.vertices[8:16], axis=0), [1, 2, 3]
        )
    open_ended = read(tmp_path, joint('<limit lower="-inf" upper="Infinity"/>'))
    assert (open_ended.lower, open_ended.upper) == (-np.inf, np.inf)


def test_a_chain_of_mimics_is_followed(tmp_path: Path) -> None:
    more = LINK.format("c") + LINK.format("d")
    more += SECOND.format("k", "revolute", "arm", "c", '<mimic joint="j" multiplier="2"/>')
    more += SECOND.format("l", "prismatic", "c", "d", '<mimic joint="k" offset="1"/>')
    robot = read(tmp_path, urdf(more=more))
    assert robot.dof == 1
    place = 2 * 0.3 + 1  # along x, the axis of a joint that names none
    wanted = tc.pose(rotvec=(0, 0, 0.3)) @ tc.pose(rotvec=(0.6, 0, 0)) @ [place, 0, 0, 1]
    np.testing.assert_allclose(robot.forward_kinematics([0.3])["d"][:, 3], wanted, atol=1e-15)


def test_roll_pitch_and_yaw_turn_about_fixed_axes(tmp_path: Path) -> None:
    robot = read(tmp_path, joint('<origin xyz="1 2 3" rpy="0.3 -0.5 1.1"/>', "fixed"))
    turns = [tc.pose(rotvec=v) for v in ((0.3, 0, 0), (0, -0.5, 0), (0, 0, 1.1))]
    wanted = tc.pose(translation=(1, 2, 3)) @ turns[2] @ turns[1] @ turns[0]
    np.testing.assert_allclose(robot.forward_kinematics([])["arm"], wanted, atol=1e-15)


def test_an_srdf_is_read_as_strictly(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(urdf())
    srdf = tmp_path / "r.srdf"
    pair = '<disable_collisions link1="base"{}/>'
    for text, message in (
        (f'<robot name="r">{pair.format("")}</robot>', "<disable_collisions>: expected link2, got"),
        (f'<robot name="r">{pair}', "expected an SRDF, got broken XML"),
        (BOMB + '<robot name="r">&a12;</robot>', "document types are not accepted"),
        ("<srdf/>", "expected an SRDF, got <srdf>"),
        ('<robot name="r"><xacro:x/></robot>', "got xacro with <xacro:x>"),
    ):
        srdf.write_text(text)
        with pytest.raises(ValueError, match=rf"r\.srdf: .*{message}"):
            tc.Robot.from_urdf(tmp_path / "r.urdf", srdf=srdf)
