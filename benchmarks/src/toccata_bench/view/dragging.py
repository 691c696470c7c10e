"""Latency of the poses of the car door while a page drags it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from math import pi
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes.mounting import door_mounting
from toccata.view._live.hand import HandSession
from toccata.view._live.hand_panel import HandPanel
from toccata.view._live.page import LivePage
from toccata.view._turns import as_wxyz
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

Floats = NDArray[np.float64]

RATES = (30.0, 60.0)
"""Rates of pointers per second."""
_SECONDS = 60.0
"""Seconds beyond its duration after which a drag has failed."""


def pointers(held: Floats, seconds: float, rate: float) -> Floats:
    """Return pointers of a shaking hand that pushes the door 5 cm too deep and wriggles it.

    The door starts 20 cm before its seat. Half of the time it is in contact.
    """
    time = np.linspace(0.0, 1.0, round(seconds * rate) + 1)
    depth = np.interp(time, (0.0, 0.45, 0.6, 0.9, 1.0), (0.0, 0.20, 0.25, 0.25, 0.20))
    shake = np.interp(time, (0.0, 0.05, 0.45, 0.5), (0.0, 1.0, 1.0, 0.0))
    angle = 2 * pi * np.clip((time - 0.6) / 0.3, 0.0, 1.0)
    x = 0.015 * shake * np.sin(40 * time) + 0.03 * np.sin(angle)
    z = 0.012 * shake * np.sin(29 * time) + 0.03 * (np.cos(angle) - 1)
    # All pointers differ in x, so that a pose identifies the pointer that it follows.
    x += 1e-6 * np.arange(len(time))
    return np.asarray(held + np.stack([x, -depth, z], axis=1))


def measure_drag(rate: float, seconds: float) -> Record:
    """Drag once, verify the path and the poses, and return times in milliseconds."""
    given = door_mounting()
    session = HandSession(tc.Mesh(*given.part), given.scene(), given.via[0])
    held = session.pose[:3, :3] @ session.center + session.pose[:3, 3]
    positions = pointers(held, seconds, rate)
    with LivePage(session, HandPanel, port=0) as page:
        notes = _by_process(page.server.get_port(), positions, rate)
        if page.error is not None:
            raise page.error
        moves = len(session.centers) - 1
    _verify(session, notes)
    return _times(notes, positions) | {"moves": moves, "motions": len(session.path)}


def _by_process(port: int, positions: Floats, rate: float) -> Record:
    with tempfile.TemporaryDirectory() as folder:
        asked, answer = Path(folder) / "asked.json", Path(folder) / "answer.json"
        asked.write_text(json.dumps({"port": port, "pointers": positions.tolist(), "rate": rate}))
        command = [sys.executable, "-m", "toccata_bench.view.client", str(asked), str(answer)]
        subprocess.run(command, check=True, timeout=len(positions) / rate + _SECONDS)
        return dict(json.loads(answer.read_text()))


def _verify(session: HandSession, notes: Record) -> None:
    """Check the path by `first_contact`, and compare the last pose sent with the part."""
    if (found := session.path.check(session.part, session.scene)) is not None:
        raise WrongAnswer(f"a motion of the path is not free: {found.status.name}")
    if not any(len(told["pointer"] or ()) for told in notes["told"]):
        raise WrongAnswer("the page received no pose that follows a pointer")
    last = {
        name: next(told[name] for told in reversed(notes["told"]) if told[name] is not None)
        for name in ("position", "wxyz")
    }
    where = {"position": session.pose[:3, 3], "wxyz": as_wxyz(session.pose)}
    for name, value in where.items():
        if not np.allclose(last[name], value, atol=1e-9):
            raise WrongAnswer(f"{name}: the page received {last[name]}, the part is at {value}")


def _times(notes: Record, positions: Floats) -> Record:
    """Return the time from each pointer to a pose that follows it or a later one."""
    told = [one for one in notes["told"] if one["pointer"] is not None]
    ends = np.array([one["pointer"] for one in told])
    followed = np.array([int(np.argmin(np.linalg.norm(positions - end, axis=1))) for end in ends])
    when = np.array([one["time"] for one in told])
    latencies = []
    for i, sent in enumerate(notes["sent"]):
        later = when[(followed >= i) & (when >= sent)]
        if not len(later):
            raise WrongAnswer(f"no pose follows pointer {i} of {len(positions)}")
        latencies.append(later[0] - sent)
    waits = 1e3 * np.array(latencies)
    poses = [one["time"] for one in notes["told"] if one["position"] is not None]
    first, last = notes["sent"][0], notes["sent"][-1]
    during = [time for time in poses if first <= time <= last]
    return {
        "pointers": len(waits),
        "poses": len(during),
        "poses_per_second": len(during) / (last - first),
        "median_ms": float(np.median(waits)),
        "p95_ms": float(np.percentile(waits, 95)),
        "worst_ms": float(waits.max()),
    }
