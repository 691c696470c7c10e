"""Output of commands: the one place that writes to a terminal."""

from __future__ import annotations

import sys

from toccata._text import visible


def say(*lines: str, error: bool = False, end: str = "\n") -> None:
    """Print lines to stdout, or to stderr; characters that a terminal would obey are escaped.

    Names come from files. A line break within a line is escaped, too: no name makes a line of
    its own.
    """
    text = "\n".join(visible(line) for line in lines)
    print(text, end=end, file=sys.stderr if error else sys.stdout, flush=True)
