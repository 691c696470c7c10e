"""The bodies of a scene: meshes and motions by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toccata._arrays import as_name
from toccata._mesh import Mesh
from toccata._motion import Motion, MotionRows


class SceneBody(NamedTuple):
    """A body of a scene."""

    mesh: Mesh
    """Shape of the body: a `Mesh`, which may be a `Surface`."""
    motion: Motion
    """Motion of the body over t in [0, 1]."""


class Bodies(Mapping[str, SceneBody]):
    """Bodies in the order in which they were added. `Motion` objects of rows are built lazily."""

    __slots__ = ("_edits", "_meshes", "_motions", "_rows", "number")

    def __init__(self, bodies: Mapping[str, tuple[Mesh, Motion]] | None = None) -> None:
        """Start with the given bodies; default: none."""
        known = bodies or {}
        self._meshes = {name: mesh for name, (mesh, _) in known.items()}
        self._motions = {name: motion for name, (_, motion) in known.items()}
        self._rows: MotionRows | None = None
        """Motions of the bodies that are not in `_motions`."""
        self.number = {name: i for i, name in enumerate(known)}
        """Index of each body in the order in which they were added."""
        self._edits = 0

    def __len__(self) -> int:
        return len(self._meshes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._meshes)

    def __contains__(self, name: object) -> bool:
        return name in self._meshes

    def __getitem__(self, name: str) -> SceneBody:
        self.check_known(name)
        motion = self._motions.get(name)
        if motion is None:
            assert self._rows is not None
            motion = self._motions[name] = self._rows.motion(self.number[name])
        return SceneBody(self._meshes[name], motion)

    def check_known(self, name: str) -> None:
        """Raise ValueError for a name that no body has."""
        if as_name("name", name) not in self._meshes:
            raise ValueError(f"name: expected a body of the scene, got {name!r}")

    def pair(self, name_a: str, name_b: str) -> frozenset[str]:
        """Return the names of two different bodies as a pair, after checking them."""
        for name in (name_a, name_b):
            self.check_known(name)
        if name_a == name_b:
            raise ValueError(f"name_b: expected a body other than {name_a!r}")
        return frozenset((name_a, name_b))

    def numbers(self, pair: frozenset[str]) -> tuple[int, int]:
        """Return the indices of two bodies, the lower one first."""
        a, b = (self.number[name] for name in pair)
        return min(a, b), max(a, b)

    def add(self, name: str, mesh: Mesh, motion: Motion) -> None:
        """Add a body under a new name."""
        self._edits += 1
        self.number[name], self._motions[name] = len(self), motion
        self._meshes[name] = mesh  # last: an interrupted call adds nothing

    def remove(self, name: str) -> None:
        """Remove a body."""
        self._edits += 1
        kept = {other: self[other].motion for other in self if other != name}
        self.number = {other: i for i, other in enumerate(kept)}
        self._motions, self._rows = kept, None
        del self._meshes[name]

    def move(self, name: str, motion: Motion) -> None:
        """Give a body another motion."""
        self._edits += 1
        self._motions[name] = motion

    def move_all(self, rows: MotionRows) -> None:
        """Give all bodies other motions; the arrays are kept, not copied."""
        self._edits += 1
        self._motions, self._rows = {}, rows

    def version(self) -> tuple[Bodies, int]:
        """Return the bodies and the number of edits; a later edit increases the number."""
        return self, self._edits

    def copied(self) -> Bodies:
        """Return a copy; no `Motion` objects are built."""
        other = Bodies()
        other._meshes, other._motions = dict(self._meshes), dict(self._motions)
        other._rows, other.number = self._rows, dict(self.number)
        return other
