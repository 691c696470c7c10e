"""Short texts for long values, and safe texts from names of users."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

MOST_NAMES = 10
MOST_NUMBERS = 12
MOST_LETTERS = 40


def listed(names: Collection[str]) -> str:
    """Return the first names as text, with the number of further names."""
    some = [visible(_cut(name)) for name in islice(names, MOST_NAMES)]
    left = len(names) - len(some)
    return ", ".join(some) + (f" and {left} more" if left else "")


def _cut(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 3]}..."


def visible(text: str) -> str:
    """Return one line of text, with unprintable characters escaped as in Python.

    Examples are terminal codes, line breaks, marks that reverse the order of letters, and lone
    surrogates, which cannot be encoded.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def json_in_html(value: Any) -> str:
    """Return JSON that cannot end the script element of a page that contains it."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")


def numbers(values: ArrayLike) -> str:
    """Return numbers as one line of text, without the middle of a long row."""
    row = [f"{x:.6g}" if isinstance(x, float) else str(x) for x in np.asarray(values).tolist()]
    if len(row) > MOST_NUMBERS:
        row[3:-3] = ["..."]
    return f"[{', '.join(row)}]"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural if needed: "1 joint", "3 bodies"."""
    if number != 1:
        noun = plural or (noun[:-1] + "ies" if noun.endswith("dy") else noun + "s")
    return f"{number:,} {noun}"


def indented(head: str, rows: Sequence[str]) -> str:
    """Return a headline with the first rows below it, and the number of further rows."""
    left = len(rows) - MOST_NAMES
    more = [f"and {left:,} more"] if left > 0 else []
    return "\n    ".join([head, *map(visible, rows[:MOST_NAMES]), *more])
