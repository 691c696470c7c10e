"""Waypoints of a robot from CSV files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import toccata as tc
from toccata._robot.waypoints import read_waypoints


def gantry() -> tc.Robot:
    """Return two joints, and one that mimics the second."""
    joints = [
        tc.Joint("rail", "prismatic", "a", "b"),
        tc.Joint("lift", "prismatic", "b", "c"),
        tc.Joint("wheel", "revolute", "c", "d", mimic=tc.Mimic("lift", 10.0, -1.0)),
    ]
    return tc.Robot([tc.Link(name) for name in "abcd"], joints)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("1,2\n3,4\n", None),
        ("# made by hand\n\n1;2\n3 ; 4", None),
        ("1 2\r\n3\t4\r\n", None),
        ("lift,time,rail\n2,0.0,1\n4,0.1,3\n", [0.0, 0.1]),
        ('\ufeff"lift" "rail"\n2 1\n4 3\n', None),
        ("lift,wheel,rail\n2,19,1\n4,39.0000001,3\n", None),
        ("time wheel rail lift\n-5 19 1 2\n1e3 39 3 4\n", [-5.0, 1000.0]),
    ],
)
def test_waypoints_are_read_in_many_forms(
    tmp_path: Path, text: str, times: list[float] | None
) -> None:
    path = tmp_path / "path.csv"
    path.write_text(text, encoding="utf-8")
    found = read_waypoints(str(path), gantry())
    np.testing.assert_array_equal(found.rows, [[1, 2], [3, 4]])
    assert (None if found.times is None else found.times.tolist()) == times


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "path.csv: expected at least two configurations, got 0"),
        ("rail,lift\n1,2\n", "expected at least two configurations, got 1"),
        ("1,2\n3,x\n", "path.csv, line 2: expected numbers, got '3 x'"),
        ("1,2\n\n3\n", "path.csv, line 3: expected 2 numbers, got 1"),
        ("1,2\n3,\n", "path.csv, line 2: expected numbers"),
        ("rail\n1\n3\n", "path.csv: the coordinate 'lift' has no column"),
        ("rail,height\n1,2\n", "path.csv: expected columns of rail, lift or time, got 'height'"),
        ("a,b\n1,2\n3,4\n", "path.csv: expected columns of rail, lift or time, got 'a'"),
        ("rail,lift,Lift\n1,2,3\n", "expected columns of rail, lift or time, got 'Lift'"),
        ("rail,lift,lift\n1,2,2\n3,4,5\n", "two columns have the name 'lift'"),
        ("rail,lift\n1,2\n3\n", "line 3: expected 2 numbers, got 1"),
        ("rail,lift\n1,2\n3,4,5\n", "line 3: expected 2 numbers, got 3"),
        (
            "rail,lift,wheel\n1,2,19\n#\n3,4,40\n",
            "path.csv, line 4: expected 39.0 for 'wheel', which mimics another joint, got 40.0",
        ),
        ("rail,lift,wheel\n1,2,19\n3,4,nan\n", "line 3: expected 39.0 for 'wheel', which mimics"),
        ("time,rail,lift\n1,2,3\n1,2,3\n", "path.csv, line 3: expected increasing times, got 1.0"),
        (
            "time,rail,lift\nnan,2,3\n1,2,3\n",
            "path.csv, line 2: expected increasing times, got nan",
        ),
        (
            "time,rail,lift\n0,2,3\ninf,2,3\n",
            "path.csv, line 3: expected increasing times, got inf",
        ),
        ("rail,lift\n1,\udce4\n", "path.csv: expected text in UTF-8"),
    ],
)
def test_broken_waypoints_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "path.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError, match=re.escape(message)):
        read_waypoints(str(path), gantry())
