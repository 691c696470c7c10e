"""Numbers in text."""

from __future__ import annotations

import warnings
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray


def parsed(text: str | bytes, kind: type[Any]) -> NDArray[Any]:
    """Return the numbers of a text up to the first word that is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of such words
        return np.fromstring(text, dtype=kind, sep=" ")


def numbers(element: Element, kind: type[Any]) -> NDArray[Any]:
    """Return the numbers that an XML element holds."""
    text = element.text or ""
    if not text or text.isspace():
        return np.zeros(0, dtype=kind)
    found = parsed(text, kind)
    if len(found) != (count := len(text.split())):
        word = text.split()[min(len(found), count - 1)]
        raise ValueError(f"<{element.tag}>: expected numbers, got {word[:60]!r}")
    return found
