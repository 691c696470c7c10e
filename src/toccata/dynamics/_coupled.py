"""Locks and common steps of articulated bodies that springs connect."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

from toccata._arrays import as_number, as_whole
from toccata._native import core
from toccata.dynamics._active import Choice

if TYPE_CHECKING:
    from toccata.dynamics._articulated import ArticulatedBody


def step_together(bodies: Sequence[ArticulatedBody], h: float, n: int, choice: Choice) -> None:
    """Advance bodies by n steps of h seconds, all at the same time."""
    time, count = as_number("h", h, least=0, open_end=True), as_whole("n", n)
    with locked(bodies):
        natives = [body._core for body in bodies]
        core.step_bodies(natives, time, count, choice.native())


def locked(bodies: Sequence[ArticulatedBody]) -> AbstractContextManager[Any]:
    """Lock bodies and their partners by springs, always in the same order."""
    if len(bodies) == 1 and not bodies[0]._others:
        return bodies[0]._lock
    every = {id(b): b for body in bodies for b in (body, *body._others)}
    stack = ExitStack()
    for number in sorted(every):
        stack.enter_context(every[number]._lock)
    return stack
