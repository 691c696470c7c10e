"""Mesh files of a robot: finds them, and says where it looked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path

PackageDirs = Sequence[str | os.PathLike[str]] | Mapping[str, str | os.PathLike[str]]
"""Folders that contain packages, or are packages; or the folder of each package by name."""

_MOST_FOLDERS = 1000
"""Folders beside the URDF that an error message looks into: an error should not take seconds."""


class MissingMesh(FileNotFoundError):
    """A mesh file that does not exist."""

    def __init__(self, mesh: str, text: str) -> None:
        super().__init__(text)
        self.mesh = mesh
        """Its name in the URDF."""


class MeshFiles:
    """Finds the files that a URDF names."""

    def __init__(self, urdf: Path, package_dirs: PackageDirs) -> None:
        if isinstance(package_dirs, str | os.PathLike):
            raise ValueError(f"package_dirs: expected a list of folders, got {package_dirs!r}")
        # A URDF may be a link to a file elsewhere, with its meshes in either place.
        places = urdf.resolve(), Path(os.path.abspath(urdf))
        self.folders = list(dict.fromkeys(place.parent for place in places))
        self.packages: dict[str, Path] = {}
        self.package_dirs: list[Path] = []
        if isinstance(package_dirs, Mapping):
            self.packages = {name: Path(folder) for name, folder in package_dirs.items()}
        else:
            self.package_dirs = [Path(folder) for folder in package_dirs]

    def find(self, name: str) -> Path:
        """Return the file of a mesh; raise `MissingMesh` with the places where it is not."""
        if name.startswith("package://"):
            return self._find_in_package(name)
        places = [folder / name for folder in self.folders]
        if name.startswith("file://"):
            places = [Path(name.removeprefix("file://"))]
        if found := _first_file(places):
            return found
        tried = ", ".join(map(str, places))
        raise MissingMesh(name, f"expected the mesh {name}, found none of {tried}")

    def _find_in_package(self, name: str) -> Path:
        inner = name.removeprefix("package://").lstrip("/")  # some leave out the package
        package, _, rest = inner.partition("/")
        places = [folder / inner for folder in self.package_dirs]
        places += [folder / rest for folder in self.package_dirs if folder.name == package]
        if package in self.packages:
            places.append(self.packages[package] / rest)
        # A package that contains the URDF, then one beside the URDF or beside a folder above it.
        places += [folder / rest for folder in self._ancestors() if folder.name == package]
        if found := _first_file([*places, *(folder / inner for folder in self._ancestors())]):
            return found
        tried = [*map(str, places), f"{inner} in {self.folders[0]} or a folder above it"]
        hint = self._hint(package, inner, rest)
        raise MissingMesh(name, f"expected the mesh {name}, found none of {', '.join(tried)}{hint}")

    def _ancestors(self) -> Iterator[Path]:
        """Yield the folder of the URDF and those above it, nearest first."""
        for folder in self.folders:
            yield folder
            yield from folder.parents

    @cached_property
    def _folders_near(self) -> list[Path]:
        return list(islice(_beside(self._ancestors()), _MOST_FOLDERS))

    def _hint(self, package: str, inner: str, rest: str) -> str:
        """Return which `package_dirs` would find a mesh, if a folder near the URDF does.

        A folder of another name is not taken without being told: the mesh of another package may
        have the same name.
        """
        for folder in self._ancestors():
            if rest and os.path.isfile(folder / rest):
                given = {package: str(folder)}
                return f"; package_dirs={given} would find {folder / rest}"
        for folder in self._folders_near:
            if os.path.isfile(folder / inner):
                return f"; package_dirs={[str(folder)]} would find {folder / inner}"
        return ""


def _first_file(places: Sequence[Path]) -> Path | None:
    # Unlike Path.is_file, os.path.isfile accepts names that are too long.
    return next((place for place in places if os.path.isfile(place)), None)


def _beside(folders: Iterator[Path]) -> Iterator[Path]:
    """Yield the folders inside of folders."""
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                names = sorted(entry.name for entry in entries if entry.is_dir())
        except OSError:  # not ours to read
            continue
        yield from (folder / name for name in names)
