"""Timing of work on one thread by processor time, which other processes hardly disturb."""

from collections.abc import Callable, Sequence
from time import process_time
from typing import TypeVar

ROUNDS = 3
# Seconds after which no round begins. The time of slow work varies little from round to round.
ROUND_LIMIT = 4.0
# Most rounds of short work, and the total of seconds up to which work is short. Work of a
# millisecond needs more than three rounds, because all of the first three may be disturbed.
MOST_ROUNDS, SHORT = 200, 0.25

Clock = Callable[[], float]
T = TypeVar("T")


def best(work: Callable[[], object], rounds: int = ROUNDS, now: Clock = process_time) -> float:
    """Return the shortest time of a few rounds in seconds, by processor time or another clock."""
    return best_in_turn([work], rounds, now)[0]


def enough(rounds: int, spent: float) -> bool:
    """Return whether `rounds` rounds are enough after `spent` seconds."""
    if spent > ROUND_LIMIT:
        return True
    return rounds >= (ROUNDS if spent > SHORT else MOST_ROUNDS)


def take_rounds(measured: Callable[[], float]) -> None:
    """Repeat `measured`, which returns its time in seconds, until there are enough rounds."""
    spent, rounds = 0.0, 0
    while not enough(rounds, spent):
        spent, rounds = spent + measured(), rounds + 1


def best_after(prepare: Callable[[], T], work: Callable[[T], object]) -> float:
    """Return the shortest processor time of work in seconds; each round has new input, untimed."""
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
    """Return the shortest time of each work in seconds; the works take turns in every round.

    A slow phase of the machine therefore affects all works. A turn has two runs, because the first
    run finds the caches full of the data of other work. No round begins after `limit` seconds.
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
