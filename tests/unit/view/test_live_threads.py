"""Threads of live views: the newest wish counts, orders keep their order, failures are told."""

from __future__ import annotations

import threading
import time

import pytest

from toccata.view._live.session import Newest, Session, Ticker


def test_a_late_reader_gets_the_newest_value_once():
    box: Newest[int] = Newest()
    assert box.take() is None
    for i in range(5):
        box.put(i)
    assert box.take() == 4
    assert box.take() is None


class Resting(Session):
    """A session that only carries out orders."""

    def advance(self) -> bool:
        return False


def test_orders_are_followed_in_their_order_by_the_thread_that_follows():
    session, done = Resting(), []
    givers = [
        threading.Thread(
            target=lambda k=k: [
                session.order(lambda i=i: done.append((k, i, threading.get_ident())))
                for i in range(50)
            ]
        )
        for k in range(4)
    ]
    for giver in givers:
        giver.start()
    for giver in givers:
        giver.join()
    assert session.tick()
    assert not session.tick()
    assert {ident for _, _, ident in done} == {threading.get_ident()}
    for k in range(4):
        assert [i for giver, i, _ in done if giver == k] == list(range(50))


def test_an_order_that_gives_an_order_does_not_keep_the_thread_for_ever():
    session, done = Resting(), []

    def again() -> None:
        done.append(1)
        session.order(again)

    session.order(again)
    assert session.tick()
    assert len(done) == 1


def test_a_ticker_works_until_it_is_stopped():
    enough, counts = threading.Event(), []

    def work() -> None:
        counts.append(threading.get_ident())
        if len(counts) >= 3:
            enough.set()

    ticker = Ticker(work, rate=1000.0).start()
    assert enough.wait(10)
    assert ticker.running
    ticker.stop()
    assert not ticker.running
    after = len(counts)
    time.sleep(0.02)
    assert len(counts) == after
    assert threading.get_ident() not in counts


def test_a_failure_ends_a_ticker_and_is_told():
    told: list[BaseException] = []
    over = threading.Event()

    def fail() -> None:
        raise ValueError("no")

    def note(error: BaseException) -> None:
        told.append(error)
        over.set()

    ticker = Ticker(fail, failed=note).start()
    assert over.wait(10)
    ticker.stop()
    assert ticker.error is told[0]
    assert not ticker.running


def test_a_tick_follows_orders_before_it_goes_on():
    class Counting(Session):
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[str] = []

        def advance(self) -> bool:
            self.seen.append("advance")
            return False

    session = Counting()
    assert not session.tick()
    session.order(lambda: session.seen.append("order"))
    assert session.tick()
    assert session.seen == ["advance", "order", "advance"]


def test_a_session_has_to_say_what_it_does():
    session = Session()
    with pytest.raises(NotImplementedError):
        session.tick()
    with pytest.raises(NotImplementedError):
        session.items()
    assert not list(session.notes)
