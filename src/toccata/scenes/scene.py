"""Named scenes of two moving bodies with a known answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from toccata._motion import Motion
from toccata._options import Initial, RigidOptions
from toccata._result import Contact

from ._arguments import look_up
from .surface import MeshArrays


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoScene:
    """Two moving bodies, a query about them, and its answer."""

    a: MeshArrays
    b: MeshArrays
    motion_a: Motion
    motion_b: Motion | None = None
    tolerance: float = 1e-6
    separation: float = 0.0
    initial: Initial = "report"
    closing: float = 1.0
    """Lowest closing speed just before contact; `toc` may be early by tolerance / closing."""
    accuracy: float = 1e-9
    """Largest error of `expected`: rounding for closed forms, more for measured times."""
    name: str = ""
    why: str = ""
    status: str = "FREE"
    expected: float | None = None
    """Time at which the distance first falls to `separation`; None if it never does."""

    def accepts(self, contact: Contact) -> bool:
        """Return whether an answer of `toccata.first_contact` is correct."""
        if contact.status.name != self.status:
            return False
        if self.expected is None:
            return True
        early = self.tolerance / self.closing
        return bool(-early - self.accuracy <= contact.toc - self.expected <= self.accuracy)

    def options(self) -> RigidOptions:
        """Return the options of the query, for `toccata.first_contact`."""
        return {
            "tolerance": self.tolerance,
            "separation": self.separation,
            "initial": self.initial,
        }


Build = Callable[[], DemoScene]
_builders: dict[str, Build] = {}


def scene(
    name: str, *, expected: float | None, status: str | None = None
) -> Callable[[Build], Build]:
    """Register a function that builds a scene, with its name and its answer.

    The docstring of the function says why the scene is hard. The function runs when the scene is
    requested, so listing names builds no models.
    """
    answer = status or ("FREE" if expected is None else "CONTACT")

    def register(build: Build) -> Build:
        why = " ".join((build.__doc__ or "").split())

        def named() -> DemoScene:
            return replace(build(), name=name, why=why, status=answer, expected=expected)

        if name in _builders:
            raise ValueError(f"name: expected a new name, got {name!r}, which is registered")
        _builders[name] = named
        return named

    return register


def names(prefix: str = "") -> list[str]:
    """Return the names of all scenes that start with `prefix`, in the order of definition."""
    return [name for name in _builders if name.startswith(prefix)]


def get(name: str) -> DemoScene:
    """Build the scene named `name`."""
    return look_up("name", name, _builders)()
