"""Short texts about things of any size, and names of others in texts of ours."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

MOST_NAMES = 10
MOST_LETTERS = 40


def listed(names: Collection[str]) -> str:
    """Write some names, and how many there are beyond them."""
    some = [visible(_cut(name)) for name in islice(names, MOST_NAMES)]
    left = len(names) - len(some)
    return ", ".join(some) + (f" and {left} more" if left else "")


def _cut(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 3]}..."


def visible(text: str) -> str:
    """Return a text of one line: characters that are not printable are escaped as in Python.

    Among them are escape sequences, line breaks, marks that reverse the order of letters, and
    halves of surrogate pairs, which no encoding has.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def json_in_html(value: Any) -> str:
    """Return JSON for a script element of a page: nothing in it ends the element."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")


def numbers(values: ArrayLike) -> str:
    """Write a row of numbers on a line, the middle of a long one left out."""
    return np.array2string(
        np.asarray(values), precision=6, separator=", ", threshold=12, max_line_width=1000
    )


def counted(number: int, word: str) -> str:
    """Write a number with its noun, in the plural if needed."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def indented(head: str, rows: Sequence[str]) -> str:
    """Write a headline and some rows below it, and how many there are beyond them."""
    left = len(rows) - MOST_NAMES
    more = [f"and {left:,} more"] if left > 0 else []
    return "\n    ".join([head, *map(visible, rows[:MOST_NAMES]), *more])
