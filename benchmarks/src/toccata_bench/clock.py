"""The clock of work on one thread: processor time, which others on the machine hardly disturb."""

from collections.abc import Callable, Sequence
from time import process_time
from typing import TypeVar

ROUNDS = 3
# Slow work is not worth many rounds: its scatter is small against its time.
ROUND_LIMIT = 4.0
# Work of a millisecond needs more: the best of three may have been disturbed all the same.
MOST_ROUNDS, SHORT = 200, 0.25

Clock = Callable[[], float]
T = TypeVar("T")


def best(work: Callable[[], object], rounds: int = ROUNDS, now: Clock = process_time) -> float:
    """Return the least time of a few rounds, in seconds, by processor time or another clock."""
    return best_in_turn([work], rounds, now)[0]


def enough(rounds: int, spent: float) -> bool:
    """Return whether the best of so many rounds, in so many seconds, counts."""
    if spent > ROUND_LIMIT:
        return True
    return rounds >= (ROUNDS if spent > SHORT else MOST_ROUNDS)


def take_rounds(measured: Callable[[], float]) -> None:
    """Call `measured`, which returns the time it took, until the best of all rounds counts."""
    spent, rounds = 0.0, 0
    while not enough(rounds, spent):
        spent, rounds = spent + measured(), rounds + 1


def best_after(prepare: Callable[[], T], work: Callable[[T], object]) -> float:
    """Return the least processor time of work on what is prepared anew for each round, untimed."""
    times: list[float] = []

    def measured() -> float:
        ready = prepare()
        begin = process_time()
        work(ready)
        times.append(process_time() - begin)
        return times[-1]

    take_rounds(measured)
    return min(times)


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
