"""Where the meshes of a robot are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


class MeshFiles:
    """Finds the files that a URDF names."""

    def __init__(self, urdf: Path, package_dirs: Sequence[str | os.PathLike[str]]) -> None:
        """Look beside the URDF, and for packages in their folders."""
        if isinstance(package_dirs, str | os.PathLike):
            raise ValueError(f"package_dirs: expected a list of folders, got {package_dirs!r}")
        self.folder = urdf.resolve().parent
        self.package_dirs = [Path(folder) for folder in package_dirs]

    def find(self, name: str) -> Path:
        """Return the file of a mesh, or say where it was looked for."""
        tried = self._places(name)
        for place in tried:
            if os.path.isfile(place):  # unlike Path.is_file also if the name is too long
                return place
        looked = f"found none of {', '.join(map(str, tried))}"
        if not tried:
            looked = "found no folder of this package above the URDF, and package_dirs has none"
        raise FileNotFoundError(f"expected the mesh {name}, {looked}")

    def _places(self, name: str) -> list[Path]:
        if name.startswith("file://"):
            return [Path(name.removeprefix("file://"))]
        if not name.startswith("package://"):
            return [self.folder / name]
        inner = name.removeprefix("package://").lstrip("/")  # the name of the package may lack
        package, _, rest = inner.partition("/")
        named = [folder / inner for folder in self.package_dirs]
        inside = [folder / rest for folder in self.package_dirs if folder.name == package]
        # A package that contains the URDF itself.
        above = [f / rest for f in (self.folder, *self.folder.parents) if f.name == package]
        return [*named, *inside, *above]
