"""The built-in demos that one can touch."""

from __future__ import annotations

import time

import pytest

from toccata.view._demos import open_demo
from toccata.view._live.arm import ArmSession
from toccata.view._live.hand import HandSession
from toccata.view._live.simulation import SimulationSession

pytest.importorskip("viser")


@pytest.mark.parametrize(
    ("name", "kind"), [("door", HandSession), ("men", SimulationSession), ("robot", ArmSession)]
)
def test_a_demo_opens_live(name, kind):
    with open_demo(name, port=0) as page:
        session = page.session
        assert isinstance(session, kind)
        if not isinstance(session, HandSession):
            session.play()
        else:
            session.grab(session.pose[:3, 3])
            session.pull(session.pose[:3, 3] + (0, 0.1, 0))
        before = [item.pose for item in session.items() if hasattr(item, "pose")]
        end = time.monotonic() + 20
        while True:
            now = [item.pose for item in session.items() if hasattr(item, "pose")]
            if any((a != b).any() for a, b in zip(before, now, strict=False)):
                break
            assert page.error is None and time.monotonic() < end, "nothing moves"
            time.sleep(0.02)
