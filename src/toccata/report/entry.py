"""What a report tells about: two moving bodies and the answer that was computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MeshArrays = tuple[Array, NDArray[np.integer]]


class MotionLike(Protocol):
    """Anything that places a body at a time in [0, 1]."""

    def pose(self, t: float, /) -> Any:
        """Return the (4, 4) pose at time `t`."""


class ContactLike(Protocol):
    """The attributes of a `toccata.Contact` that are shown."""

    @property
    def status(self) -> Any: ...
    @property
    def toc(self) -> float: ...
    @property
    def safe_until(self) -> float: ...
    @property
    def distance(self) -> float: ...
    @property
    def point_a(self) -> Any: ...
    @property
    def point_b(self) -> Any: ...
    @property
    def normal(self) -> Any: ...
    @property
    def triangle_a(self) -> int: ...
    @property
    def triangle_b(self) -> int: ...
    @property
    def feature(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One scene of a report. Meshes are (vertices, faces); no motion means standing still."""

    name: str
    description: str
    a: MeshArrays
    b: MeshArrays
    motion_a: MotionLike | None
    motion_b: MotionLike | None
    contact: ContactLike
    milliseconds: float

    def poses(self, t: float) -> tuple[Array, Array]:
        """Return the (4, 4) poses of a and b at time `t`."""
        return _pose(self.motion_a, t), _pose(self.motion_b, t)


def status_name(contact: ContactLike) -> str:
    """Return the status as a plain upper-case name, such as CONTACT."""
    return str(getattr(contact.status, "name", contact.status)).upper()


def finite_vector(value: Any) -> Array | None:
    """Return `value` as three finite numbers, or None when it does not hold them."""
    if value is None:
        return None
    vector = np.asarray(value, dtype=np.float64)
    return vector if vector.shape == (3,) and np.isfinite(vector).all() else None


def _pose(motion: MotionLike | None, t: float) -> Array:
    return np.eye(4) if motion is None else np.asarray(motion.pose(t), dtype=np.float64)
