"""Real robots with odd files: they load, or the message says what to do."""

from __future__ import annotations

import warnings

import pytest
from oracles.robot_files import robot_file

import toccata as tc
from toccata._robot import urdf
from toccata_bench.scenes.installed import INSTALLED

pytest.importorskip("trimesh")


def test_a_humanoid_of_many_meshes_loads_and_names_untested_links() -> None:
    path, folder = robot_file("talos")
    with pytest.warns(UserWarning, match="are not tested: imu_link"):
        robot = tc.Robot.from_urdf(path, package_dirs=[folder])
    assert robot.dof == 32 and len(robot.link_names) == 52
    # Adjacent pairs are known without testing; so are links that fixed joints join.
    assert robot.tests("arm_left_7_link", "arm_right_7_link")
    reasons = set(robot.infer_ignored_pairs(20).values())
    assert "in contact at all of 20 sampled configurations" in reasons


def test_packages_without_a_name_are_found() -> None:
    path, folder = robot_file("talos_full")
    assert 'filename="package:///' in path.read_text()
    with pytest.warns(UserWarning, match="imu_link"):
        assert len(tc.Robot.from_urdf(path, package_dirs=[folder]).link_names) == 52


@pytest.mark.parametrize("name", ["human", "puma560"])
def test_visual_geometry_is_used_on_request(name: str) -> None:
    path, folder = robot_file(name)
    with pytest.warns(UserWarning, match="no link has collision .*; geometry='visual' uses"):
        bare = tc.Robot.from_urdf(path, package_dirs=[folder])
    assert bare.link_names == () and bare.dof > 0
    robot = tc.Robot.from_urdf(path, package_dirs=[folder], geometry="visual")
    assert len(robot.link_names) >= 7


def test_a_missing_package_is_reported_with_the_searched_folders() -> None:
    path, folder = robot_file("kuka")
    with pytest.raises(FileNotFoundError) as caught:
        tc.Robot.from_urdf(path, package_dirs=[folder])
    message = str(caught.value)
    assert message.startswith(f"{path}: link 'base_link': expected the mesh package://kuka_kr16")
    assert str(folder / "kuka_kr16_support") in message


def test_a_package_that_contains_the_robot_needs_no_folder() -> None:
    path, _ = robot_file("ur5")
    assert tc.Robot.from_urdf(path).dof == 6


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ur3_empty", r"ur3\.urdf: expected links, got none"),
        ("alex_hands", "joint 'Left_index_q2': the mimicked joint 'index_q1' is not a joint"),
    ],
)
def test_broken_files_of_packages_are_refused(name: str, message: str) -> None:
    path, folder = robot_file(name)
    with pytest.raises(ValueError, match=message):
        tc.Robot.from_urdf(path, package_dirs=[folder])


def test_collision_checking_of_pinocchio_is_reported() -> None:
    path, folder = robot_file("simple_humanoid")
    with pytest.warns(UserWarning, match="<collision_checking> is ignored, .*: "):
        tc.Robot.from_urdf(path, package_dirs=[folder])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ur5", "puma560"])  # one of each package
def test_no_real_robot_is_called_too_large(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, packages = robot_file(name)
    folder = INSTALLED[name].folder()
    triangle = tc.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    monkeypatch.setattr(urdf, "Mesh", lambda *_, **__: triangle)  # no hierarchy is needed
    how = urdf.Reading(INSTALLED[name].geometry, 1e-2, False)
    read = 0
    for path in folder.rglob("*.urdf"):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                urdf.read_urdf(path, [folder, packages], how)
                read += 1
            except (ValueError, FileNotFoundError):
                continue
        assert not [str(warning.message) for warning in told if "larger" in str(warning.message)]
    assert read >= (60 if name == "ur5" else 2)
