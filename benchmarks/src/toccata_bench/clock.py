"""Clock of work on one thread: processor time, which other work hardly disturbs."""

from collections.abc import Callable, Sequence
from time import process_time
from typing import TypeVar

ROUNDS = 3
# Seconds after which no round begins: slow work varies little in relation to its time.
ROUND_LIMIT = 4.0
# Work of a millisecond needs more rounds, because all of the first three may be disturbed.
MOST_ROUNDS, SHORT = 200, 0.25

Clock = Callable[[], float]
T = TypeVar("T")


def best(work: Callable[[], object], rounds: int = ROUNDS, now: Clock = process_time) -> float:
    """Return the least time of a few rounds, in seconds, by processor time or another clock."""
    return best_in_turn([work], rounds, now)[0]


def enough(rounds: int, spent: float) -> bool:
    """Return whether so many rounds in so many seconds are enough."""
    if spent > ROUND_LIMIT:
        return True
    return rounds >= (ROUNDS if spent > SHORT else MOST_ROUNDS)


def take_rounds(measured: Callable[[], float]) -> None:
    """Call `measured`, which returns its time, until there are enough rounds."""
    spent, rounds = 0.0, 0
    while not enough(rounds, spent):
        spent, rounds = spent + measured(), rounds + 1


def best_after(prepare: Callable[[], T], work: Callable[[T], object]) -> float:
    """Return the least processor time of work on input that is prepared anew, untimed."""
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
    """Return the least time of each work; the works take turns in every round.

    A slow phase of the machine then affects all of them. A turn is two runs, because the first
    finds the caches full of the data of another work. No round begins after `limit` seconds.
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
