"""Hashes of models and options: equal ones give equal answers, in every process and on any day.

A value is taken apart as pickle would take it apart, but written in a form of its own: pickles of
equal values may differ in what they share, and sets have another order in every process.
"""

from __future__ import annotations

import copyreg
from hashlib import blake2b
from types import CodeType, FunctionType, ModuleType
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
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, type):
            self._known[id(value)] = value, _name(value)
            called = vars(value).get("__call__")
            return _name(value) + self.of(called if isinstance(called, FunctionType) else None)
        if isinstance(value, ModuleType):
            return f"module {value.__name__}".encode()
        registered = copyreg.dispatch_table.get(type(value))
        reduced: Any = registered(value) if registered else value.__reduce_ex__(4)
        if isinstance(reduced, str):
            return f"global {reduced}".encode()
        made, *rest = (list(part) if hasattr(part, "__next__") else part for part in reduced)
        return self._joined("object", [self.of(made), *(self.of(part) for part in rest)])

    def _function(self, value: FunctionType) -> bytes:
        """Encode what a function does, as far as its module tells: code and numbers it refers to.

        What it refers to in other modules is known by name alone.
        """
        name = _name(value)
        self._known[id(value)] = value, name  # for functions that call themselves
        names = sorted(_global_names(value.__code__) & value.__globals__.keys())
        used = {key: self._used(value.__globals__[key], value.__module__) for key in names}
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        parts = value.__code__, value.__defaults__, value.__kwdefaults__, cells, used
        return self._joined("function", list(map(self.of, (name, *parts))))

    def _used(self, value: Any, module: str) -> bytes:
        is_near = not isinstance(value, FunctionType) or value.__module__ == module
        try:
            return self.of(value) if is_near else _name(value)
        except Exception:  # a lock, a file: no number
            return _name(type(value))

    def _joined(self, kind: str, hashes: list[bytes]) -> bytes:
        return f"{kind} {len(hashes)} ".encode() + b"".join(hashes)


def _name(value: Any) -> bytes:
    return f"name {value.__module__}.{value.__qualname__} ".encode()


def _global_names(code: CodeType) -> set[str]:
    """Return the names that code uses, and code inside of it, global ones among them."""
    inside = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*map(_global_names, inside))
