"""How far a long command is."""

from __future__ import annotations

import sys
from time import monotonic

from toccata._cli.terminal import say


class Meter:
    """Writes how many parts are done to stderr; on a terminal over the same line."""

    def __init__(self, part: str, pause: float = 0.0) -> None:
        """Name the parts, and the least time in seconds between two lines."""
        self._part, self._pause = part, pause
        self._begin = self._told = monotonic()

    def __call__(self, done: int, total: int | None) -> None:
        """Tell the parts done, their number and their rate."""
        now = monotonic()
        if done != total and now - self._told < self._pause:
            return
        self._told = now
        rate = done / max(now - self._begin, 1e-9)
        left = f", {(total - done) / rate:.0f} s left" if total else ""
        end = "\r" if sys.stderr.isatty() and done != total else "\n"
        text = f"{self._part} {done} of {total or '?'}, {rate:.3g} {self._part}s/s{left}"
        say(f"{text:<60}", end=end, error=True)
