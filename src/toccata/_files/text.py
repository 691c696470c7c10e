"""Numbers in text."""

from __future__ import annotations

import warnings
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray


def parsed(text: str | bytes, kind: type[Any]) -> NDArray[Any] | None:
    """Return the numbers of a text, or None if a word of it is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # of old versions of numpy
        try:
            return np.fromstring(text, dtype=kind, sep=" ")
        except (ValueError, DeprecationWarning):
            return None


def numbers(element: Element, kind: type[Any]) -> NDArray[Any]:
    """Return the numbers that an XML element holds."""
    text = element.text or ""
    if not text or text.isspace():
        return np.zeros(0, dtype=kind)
    if (found := parsed(text, kind)) is None:
        word = next((word for word in text.split() if parsed(word, kind) is None), text)
        raise ValueError(f"<{element.tag}>: expected numbers, got {word[:60]!r}")
    return found
