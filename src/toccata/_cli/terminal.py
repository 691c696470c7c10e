"""Output to a terminal: the only module that writes to stdout and stderr."""

from __future__ import annotations

import sys
from time import monotonic

from toccata._text import visible

PAUSE = 0.5
"""Seconds between two lines of progress."""


def say(*lines: str, error: bool = False, end: str = "\n") -> None:
    """Print lines to stdout or stderr, with escapes for characters that control a terminal.

    Names from files may contain such characters. Line breaks within a line are escaped too, so that
    a name cannot imitate a line of output.
    """
    text = "\n".join(visible(line) for line in lines)
    print(text, end=end, file=sys.stderr if error else sys.stdout, flush=True)


def warn(command: str, text: str) -> None:
    say(f"toccata {command}: {text}", error=True)


class Ticker:
    """Printer of lines of progress to stderr; on a terminal each line replaces the previous one."""

    def __init__(self) -> None:
        self._last = monotonic()

    def show(self, text: str, *, last: bool) -> None:
        """Print a line, unless the pause since the previous line is too short."""
        now = monotonic()
        if last or now - self._last >= PAUSE:
            self._last = now
            end = "\r" if sys.stderr.isatty() and not last else "\n"
            say(f"{text:<78}", end=end, error=True)


class Meter(Ticker):
    """Printer of the units of work done, their rate, and the remaining time."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit, self._begin = unit, monotonic()

    def __call__(self, done: int, total: int | None) -> None:
        """Show the number of finished units, of `total` units if the total is known."""
        rate = done / max(monotonic() - self._begin, 1e-9)
        left = f", {(total - done) / rate:.0f} s left" if total and rate else ""
        text = f"{self._unit} {done} of {total or '?'}, {rate:.3g} {self._unit}s/s{left}"
        self.show(text, last=done == total)
