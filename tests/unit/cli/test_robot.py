"""`toccata check-robot`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toccata._cli import main

trimesh = pytest.importorskip("trimesh")

ROBOT = """<robot name="gantry">
  <link name="base"/>
  <link name="cart"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="hook"><collision><origin xyz="0 0 -2"/>
    <geometry><box size="0.2 0.2 1"/></geometry></collision></link>
  <link name="flag"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="cart"/>
    <axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
  <joint name="lift" type="prismatic"><parent link="cart"/><child link="hook"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="mast" type="fixed"><parent link="cart"/><child link="flag"/></joint>
</robot>"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Write a gantry and a wall from x = 4 on, beside a far post."""
    (tmp_path / "gantry.urdf").write_text(ROBOT)
    scene = trimesh.Scene()
    for name, shift in (("wall", (4.5, 0.0, 0.0)), ("post", (-30.0, 0.0, 0.0))):
        pose = np.eye(4)
        pose[:3, 3] = shift
        box = trimesh.creation.box((1.0, 5.0, 5.0))
        scene.add_geometry(box, node_name=name, geom_name=name, transform=pose)
    scene.export(tmp_path / "hall.glb")
    return {"robot": str(tmp_path / "gantry.urdf"), "world": str(tmp_path / "hall.glb")}


def asked(capsys: Any, *words: str) -> tuple[int, str, str]:
    code = main(["check-robot", *words])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_a_contact_has_links_joints_and_point(files: dict[str, str], capsys: Any) -> None:
    words = [files["robot"], "--world", files["world"], "--from", "0", "0", "--to", "5", "-1"]
    code, out, err = asked(capsys, *words)
    assert code == 1
    lines = out.splitlines()
    # The cart's front at 0.5 has 3.5 to go, of 5.
    assert lines[0].startswith("contact at t = 0.69999") or lines[0] == "contact at t = 0.7"
    assert lines[1].split() == ["links", "cart", "and", "wall"]
    assert lines[2].split()[:2] == ["joints", "rail"] and lines[3].split()[0] == "lift"
    assert float(lines[2].split()[2]) == pytest.approx(3.5, abs=1e-4)
    assert lines[8].split() == ["normal", "-1", "0", "0", "(from", "wall", "to", "cart)"]
    assert "links with visual but no collision geometry are not tested: flag" in err


def test_names_of_files_do_not_command_the_terminal(
    files: dict[str, str], capsys: Any, tmp_path: Path
) -> None:
    """XML allows the second set of control characters, marks of direction, and line breaks."""
    words = ["--from", "0", "0", "--to", "50", "-1"]
    plain = asked(capsys, files["robot"], "--world", files["world"], *words)
    hostile = "cart\x9b31m\u202e\nfree: no contact\x85"
    written = "".join(c if c.isascii() and c.isprintable() else f"&#{ord(c)};" for c in hostile)
    text = (
        ROBOT.replace("cart", written)
        .replace("rail", f"rail{written}")
        .replace("flag", written + "!")
    )
    (tmp_path / "hostile.urdf").write_text(text)
    scene = trimesh.Scene()
    box, pose = trimesh.creation.box((1.0, 5.0, 5.0)), np.eye(4)
    pose[0, 3] = 4.5
    scene.add_geometry(box, node_name="wall\x1b]0;owned\x07", geom_name="wall", transform=pose)
    scene.export(tmp_path / "hostile.glb")
    there = [str(tmp_path / "hostile.urdf"), "--world", str(tmp_path / "hostile.glb")]
    code, *told = asked(capsys, *there, *words)
    assert code == plain[0] == 1
    for hostile_text, plain_text in zip(told, plain[1:], strict=True):
        assert all(line.isprintable() for line in hostile_text.split("\n"))
        assert hostile_text.count("\n") == plain_text.count("\n")
    assert r"cart\x9b31m\u202e\nfree: no contact\x85 and wall\x1b]0;owned\x07" in told[0]
    assert r"rail" in told[1] and r"cart\x9b31m\u202e\nfree: no contact\x85!" in told[1]


def test_names_of_arguments_do_not_command_the_terminal(capsys: Any) -> None:
    for words in (["check", "\x1b[31m.obj", "b.obj"], ["check-robot", "\x1b[31m.urdf"]):
        assert main(words) == 2
        assert r"\x1b[31m" in (text := capsys.readouterr().err) and "\x1b" not in text
    with pytest.raises(SystemExit):
        main(["check", "a", "b", "--\x1b[31m"])
    assert "\x1b" not in capsys.readouterr().err


def test_json_has_all_of_it(files: dict[str, str], capsys: Any) -> None:
    words = [files["robot"], "--world", files["world"], "--from", "0", "0", "--to", "5", "0"]
    code, out, _ = asked(
        capsys, *words, "--json", "-", "--tolerance", "1e-6", "--separation", "0.5"
    )
    found = json.loads(out)
    assert code == 1 and found["status"] == "CONTACT"
    assert found["toc"] == pytest.approx(0.6, abs=1e-6) and found["q"][0] == pytest.approx(3.0)
    assert (found["link_a"], found["link_b"]) == ("cart", "wall")
    assert found["joints"] == ["rail", "lift"] and (found["piece"], found["pieces"]) == (0, 1)
    code, out, _ = asked(capsys, *words[:-2], "1", "0", "--json", "-")
    free = json.loads(out)
    assert code == 0 and free["status"] == "FREE"
    assert [free[key] for key in ("toc", "q", "link_a", "piece", "normal")] == [None] * 5


def test_free_undecided_and_overlapping_motions(files: dict[str, str], capsys: Any) -> None:
    robot, world = files["robot"], ["--world", files["world"]]
    code, out, _ = asked(capsys, robot, *world, "--from", "0", "0", "--to", "1", "0")
    assert (code, out) == (0, "free: no contact during the motion\n")
    far = ["--from", "0", "0", "--to", "5", "-1"]
    code, out, _ = asked(capsys, robot, *world, *far, "--budget", "1")
    assert code == 3 and out.startswith("undecided: free before t = ")
    code, out, _ = asked(capsys, robot, *world, "--from", "4", "0")
    assert code == 1 and out.startswith("initial overlap at t = 0\n  links      cart and wall")


def test_self_contact_and_ignored_links(files: dict[str, str], capsys: Any, tmp_path: Path) -> None:
    fold = ["--from", "0", "0", "--to", "0", "1.5"]  # the hook goes up into the cart
    code, out, _ = asked(capsys, files["robot"], *fold)
    assert code == 0, "neighbours are not tested"
    more = ROBOT.replace("</robot>", "") + (
        '<link name="tip"><collision><origin xyz="0 0 -1.5"/><geometry><box size="0.1 0.1 0.1"/>'
        '</geometry></collision></link><joint name="end" type="continuous">'
        '<parent link="hook"/><child link="tip"/><axis xyz="0 0 1"/></joint></robot>'
    )
    path = tmp_path / "tip.urdf"
    path.write_text(more)
    fold = ["--from", "0", "0", "0", "--to", "0", "2", "0"]
    code, out, _ = asked(capsys, str(path), *fold)
    assert code == 1 and "cart and tip" in out
    assert asked(capsys, str(path), *fold, "--no-self-contact")[0] == 0
    srdf = tmp_path / "tip.srdf"
    srdf.write_text('<robot name="x"><disable_collisions link1="tip" link2="cart"/></robot>')
    assert asked(capsys, str(path), *fold, "--srdf", str(srdf))[0] == 0
    path.write_text(more.replace('lower="-2" upper="2"', 'lower="1" upper="2"'))
    code, _, err = asked(capsys, str(path), *fold, "--infer-ignored")
    assert code == 0 and "not tested: cart and tip, in contact at all of 100" in err


def test_bodies_of_the_world_are_ignored_by_name(files: dict[str, str], capsys: Any) -> None:
    words = [files["robot"], "--world", files["world"], "--from", "0", "0", "--to", "5", "0"]
    assert asked(capsys, *words, "--ignore", "cart", "wall")[0] == 1  # the hook
    both = [*words, "--ignore", "cart", "wall", "--ignore", "hook", "wall"]
    assert asked(capsys, *both)[0] == 0
    code, _, err = asked(capsys, *words, "--ignore", "cart", "wal")
    assert code == 2 and "--ignore: expected a link or a body of the world, got 'wal'" in err
    assert asked(capsys, *words, "--ignore", "wall", "cart")[0] == 2


def test_paths_say_which_piece(files: dict[str, str], capsys: Any, tmp_path: Path) -> None:
    csv = tmp_path / "path.csv"
    csv.write_text("0,0\n2,0\n-1,0\n5,0\n9,0\n")
    words = [files["robot"], "--world", files["world"], "--path", str(csv), "--progress"]
    code, out, err = asked(capsys, *words, "--tolerance", "1e-6")
    exact = (2 + 4.5 / 6) / 4
    assert code == 1 and out.splitlines()[0].endswith("(piece 3 of 4)")
    assert float(out.split()[4]) == pytest.approx(exact, abs=1e-6)
    assert "piece 4" not in err
    csv.write_text("0,0\n2,0\n-1,0\n")
    code, out, err = asked(capsys, *words)
    assert (code, out) == (0, "free: no contact during the motion (2 pieces)\n")
    assert "piece 2 of 2" in err


def test_worlds_and_robots_may_be_solids(
    files: dict[str, str], capsys: Any, tmp_path: Path
) -> None:
    trimesh.creation.box((9.0, 9.0, 9.0)).export(tmp_path / "room.stl")
    words = [files["robot"], "--from", "0", "0", "--world", str(tmp_path / "room.stl")]
    assert asked(capsys, *words, "--no-solid-world")[0] == 0
    for how in ([], ["--solid-world"]):
        code, out, _ = asked(capsys, *words, *how)
        assert code == 1 and out.startswith("initial overlap")
    box = '<geometry><box size="1 1 1"/></geometry></collision></link>'
    cart = ROBOT.replace(box, '<geometry><mesh filename="room.stl"/></geometry></collision></link>')
    Path(files["robot"]).write_text(cart)
    trimesh.creation.box((0.1, 0.1, 0.1)).export(tmp_path / "pea.stl")
    words = [files["robot"], "--from", "0", "0", "--world", str(tmp_path / "pea.stl")]
    assert asked(capsys, *words, "--no-self-contact", "--no-solid")[0] == 0
    for how in ([], ["--solid"]):
        code, out, _ = asked(capsys, *words, "--no-self-contact", *how)
        assert code == 1 and out.startswith("initial overlap")


def test_limits_are_warned_of_and_not_enforced(files: dict[str, str], capsys: Any) -> None:
    code, _, err = asked(capsys, files["robot"], "--from", "0", "-3", "--to", "0", "0")
    assert code == 0 and "configuration 0 is outside of the limits of lift\n" in err
    assert "configuration 1" not in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected --from and --to, or --path; a configuration is 2 coordinates (rail, lift)"),
        (["--from", "1"], r"--from: expected 2 coordinates (rail, lift), got 1"),
        (["--from", "1", "2", "--to", "1", "2", "3"], "--to: expected 2 coordinates"),
        (["--from", "1", "nan"], "--from: expected finite numbers"),
        (["--path", "none.csv"], "none.csv: no such file"),
        (["--path", "x.csv", "--from", "1", "2"], "--path: cannot be combined with --from"),
        (["--from", "1", "2", "--world", "none.glb"], "none.glb: no such file"),
        (["--from", "1", "2", "--world", "{robot}"], "expected a file that trimesh reads"),
        (["--from", "1", "2", "--srdf", "none.srdf"], "none.srdf: no such file"),
        (["--from", "1", "2", "--separation", "-1"], "separation"),
        (["--from", "1", "2", "--geometry", "visual", "--srdf", "{world}"], "broken XML"),
    ],
)
def test_bad_usage_is_a_message(
    files: dict[str, str], capsys: Any, words: list[str], message: str
) -> None:
    code, out, err = asked(capsys, files["robot"], *(word.format(**files) for word in words))
    assert (code, out) == (2, "") and message in err


def test_worlds_that_are_no_meshes_are_refused(
    files: dict[str, str], capsys: Any, tmp_path: Path
) -> None:
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.PointCloud([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), node_name="scan")
    scene.export(tmp_path / "scan.glb")
    words = [files["robot"], "--from", "0", "0", "--world", str(tmp_path / "scan.glb")]
    code, _, err = asked(capsys, *words)
    assert code == 2 and "scan.glb: expected triangles, got none" in err


def test_a_missing_robot_is_a_message(capsys: Any) -> None:
    code, _, err = asked(capsys, "none.urdf", "--from", "0")
    assert code == 2 and "none.urdf: no such file" in err


def test_times_of_waypoints_are_used(files: dict[str, str], capsys: Any, tmp_path: Path) -> None:
    csv = tmp_path / "path.csv"
    csv.write_text("time,rail,lift\n10,0,0\n11,2,0\n20,5,0\n")  # the wall at 3.5, halfway
    words = [files["robot"], "--world", files["world"], "--path", str(csv), "--tolerance", "1e-6"]
    code, out, _ = asked(capsys, *words)
    assert code == 1 and out.splitlines()[0].endswith("(piece 2 of 2)")
    assert float(out.split()[4]) == pytest.approx(0.55, abs=1e-6)
    assert out.splitlines()[-1].split()[0] == "time"
    assert float(out.split()[-1]) == pytest.approx(15.5, abs=1e-5)
    code, out, _ = asked(capsys, *words, "--json", "-")
    answer = json.loads(out)
    assert answer["time"] == pytest.approx(15.5, abs=1e-5)
    assert answer["toc"] == pytest.approx(0.55, abs=1e-6)
    csv.write_text("rail,lift\n0,0\n2,0\n5,0\n")
    assert json.loads(asked(capsys, *words, "--json", "-")[1])["time"] is None


def test_waypoints_that_are_no_numbers_are_refused(
    files: dict[str, str], capsys: Any, tmp_path: Path
) -> None:
    path = tmp_path / "path.csv"
    path.write_text("1,2\nnan,3\n")
    code, _, err = asked(capsys, files["robot"], "--path", str(path))
    assert code == 2 and "--path: expected finite numbers, got nan (row 1 is not)" in err


def test_a_base_has_a_pose(files: dict[str, str], capsys: Any) -> None:
    words = ["--world", files["world"], "--from", "0", "0", "--to", "5", "-1"]
    code, out, _ = asked(capsys, files["robot"], "--at", "1", "0", "0", *words)
    # One nearer to the wall: 2.5 to go, of 5.
    assert code == 1 and float(out.split()[4]) == pytest.approx(0.5, abs=1e-5)
    turned = ["--at", "0", "0", "0", "0", "0", str(np.pi)]
    assert asked(capsys, files["robot"], *turned, *words)[0] == 0
    code, out, _ = asked(capsys, *words, "--at", "1", "0", "0", "--", files["robot"])
    assert code == 1, "options may come first"


def two(files: dict[str, str]) -> list[str]:
    """Name two gantries, 8 apart, that drive towards each other."""
    facing = ["--at", "8", "0", "0", "0", "0", "1", "0"]
    return ["--robot", f"left={files['robot']}", "--robot", f"right={files['robot']}", *facing]


def test_several_robots_are_one(files: dict[str, str], capsys: Any) -> None:
    ends = ["--from", "0", "0", "0", "0", "--to"]
    code, out, _ = asked(capsys, *two(files), *ends, "4", "0", "6", "0", "--json", "-")
    found = json.loads(out)
    # The carts are a cube long: 7 to go at speeds of 4 and 6.
    assert code == 1 and found["toc"] == pytest.approx(0.7, abs=1e-5)
    assert (found["link_a"], found["link_b"]) == ("left/cart", "right/cart")
    assert found["joints"] == ["left/rail", "left/lift", "right/rail", "right/lift"]
    assert asked(capsys, *two(files), *ends, "3", "0", "3", "0")[0] == 0
    far = [*ends, "4", "0", "6", "0"]
    ignored = ["--ignore", "left/cart", "right/cart", "--ignore", "left/hook", "right/hook"]
    assert asked(capsys, *two(files), *far, *ignored)[0] == 0
    assert asked(capsys, *two(files), *far, "--budget", "1")[0] == 3
    assert asked(capsys, *two(files), *far, "--no-self-contact")[0] == 0
    code, _, err = asked(capsys, *two(files), "--from", "0", "0", "9.5", "0")
    assert "configuration 0 is outside of the limits of right/rail" in err


def test_each_robot_may_have_a_clock(files: dict[str, str], capsys: Any, tmp_path: Path) -> None:
    left, right, both = (tmp_path / name for name in ("left.csv", "right.csv", "both.csv"))
    left.write_text("time,rail,lift\n0,0,0\n4,4,0\n")
    right.write_text("time,lift,rail\n2,0,0\n5,0,6\n")
    paths = ["--path", f"right={right}", "--path", f"left={left}"]
    # 7 = t + 2 (t - 2), and then 7 = 4 + 2 (t - 2) is too late.
    for more in ([], ["--progress"]):
        code, out, _ = asked(capsys, *two(files), *paths, "--json", "-", *more)
        found = json.loads(out)
        assert code == 1 and found["time"] == pytest.approx(11 / 3, abs=1e-4)
        assert found["toc"] == pytest.approx(11 / 15, abs=1e-4) and found["pieces"] == 3
        assert found["piece"] == 1
    both.write_text("left/rail,left/lift,right/rail,right/lift\n0,0,0,0\n4,0,6,0\n")
    code, out, _ = asked(capsys, *two(files), "--path", str(both), "--json", "-")
    assert code == 1 and json.loads(out)["toc"] == pytest.approx(0.7, abs=1e-5)
    left.write_text("time,rail,lift\n0,0,0\n4,10,0\n")
    code, _, err = asked(capsys, *two(files), *paths)
    assert code == 1 and "configuration 1 of left is outside of the limits of rail" in err


def test_bad_usage_of_several_robots_is_a_message(
    files: dict[str, str], capsys: Any, tmp_path: Path
) -> None:
    plain = tmp_path / "plain.csv"
    plain.write_text("0,0\n1,0\n")
    robot, ends = files["robot"], ["--from", "0", "0"]
    cases = [
        ([*ends], "expected a URDF file, or --robot NAME=FILE"),
        ([robot, "--robot", f"a={robot}", *ends], "--robot NAME=FILE: give every robot this way"),
        (["--at", "0", "0", "0", "--robot", f"a={robot}", *ends], "with --at and --srdf after it"),
        ([robot, "--at", "1", "2", *ends], "--at: expected 3, 6, 7 or 16 numbers, got 2"),
        ([*two(files), *ends], "--from: expected 4 coordinates (left/rail"),
        ([*two(files), "--path", f"left={plain}"], "got none for 'right'"),
        (
            [*two(files), "--path", f"left={plain}", "--path", f"right={plain}"],
            "the column time is missing",
        ),
        ([robot, "--path", str(plain), "--path", str(plain)], "--path: expected one file"),
    ]
    for words, message in cases:
        code, out, err = asked(capsys, *words)
        assert (code, out) == (2, "") and message in err
    for words, message in (
        (["--robot", "x.urdf"], "--robot: expected NAME=FILE, got 'x.urdf'"),
        (["--robot", "a=x", "--robot", "a=y"], "--robot: expected different names, got 'a' twice"),
        (["--robot", "a=x", "--at", "1", "--at", "2"], "--at: given twice for the same robot"),
    ):
        with pytest.raises(SystemExit) as end:
            asked(capsys, *words)
        assert end.value.code == 2 and message in capsys.readouterr().err


def test_splines_are_followed(files: dict[str, str], capsys: Any, tmp_path: Path) -> None:
    """From rest to rest: 3 t^2 - 2 t^3 of the motion, or 10 t^3 - 15 t^4 + 6 t^5."""
    csv = tmp_path / "path.csv"
    csv.write_text("0,0\n5,0\n")
    words = [files["robot"], "--world", files["world"], "--path", str(csv), "--tolerance", "1e-7"]
    powers = {"linear": [1, 0], "cubic": [-2, 3, 0, 0], "quintic": [6, -15, 10, 0, 0, 0]}
    for spline, polynomial in powers.items():
        code, out, _ = asked(capsys, *words, "--spline", spline, "--json", "-")
        share = np.roots(np.array(polynomial) - np.eye(len(polynomial))[-1] * 0.7)
        exact = [t.real for t in share if abs(t.imag) < 1e-9 and 0 <= t.real <= 1]
        assert code == 1 and json.loads(out)["toc"] == pytest.approx(exact[0], abs=1e-6)
        page = tmp_path / f"{spline}.html"
        assert asked(capsys, *words, "--spline", spline, "--report", str(page))[0] == 1
        assert "cart touches" in page.read_text(encoding="utf-8")


def test_splines_that_cannot_be_followed_are_refused(
    files: dict[str, str], capsys: Any, tmp_path: Path
) -> None:
    motion = ["--from", "0", "0", "--to", "5", "0", "--spline", "cubic"]
    code, _, err = asked(capsys, files["robot"], *motion)
    assert code == 2 and "--spline: cubic needs --path" in err
    (tmp_path / "path.csv").write_text("0,0\n5,0\n")
    words = [files["robot"], "--path", str(tmp_path / "path.csv"), "--spline", "cubic"]
    code, _, err = asked(capsys, *words, "--method", "hca")
    assert code == 2 and "method: expected auto or interval for a spline, got 'hca'" in err


def test_the_clearance_is_printed_on_request(
    files: dict[str, str], capsys: Any, tmp_path: Path
) -> None:
    words = [files["robot"], "--world", files["world"], "--from", "0", "0", "--to", "3", "0"]
    code, out, _ = asked(capsys, *words, "--clearance")
    free, line = out.splitlines()
    assert code == 0 and free == "free: no contact during the motion"
    assert line.split()[0] == "clearance" and line.endswith(": cart and wall")
    assert 0.499 < float(line.split()[1]) <= 0.5
    code, out, _ = asked(capsys, *words, "--clearance", "--json", "-", "--tolerance", "1e-6")
    found = json.loads(out)["clearance"]
    assert found["lower"] <= 0.5 <= found["upper"] <= found["lower"] + 1e-6
    assert (found["link_a"], found["link_b"]) == ("cart", "wall")
    code, out, _ = asked(capsys, *words[:-2], "9", "0", "--clearance")
    assert code == 1 and out.splitlines()[-1].split()[:2] == ["clearance", "0"]
    assert "clearance" not in asked(capsys, *words)[1]
    alone = [files["robot"], "--from", "0", "0", "--no-self-contact", "--clearance"]
    assert asked(capsys, *alone)[1].splitlines()[-1].split() == ["clearance", "inf"]
    assert json.loads(asked(capsys, *alone, "--json", "-")[1])["clearance"]["lower"] is None
    # A spline swings beyond its waypoints.
    splines = pytest.importorskip("scipy.interpolate")
    csv = tmp_path / "path.csv"
    csv.write_text("0,0\n2,0\n2,0\n0,0\n")
    curve = splines.CubicSpline([0, 1, 2, 3], [0, 2, 2, 0], bc_type="clamped")
    most = float(curve(np.linspace(0, 3, 3001)).max())
    assert 2.1 < most < 3.5
    words = [*words[:3], "--path", str(csv), "--spline", "cubic", "--tolerance", "1e-6"]
    found = json.loads(asked(capsys, *words, "--clearance", "--json", "-")[1])["clearance"]
    assert found["lower"] - 1e-6 <= 3.5 - most <= found["upper"] + 1e-6


def test_missing_meshes_are_reported(files: dict[str, str], capsys: Any, tmp_path: Path) -> None:
    lost = '<collision><geometry><mesh filename="package://x/gone.stl"/></geometry></collision>'
    path = tmp_path / "lost.urdf"
    path.write_text(ROBOT.replace('<link name="hook">', f'<link name="hook">{lost}'))
    words = [str(path), "--from", "0", "0", "--to", "1", "0"]
    code, _, err = asked(capsys, *words)
    assert code == 2 and "link 'hook': expected the mesh package://x/gone.stl" in err
    code, out, err = asked(capsys, *words, "--missing", "warn", "--json", "-")
    assert code == 0 and "hook (package://x/gone.stl)" in err
    assert json.loads(out)["missing"] == {"hook": ["package://x/gone.stl"]}
    trimesh.creation.box().export(tmp_path / "gone.stl")
    for given in (f"x={tmp_path}", "nothing"):
        code, _, err = asked(capsys, *words, "--package-dir", given)
        assert (code, "expected the mesh" in err) == ((0, False) if "=" in given else (2, True))
    both = ["--package-dir", f"x={tmp_path}", "--package-dir", "."]
    code, _, err = asked(capsys, *words, *both)
    assert (
        code == 2 and "--package-dir: expected names for all folders or for none, got both" in err
    )
