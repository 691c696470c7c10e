"""Arguments of a wrong type are named, signatures list every option, answers print on a screen."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.dataset_rows import ARM, check, files
from oracles.datasets import Inline

import toccata as tc
from toccata import scale
from toccata._options import described
from toccata.scale._summary import Counts, Summary
from toccata.scenes.primitives import box

BOX = tc.Mesh(*box((1.0, 1.0, 1.0)))
PAIR = {"bodies": (BOX, BOX)}
HOSTILE = [3, 2.5, object(), [1], {"a": 1}, None]


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all parts in this process."""
    monkeypatch.setattr("toccata.scale._options.executor_of", lambda *_: Inline())


@pytest.mark.parametrize("value", HOSTILE, ids=[type(value).__name__ for value in HOSTILE])
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("source", lambda s, t, v: scale.check_motions(v, t, robot=ARM)),
        ("target", lambda s, t, v: scale.check_motions(s, v, robot=ARM)),
        ("robot", lambda s, t, v: scale.check_motions(s, t, robot=v)),
        ("progress", lambda s, t, v: scale.check_motions(s, t, robot=ARM, progress=v or 1)),
        ("source", lambda s, t, v: scale.check_pairs(v, t, **PAIR)),
        ("columns", lambda s, t, v: scale.check_pairs(s, t, **PAIR, columns=v)),
        ("bodies", lambda s, t, v: scale.check_pairs(s, t, bodies=v)),
        ("columns", lambda s, t, v: scale.check_frames(s, t, columns=v)),
        ("target", lambda s, t, v: scale.load(v)),
        ("target", lambda s, t, v: scale.status(v)),
    ],
)
def test_hostile_values_name_the_argument(
    name: str, call: Callable[[Any, Any, Any], Any], value: Any, tmp_path: Path
) -> None:
    source = files(tmp_path / "motions", "a.parquet")
    with pytest.raises((TypeError, ValueError), match=f"^{name}[:,]"):
        call(source, tmp_path / "out", value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s, t: scale.check_motions(3, t, robot=ARM), "source: expected a path .* got int"),
        (lambda s, t: scale.check_motions([s, 3], t, robot=ARM), "source: expected .* got int"),
        (lambda s, t: scale.check_motions(s, 3, robot=ARM), "target: expected a path .* got int"),
        (lambda s, t: scale.check_motions(s, t, robot=BOX), "robot: .* toccata.Robot, got Mesh"),
        (lambda s, t: scale.check_pairs(s, t, bodies=3), "bodies: expected two bodies.* got int"),
        (lambda s, t: scale.check_pairs(s, t, **PAIR, columns=3), "columns: expected .* got int"),
    ],
)
def test_wrong_types_raise_type_errors(
    call: Callable[[Any, Any], Any], message: str, tmp_path: Path
) -> None:
    source = files(tmp_path / "motions", "a.parquet")
    with pytest.raises(TypeError, match=f"^{message}"):
        call(source, tmp_path / "out")


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (scale.check_motions, scale.RobotDatasetOptions),
        (scale.check_pairs, scale.PairDatasetOptions),
        (scale.check_frames, scale.FrameDatasetOptions),
    ],
)
def test_signatures_and_docstrings_list_every_option_once(function: Any, options: Any) -> None:
    shown = inspect.signature(function).parameters
    assert {*described(options)} <= {*shown} and not {"options", "threads"} & {*shown}
    assert {*described(scale.RunOptions)} <= {*shown}
    for name in shown:
        assert function.__doc__.count(f"\n    {name}: ") == 1, name


def test_answers_print_on_one_screen(tmp_path: Path) -> None:
    told: list[scale.Progress] = []
    summary = check(files(tmp_path / "m", "a.parquet"), tmp_path / "out", progress=told.append)
    verdicts = scale.load(tmp_path / "out")
    for answer in (summary, verdicts, told[-1], summary.counts):
        assert "\n" not in str(answer) and len(str(answer)) < 200
        assert len(repr(answer).splitlines()) <= 24 and len(repr(answer)) < 3000
    assert str(verdicts) == f"{summary.rows:,} verdicts: {summary.counts}"
    assert "status: int8" in repr(verdicts)
    counts = Counts.of(np.array([0, 0, 1, -1], dtype=np.int8))
    assert str(counts) == "2 free, 1 contact, 1 invalid"
    assert str(Summary(counts, 8, 2, 1)).startswith("INCOMPLETE: 4 of 8 rows, 1 of 2 parts: 2 free")
