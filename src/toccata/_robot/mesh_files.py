"""The search for mesh files of a robot."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path

PackageDirs = Sequence[str | os.PathLike[str]] | Mapping[str, str | os.PathLike[str]]
"""Folders that are packages or contain packages, or a mapping from packages to folders."""

_MOST_FOLDERS = 1000
"""Largest number of folders to search for a hint in an error message, so that it is quick."""


class MissingMesh(FileNotFoundError):
    """A mesh file that does not exist."""

    def __init__(self, mesh: str, text: str) -> None:
        super().__init__(text)
        self.mesh = mesh
        """Name of the mesh in the URDF."""


class MeshFiles:
    """Finder of the files that a URDF names."""

    def __init__(self, urdf: Path, package_dirs: PackageDirs) -> None:
        if isinstance(package_dirs, str | os.PathLike):
            raise TypeError(f"package_dirs: expected a list of folders, got {package_dirs!r}")
        # The URDF may be a symbolic link, with its meshes beside the link or beside its target.
        files = urdf.resolve(), Path(os.path.abspath(urdf))
        self.folders = list(dict.fromkeys(file.parent for file in files))
        named = package_dirs if isinstance(package_dirs, Mapping) else {}
        self.packages = {name: Path(folder) for name, folder in named.items()}
        self.package_dirs = [] if named else list(map(Path, package_dirs))

    def find(self, name: str) -> Path:
        """Return the file of a mesh, or raise `MissingMesh` with the paths that were tried."""
        if name.startswith("package://"):
            return self._find_in_package(name)
        paths = [folder / name for folder in self.folders]
        if name.startswith("file://"):
            paths = [Path(name.removeprefix("file://"))]
        if found := _first_file(paths):
            return found
        tried = ", ".join(map(str, paths))
        raise MissingMesh(name, f"expected the mesh {name}, found none of {tried}")

    def _find_in_package(self, name: str) -> Path:
        inner = name.removeprefix("package://").lstrip("/")  # some files omit the package
        package, _, rest = inner.partition("/")
        paths = [folder / inner for folder in self.package_dirs]
        paths += [folder / rest for folder in self.package_dirs if folder.name == package]
        if package in self.packages:
            paths.append(self.packages[package] / rest)
        # First a package that contains the URDF; then one next to the URDF or to a folder above.
        paths += [folder / rest for folder in self._ancestors() if folder.name == package]
        if found := _first_file([*paths, *(folder / inner for folder in self._ancestors())]):
            return found
        tried = [*map(str, paths), f"{inner} in {self.folders[0]} or a folder above it"]
        hint = self._hint(package, inner, rest)
        raise MissingMesh(name, f"expected the mesh {name}, found none of {', '.join(tried)}{hint}")

    def _ancestors(self) -> Iterator[Path]:
        """Yield the folder of the URDF and the folders above it, nearest first."""
        for folder in self.folders:
            yield folder
            yield from folder.parents

    @cached_property
    def _folders_near(self) -> list[Path]:
        return list(islice(_subfolders(self._ancestors()), _MOST_FOLDERS))

    def _hint(self, package: str, inner: str, rest: str) -> str:
        """Return advice about `package_dirs` if the mesh exists in a folder near the URDF.

        Such a file is not used without `package_dirs`, because another package may contain a mesh
        with the same name.
        """
        for folder in self._ancestors():
            if rest and os.path.isfile(folder / rest):
                given = {package: str(folder)}
                return f"; package_dirs={given} would find {folder / rest}"
        for folder in self._folders_near:
            if os.path.isfile(folder / inner):
                return f"; package_dirs={[str(folder)]} would find {folder / inner}"
        return ""


def _first_file(paths: Sequence[Path]) -> Path | None:
    # Unlike Path.is_file, os.path.isfile accepts names that are too long.
    return next((path for path in paths if os.path.isfile(path)), None)


def _subfolders(folders: Iterator[Path]) -> Iterator[Path]:
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                names = sorted(entry.name for entry in entries if entry.is_dir())
        except OSError:  # not readable
            continue
        yield from (folder / name for name in names)
