"""The clock of work on one thread: processor time, which others on the machine hardly disturb."""

from collections.abc import Callable
from time import process_time

ROUNDS = 3
# Slow work is not worth three rounds: its scatter is small against its time.
ROUND_LIMIT = 4.0


def best(
    work: Callable[[], object], rounds: int = ROUNDS, now: Callable[[], float] = process_time
) -> float:
    """Return the least time of a few rounds, in seconds, by processor time or another clock."""
    shortest, spent = float("inf"), 0.0
    for _ in range(rounds):
        begin = now()
        work()
        took = now() - begin
        shortest, spent = min(shortest, took), spent + took
        if spent > ROUND_LIMIT:
            break
    return shortest
