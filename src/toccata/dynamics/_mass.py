"""Mass, center of mass and inertia of bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_number, as_unchecked
from toccata._mesh import Mesh, as_mesh
from toccata._native import core
from toccata._text import numbers
from toccata.typing import BodyLike


class MassProperties:
    """Mass, center of mass and inertia of a body; immutable.

    Args:
        mass: mass, more than 0.
        center: center of mass, in body coordinates, (3,).
        inertia: inertia about the center, body axes, (3, 3): symmetric and positive definite, with
            no principal moment above the sum of the other two.

    """

    __slots__ = ("center", "inertia", "mass")
    mass: float
    center: Floats
    inertia: Floats

    def __init__(self, mass: float, center: ArrayLike, inertia: ArrayLike) -> None:
        """Check the numbers and copy them."""
        number = as_number("mass", mass, least=0, open_end=True)
        middle = as_unchecked("center", center, 3)
        matrix = as_unchecked("inertia", inertia, 3, 3)
        core.MassProperties(number, middle, matrix).check()
        self._set(number, middle.copy(), (matrix + matrix.T) / 2)

    def _set(self, mass: float, center: Floats, inertia: Floats) -> None:
        for array in (center, inertia):
            array.flags.writeable = False
        for name, value in (("mass", mass), ("center", center), ("inertia", inertia)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, mesh: BodyLike, density: float = 1000.0) -> MassProperties:
        """Return the mass properties of a mesh of uniform density.

        Args:
            mesh: a `toccata.Mesh` or a trimesh.Trimesh. If two closed surfaces cross, their common
                volume counts twice.
            density: mass per volume of a solid or of a closed and orientable mesh; mass per area of
                any other mesh.

        """
        weight = as_number("density", density, least=0, open_end=True)
        properties = object.__new__(cls)
        found = core.mass_properties(as_mesh("mesh", mesh)._core, weight)
        properties._set(found.mass, found.center, found.inertia)
        return properties

    @classmethod
    def _unchecked(cls, mass: float, center: Floats, inertia: Floats) -> MassProperties:
        """Return unchecked numbers of a pickle or a file; the mass may be 0."""
        properties = object.__new__(cls)
        properties._set(mass, np.array(center), np.array(inertia))
        return properties

    def _native(self) -> core.MassProperties:
        """Return the properties as the core takes them."""
        return core.MassProperties(self.mass, np.array(self.center), np.array(self.inertia))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"MassProperties: {name} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"MassProperties: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MassProperties):
            return NotImplemented
        return self.mass == other.mass and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("center", "inertia")
        )

    def __hash__(self) -> int:
        return hash((self.mass, self.center.tobytes(), self.inertia.tobytes()))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _restored, (self.mass, np.array(self.center), np.array(self.inertia))

    def __str__(self) -> str:
        moments = np.linalg.eigvalsh(self.inertia)
        return (
            f"mass {self.mass:.6g}, center {numbers(self.center)}, "
            f"principal moments {numbers(moments)}"
        )

    def __repr__(self) -> str:
        center, inertia = self.center.tolist(), self.inertia.tolist()
        return f"MassProperties(mass={self.mass!r}, center={center}, inertia={inertia})"


def _restored(mass: float, center: Floats, inertia: Floats) -> MassProperties:
    """Return pickled mass properties bit by bit; they were checked before."""
    return MassProperties._unchecked(mass, center, inertia)


MASSLESS = MassProperties._unchecked(0.0, np.zeros(3), np.zeros((3, 3)))
"""Mass properties of a frame without mass of its own."""


def body_mass(
    mesh: Mesh, density: float, mass: float | None, inertia: ArrayLike | None
) -> MassProperties:
    """Return the mass properties of a mesh; a given mass or inertia replaces the computed one."""
    found = MassProperties.of(mesh, density)
    weight = found.mass if mass is None else as_number("mass", mass, least=0, open_end=True)
    moments = found.inertia * (weight / found.mass) if inertia is None else inertia
    return MassProperties(weight, found.center, moments)
