"""Hashes of models and options: equal ones give equal answers, in every process and on any day.

A value is taken apart as pickle would take it apart, but written in a form of its own: pickles of
equal values may differ in what they share, and sets have another order in every process.
"""

from __future__ import annotations

from hashlib import blake2b
from types import CodeType
from typing import Any

import numpy as np

SIZE = 16  # bytes: no two of 10^9 hashes collide by chance


def fingerprint(value: Any) -> str:
    """Return a hash of anything that pickles, as 32 digits."""
    return _Hasher().of(value).hex()


def hash_of(*parts: str | bytes | int) -> str:
    """Return a hash of plain parts, which cannot be mistaken for each other."""
    return fingerprint(parts)


class _Hasher:
    """Hashes values; what occurs often, as a mesh of many links, is hashed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, bytes]] = {}
        """By identity; objects are kept, so that no other one takes their place in memory."""

    def of(self, value: Any) -> bytes:
        """Return the hash of a value."""
        if (known := self._known.get(id(value))) is not None:
            return known[1]
        digest = blake2b(self._encoded(value), digest_size=SIZE).digest()
        self._known[id(value)] = value, digest
        return digest

    def _encoded(self, value: Any) -> bytes:
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | float | complex | str):
            return f"{type(value).__name__} {value!r}".encode()
        if isinstance(value, bytes):
            return b"bytes " + value
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            head = f"array {value.dtype.str} {value.shape} "
            return head.encode() + np.ascontiguousarray(value).tobytes()
        if isinstance(value, set | frozenset):
            return self._joined("set", sorted(map(self.of, value)))
        if isinstance(value, dict):  # in its order, which bodies of a scene have too
            return self._joined("dict", [self.of(part) for item in value.items() for part in item])
        if isinstance(value, tuple | list):
            return self._joined(type(value).__name__, [self.of(part) for part in value])
        if isinstance(value, CodeType):
            parts = (value.co_code, value.co_consts, value.co_names)
            return self._joined("code", [self.of(part) for part in parts])
        if isinstance(value, type) or callable(value):
            name = f"name {value.__module__}.{value.__qualname__} "
            return name.encode() + self.of(getattr(value, "__code__", None))
        reduced = value.__reduce_ex__(4)
        if isinstance(reduced, str):
            return f"global {reduced}".encode()
        made, *rest = (list(part) if hasattr(part, "__next__") else part for part in reduced)
        return self._joined("object", [self.of(made), *(self.of(part) for part in rest)])

    def _joined(self, kind: str, hashes: list[bytes]) -> bytes:
        return f"{kind} {len(hashes)} ".encode() + b"".join(hashes)
