"""Hashes of models and options: equal values have equal hashes, in every process.

Values are decomposed as by pickle, but encoded differently: pickles of equal values may differ in
shared references, and in the order of sets.
"""

from __future__ import annotations

import copyreg
from hashlib import blake2b
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

SIZE = 16
"""Bytes of a hash, enough to avoid collisions among 10^9 hashes."""


def fingerprint(value: Any) -> str:
    """Return a hash of any value that can be pickled, as 32 hexadecimal digits."""
    return _Hasher().of(value).hex()


def hash_of(*values: str | bytes | int) -> str:
    """Return a hash of plain values and of the boundaries between them."""
    return fingerprint(values)


class _Hasher:
    """A hasher of values. An object that occurs several times, such as a mesh, is hashed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, bytes]] = {}
        """Objects and their hashes by id. The references keep the ids unique."""

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
        if isinstance(value, dict):  # in order, because the bodies of a scene have an order
            return self._joined("dict", [self.of(one) for item in value.items() for one in item])
        if isinstance(value, tuple | list):
            return self._joined(type(value).__name__, [self.of(one) for one in value])
        if isinstance(value, CodeType):
            code = (value.co_code, value.co_consts, value.co_names)
            return self._joined("code", [self.of(one) for one in code])
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
        pieces = (list(piece) if hasattr(piece, "__next__") else piece for piece in reduced)
        return self._joined("object", [self.of(piece) for piece in pieces])

    def _function(self, value: FunctionType) -> bytes:
        """Encode a function: its code, its defaults, and the globals that it uses.

        Functions of other modules contribute their names only.
        """
        name = _name(value)
        self._known[id(value)] = value, name  # for functions that call themselves
        names = sorted(_global_names(value.__code__) & value.__globals__.keys())
        used = {key: self._used(value.__globals__[key], value.__module__) for key in names}
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        own = name, value.__code__, value.__defaults__, value.__kwdefaults__, cells, used
        return self._joined("function", list(map(self.of, own)))

    def _used(self, value: Any, module: str) -> bytes:
        is_local = not isinstance(value, FunctionType) or value.__module__ == module
        try:
            return self.of(value) if is_local else _name(value)
        except Exception:  # cannot be pickled, such as a lock or a file
            return _name(type(value))

    def _joined(self, kind: str, hashes: list[bytes]) -> bytes:
        return f"{kind} {len(hashes)} ".encode() + b"".join(hashes)


def _name(value: Any) -> bytes:
    return f"name {value.__module__}.{value.__qualname__} ".encode()


def _global_names(code: CodeType) -> set[str]:
    """Return all names in code and nested code, which include the global names."""
    inside = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*map(_global_names, inside))
