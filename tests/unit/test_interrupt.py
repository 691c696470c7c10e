"""Ctrl-C during a long call ends it, and what was asked can be asked again."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Runs in a process of its own, which the signal must not outlive. Left alone, each question takes
# more than a second on any machine, most of them minutes.
SCRIPT = """
import os, signal, sys, threading, time
import numpy as np
import toccata as tc
from toccata.scenes import models, robots

rng = np.random.default_rng(5)
soup = rng.uniform(-1, 1, (60_000, 3))
faces = np.arange(60_000).reshape(-1, 3)
knot = tc.Mesh(*models.torus_knot(4000))


def crumbs(color):
    # Small triangles in the cells of one color of a chessboard across radius and height.
    radius, height = rng.integers(1, 20, 8_000), rng.integers(0, 20, 8_000)
    height += (radius + height + color) % 2
    angle = rng.uniform(0, 6.28, 8_000)
    centers = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), height])
    corners = centers[:, None] + rng.uniform(-0.2, 0.2, (8_000, 3, 3))
    return tc.Mesh(corners.reshape(-1, 3), np.arange(24_000).reshape(-1, 3))


turns = tc.Motion.twist(np.eye(4), (0, 0, 0), (0, 0, 1e4))
start = np.tile(np.eye(4), (10_000, 1, 1))
end = np.tile(tc.pose(rotvec=(0, 0, 3)), (10_000, 1, 1))
away = tc.Motion.linear(tc.pose((0, 0, 5)), tc.pose((0, 0, 9)))
robot = robots.chain(10)
Q = np.tile(rng.uniform(-3, 3, (1_000, len(robot.lower))), (500, 1))
wind = soup + 0.3 * rng.normal(size=soup.shape)
pairs = rng.uniform(-1, 1, (2, 100_000, 4, 3)).repeat(100, axis=1)
crumbed = crumbs(0), crumbs(1)


def rigid(method):
    return lambda: tc.first_contact(*crumbed, turns, method=method, budget=10**15)


QUESTIONS = {
    "auto": rigid("auto"),
    "hca": rigid("hca"),
    "c2a": rigid("c2a"),
    "interval": rigid("interval"),
    "batch": lambda: tc.first_contact_batch(*crumbed, start, end, threads=1),
    "batch threads": lambda: tc.first_contact_batch(*crumbed, start, end, threads=3),
    "robot": lambda: robot.first_contact_batch(Q, Q[::-1], threads=2),
    "step": lambda: tc.deforming_contacts(soup, wind, faces, contacts="all", method="clusters"),
    "step bvh": lambda: tc.deforming_contacts(soup, wind, faces, contacts="all", method="bvh"),
    "elementary": lambda: tc.elementary.edge_edge(*pairs, tolerance=1e-12),
}
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what runs in the background
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begun = time.monotonic()
try:
    QUESTIONS[sys.argv[1]]()
except KeyboardInterrupt:
    print("interrupted" if time.monotonic() - begun < 5 else "late")
    print(tc.first_contact(knot, knot, away).status.name)
"""

QUESTIONS = (
    "auto", "hca", "c2a", "interval", "batch", "batch threads", "robot", "step", "step bvh",
    "elementary",
)  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_ctrl_c_ends_a_long_call(question: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, question], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["interrupted", "FREE"]
