"""The clock of work on one thread: processor time, which others on the machine hardly disturb."""

from collections.abc import Callable, Sequence
from time import process_time
from typing import TypeVar

ROUNDS = 3
# Slow work is not worth many rounds: its scatter is small against its time.
ROUND_LIMIT = 4.0

Clock = Callable[[], float]
T = TypeVar("T")


def best(work: Callable[[], object], rounds: int = ROUNDS, now: Clock = process_time) -> float:
    """Return the least time of a few rounds, in seconds, by processor time or another clock."""
    return best_in_turn([work], rounds, now)[0]


def best_after(
    prepare: Callable[[], T], work: Callable[[T], object], rounds: int = ROUNDS
) -> float:
    """Return the least processor time of work on what is prepared anew for each round, untimed."""
    shortest, spent = float("inf"), 0.0
    for _ in range(rounds):
        ready = prepare()
        begin = process_time()
        work(ready)
        took = process_time() - begin
        shortest, spent = min(shortest, took), spent + took
        if spent > ROUND_LIMIT:
            break
    return shortest


def best_in_turn(
    works: Sequence[Callable[[], object]],
    rounds: int = ROUNDS,
    now: Clock = process_time,
    limit: float = ROUND_LIMIT,
) -> list[float]:
    """Return the least time of each work; in every round it is the turn of all of them.

    What slows the machine down for a while then slows down all that is compared. A turn is two runs
    in a row, since the first finds the caches full of another work's data. No round begins after
    `limit` seconds.
    """
    shortest, spent = [float("inf")] * len(works), 0.0
    for _ in range(rounds):
        for i, work in enumerate(works):
            for _ in range(1 if len(works) == 1 else 2):
                begin = now()
                work()
                took = now() - begin
                shortest[i], spent = min(shortest[i], took), spent + took
        if spent > limit:
            break
    return shortest
