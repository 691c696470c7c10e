"""Judge the elementary tests by the exact oracle for as long as one likes.

    cd tests && python -m oracles.fuzz_linear N SEED

draws N queries (a million by default) from all makers, in rounds of 100 of each kind, and prints
every answer that breaks the contract in hexadecimal, so that it can be repeated alone. The exit
code is 1 if there was one. One core judges a few thousand queries per second.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

import toccata as tc

from .deforming_cases import MAKERS, sample
from .linear_contract import Question, assert_answer
from .linear_features import KINDS, Kind

ROUND = 100
SHOWN = 20
# One round in four has a separation, for which the oracle takes ten times longer.
OPTIONS = ((0.0, 1e-6), (0.0, 1e-9), (0.0, 1e-3), (0.03125, 1e-6))


def main(total: int, seed: int) -> int:
    """Judge `total` queries, and return the number of wrong answers."""
    seen, wrong, hits = 0, 0, 0
    for judged in _rounds(seed):
        for name, fault, hit in judged:
            seen, hits = seen + 1, hits + hit
            if fault:
                wrong += 1
                if wrong <= SHOWN:
                    print(f"{name}: {fault}", flush=True)
        if seen >= total:
            break
    print(f"{seen} queries, {hits} touch, {wrong} wrong answers")
    return wrong


def _rounds(seed: int) -> Iterator[list[tuple[str, str, bool]]]:
    for k in count():
        separation, tolerance = OPTIONS[k % len(OPTIONS)]
        size = ROUND // 10 if separation else ROUND
        for name in MAKERS:
            for kind in KINDS:
                yield _judged(name, kind, (size, seed * 1_000_003 + k), separation, tolerance)


def _judged(
    name: str, kind: Kind, draw: tuple[int, int], separation: float, tolerance: float
) -> list[tuple[str, str, bool]]:
    drawn = sample(name, kind, *draw)
    ask: Any = {"vertex-face": tc.elementary.vertex_face, "edge-edge": tc.elementary.edge_edge}
    answer = ask[kind](drawn.start, drawn.end, separation=separation, tolerance=tolerance)
    rows = zip(drawn.start.tolist(), drawn.end.tolist(), answer.status, answer.toc, strict=True)
    result = []
    for start, end, status, toc in rows:
        question = Question(kind, start, end, separation, tolerance)
        try:
            hit, fault = assert_answer(question, int(status), float(toc)), ""
        except AssertionError as error:
            hit, fault = True, str(error)
        result.append((name, fault, hit))
    return result


if __name__ == "__main__":
    numbers = [int(float(word)) for word in sys.argv[1:]]
    sys.exit(main(*[*numbers, *(1_000_000, 0)[len(numbers) :]]) > 0)
