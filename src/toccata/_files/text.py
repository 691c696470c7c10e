"""Readers of numbers in text and of XML."""

from __future__ import annotations

import warnings
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray


def parsed(text: str | bytes, kind: type[Any]) -> NDArray[Any] | None:
    """Return the numbers of a text, or None if a word is not a number."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # old versions of numpy only warn
        try:
            return np.fromstring(text, dtype=kind, sep=" ")
        except (ValueError, DeprecationWarning):
            return None


def numbers(element: Element, kind: type[Any]) -> NDArray[Any]:
    """Return the numbers in an XML element."""
    text = element.text or ""
    if not text or text.isspace():
        return np.zeros(0, dtype=kind)
    if (found := parsed(text, kind)) is None:
        word = next((word for word in text.split() if parsed(word, kind) is None), text)
        raise ValueError(f"<{element.tag}>: expected numbers, got {word[:60]!r}")
    return found


def read_tree(data: bytes, wanted: str) -> Element:
    """Return the root of XML without namespaces.

    Document types are refused, because their entities may expand to any size.
    """
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda tag, rest: builder.start(tag.rpartition(":")[2], rest)
    parser.EndElementHandler = lambda tag: builder.end(tag.rpartition(":")[2])
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = _refuse_document_type
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as error:  # some are errors of encodings
        raise ValueError(f"expected {wanted}, got broken XML ({error})") from error
    return builder.close()


def _refuse_document_type(*_: object) -> None:
    raise ValueError("expected no document type")
