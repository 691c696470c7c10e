"""The choice of active joints: all joints, given joints, or the most important ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import as_number
from toccata._native import core

Active = int | Iterable[str] | NDArray[np.bool_] | None
"""All joints (None), a number of joints, or given joints: names or a mask."""


class Choice(NamedTuple):
    """The choice of active joints, as passed to the core."""

    activity: core.Activity
    most: int
    error: float
    mask: NDArray[np.uint8] | None = None
    """Mask of the given joints, (n,)."""

    def native(self) -> core.ActiveChoice:
        """Return the choice without the mask."""
        return core.ActiveChoice(self.activity, self.most, self.error)


def choice_of(names: Sequence[str], active: Active, error: float | None) -> Choice:
    """Check the arguments `active` and `error`; `names` are the joints that move."""
    most = len(names)
    if active is None and error is None:
        return Choice(core.Activity.all, most, 0.0)
    least = -np.inf if error is None else as_number("error", error, least=0)
    if active is None:
        return Choice(core.Activity.chosen, most, least)
    if isinstance(active, int | np.integer) and not isinstance(active, bool):
        if active < 0:
            raise ValueError(f"active: expected a number of at least 0, got {active}")
        return Choice(core.Activity.chosen, min(int(active), most), least)
    if error is not None:
        raise ValueError("error: expected None when `active` names joints")
    return Choice(core.Activity.kept, 0, 0.0, _mask(names, active))


def _mask(names: Sequence[str], active: Any) -> NDArray[np.uint8]:
    """Return the mask of joints that are given by names or by a mask."""
    if isinstance(active, str | bool) or not isinstance(active, Iterable):
        wanted = "a number, names of joints or a mask"
        raise TypeError(f"active: expected {wanted}, got {active!r}")
    given = np.asarray(active if isinstance(active, np.ndarray) else list(active))
    if given.dtype == bool:
        if given.shape != (len(names),):
            raise ValueError(f"active: expected shape ({len(names)},), got {given.shape}")
        return given.astype(np.uint8)
    wanted_names = {str(name) for name in given}
    if missing := wanted_names - set(names):
        raise ValueError(f"active: expected joints that move, got {min(missing)!r}")
    return np.array([name in wanted_names for name in names], dtype=np.uint8)
