"""The benchmark of live views: what its page reads, how it counts, and a drag of half a second."""

from __future__ import annotations

import numpy as np
import pytest

from toccata_bench.verify import WrongAnswer
from toccata_bench.view import dragging
from toccata_bench.view.client import Told, unpacked
from toccata_bench.view.goals import goals


def notes(followed, at, sent):
    """What a page notes: poses that follow pointers, and when they came."""
    told = [
        {"time": t, "position": [0, 0, 0], "wxyz": [1, 0, 0, 0], "pointer": [float(i), 0, 0]}
        for i, t in zip(followed, at, strict=True)
    ]
    return {"sent": sent, "told": told}


def test_a_pointer_waits_for_a_pose_that_follows_it_or_a_later_one():
    way = np.array([(i, 0.0, 0.0) for i in range(4)])
    found = dragging._times(
        notes([0, 2, 3], [0.010, 0.095, 0.120], [0.0, 0.030, 0.060, 0.090]), way
    )
    # 10 ms; the second pointer was passed over, and waits 65 ms as the third does 35; then 30.
    assert found["worst_ms"] == pytest.approx(65)
    assert found["median_ms"] == pytest.approx((30 + 35) / 2)
    assert found["pointers"] == 4


def test_a_pointer_that_nothing_follows_is_a_wrong_answer():
    way = np.array([(i, 0.0, 0.0) for i in range(2)])
    with pytest.raises(WrongAnswer, match="pointer 1 of 2"):
        dragging._times(notes([0], [0.01], [0.0, 0.03]), way)


def test_pointers_go_into_the_car_and_no_two_are_alike():
    way = dragging.pointers(np.zeros(3), 4.0, 30.0)
    assert len(way) == 121
    assert way[:, 1].min() == pytest.approx(-0.25, abs=1e-6)
    apart = np.linalg.norm(way[:, None] - way[None], axis=2) + np.eye(len(way))
    assert apart.min() > 5e-7


def test_the_page_reads_windows_with_arrays():
    msgspec = pytest.importorskip("msgspec")
    zstandard = pytest.importorskip("zstandard")
    arrays = [np.arange(3, dtype="<f4").tobytes(), np.arange(6, dtype="<f4").tobytes()]
    inner = msgspec.msgpack.encode(
        {"messages": [{"type": "A"}], "binaryBufferLengths": [len(a) for a in arrays]}
    )
    packed = zstandard.ZstdCompressor().compress(inner)
    data = len(inner).to_bytes(8, "little") + len(packed).to_bytes(8, "little") + packed
    for array in arrays:
        data += bytes(-len(data) % 8) + array
    messages, buffers = unpacked(data)
    assert messages == [{"type": "A"}]
    assert buffers == arrays


def test_goals_are_those_of_the_worst_drag():
    record = {
        "drag": {
            "a": {"poses_per_second": 59.0, "p95_ms": 20.0},
            "b": {"poses_per_second": 29.0, "p95_ms": 120.0},
        }
    }
    poses, tail = goals(record)
    assert (poses.worst, tail.worst) == ("b", "b")
    assert (poses.reached, tail.reached) == (1, 1)
    assert Told(1.0).pointer is None


def test_a_short_drag_is_verified():
    pytest.importorskip("viser")
    found = dragging.measure_drag(30.0, 0.5)
    assert found["pointers"] == 16
    assert found["moves"] > 0 and found["motions"] >= found["moves"] - 1
    assert np.isfinite(found["worst_ms"])
