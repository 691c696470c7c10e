"""Two wooden men in a browser: they play, are pulled, hit by a ball, and have fewer joints."""

from __future__ import annotations

import numpy as np
import pytest

from browser.person import hue_mask
from toccata.view._colors import RED
from toccata.view._demos import live_men


@pytest.fixture
def men():
    with live_men(port=0) as page:
        yield page
        assert page.error is None


def test_men_play_are_pulled_and_hit(person, men):
    session = men.session
    someone = person(men.address, men.server)
    someone.until(lambda: someone.drawn() > 3_000, "the men to be drawn")
    first = someone.see("men-1-start")
    names, start = session.world.names, session.world.poses

    someone.press("Step")
    someone.until(lambda: session.world.time > 0, "a step")
    assert not session.playing
    someone.press("Play")
    someone.until(lambda: session.world.time > 0.5, "time to pass")
    someone.press("Pause")
    someone.until(lambda: not session.playing, "a pause")
    assert np.abs(session.world.poses - start).max() > 0.1
    someone.page.wait_for_timeout(300)
    now = someone.see("men-2-played")
    assert (np.abs(now - first) > 0.2).any(axis=2).mean() > 0.02, "the picture has changed"

    someone.slide("Active joints", "ArrowLeft", 25)  # of 29
    someone.until(lambda: session.active == 4, "joints to become inactive")
    someone.press("Play")
    someone.until(lambda: joints(session) < 40, "rigid groups")

    someone.press("Throw a ball")
    someone.until(lambda: "thrown 1" in session.world.names, "a ball")
    someone.until(lambda: hue_mask(someone.see(), RED).sum() > 20, "the ball to be seen")
    someone.see("men-3-ball-and-groups")

    name = "left/chest"
    chest = session.world.poses[session.world.names.index(name)][:3, 3]
    someone.press("Pause")
    at = someone.where(chest)
    someone.drag(at, (at[0] + 60, at[1] - 60))
    someone.until(lambda: session._spring is not None, "the spring")
    pulled = session._spring.name
    someone.page.wait_for_timeout(400)
    someone.see("men-4-pulled")
    someone.drop()
    someone.until(lambda: session._spring is None, "the spring to go")
    assert pulled in session.world.names

    someone.press("Back to the start")
    someone.until(lambda: session.world.time == 0, "the start")
    now = dict(zip(session.world.names, session.world.poses, strict=True))
    np.testing.assert_array_equal([now[name] for name in names], start)


def joints(session):
    """How many are active in all men."""
    return sum(int(body.active.sum()) for body in session.world.articulated.values())
