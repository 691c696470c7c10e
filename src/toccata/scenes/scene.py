"""What a named scene is, and the registry in which each one is named once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .surface import MeshArrays

if TYPE_CHECKING:
    from toccata import Motion


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Two moving bodies, the question asked about them, and its answer.

    `expected` is the time at which the distance first falls to `separation`, None if it never does.
    """

    a: MeshArrays
    b: MeshArrays
    motion_a: Motion
    motion_b: Motion | None = None
    tolerance: float = 1e-6
    separation: float = 0.0
    initial: str = "report"
    closing: float = 1.0
    """Slowest closing speed just before contact: an answer may be early by tolerance / closing."""
    accuracy: float = 1e-9
    """How well `expected` is known, a time: rounding for closed forms, more if it was measured."""
    name: str = ""
    why: str = ""
    status: str = "FREE"
    expected: float | None = None

    def accepts(self, contact: Any) -> bool:
        """Tell whether a result of `toccata.first_contact` is right under the contract."""
        if contact.status.name != self.status:
            return False
        if self.expected is None:
            return True
        early = self.tolerance / self.closing
        return bool(-early - self.accuracy <= contact.toc - self.expected <= self.accuracy)

    def options(self) -> dict[str, Any]:
        """Keyword arguments for `toccata.first_contact`."""
        return {
            "tolerance": self.tolerance,
            "separation": self.separation,
            "initial": self.initial,
        }


Build = Callable[[], Scene]
_builders: dict[str, Build] = {}


def scene(
    name: str, *, expected: float | None, status: str | None = None
) -> Callable[[Build], Build]:
    """Name a scene and state its answer; the docstring of the function says why it is hard.

    The function runs when the scene is asked for, so that listing names loads no models.
    """
    answer = status or ("FREE" if expected is None else "CONTACT")

    def register(build: Build) -> Build:
        why = " ".join((build.__doc__ or "").split())

        def named() -> Scene:
            return replace(build(), name=name, why=why, status=answer, expected=expected)

        if name in _builders:
            raise ValueError(f"name: expected a new scene, got {name!r} again")
        _builders[name] = named
        return named

    return register


def names(prefix: str = "") -> list[str]:
    """Names of all scenes that start with `prefix`, in the order of their definition."""
    return [name for name in _builders if name.startswith(prefix)]


def get(name: str) -> Scene:
    """Build the scene of that name."""
    if name not in _builders:
        raise ValueError(f"name: expected one of {', '.join(_builders)}, got {name!r}")
    return _builders[name]()


def all_scenes(prefix: str = "") -> list[Scene]:
    """Build all scenes whose names start with `prefix`."""
    return [get(name) for name in names(prefix)]
