"""Files with meshes, frames and queries that are not part of the package."""

import os
from pathlib import Path


def find_data(name: str) -> Path | None:
    """Return a file or folder of the data, None if it is not found.

    It is searched in the folder that TOCCATA_DATA names, then in `shared/data` of the working
    folder and of the folders above it.
    """
    here = Path.cwd()
    folders = [folder / "shared" / "data" for folder in (here, *here.parents)]
    if named := os.environ.get("TOCCATA_DATA"):
        folders.insert(0, Path(named))
    return next((folder / name for folder in folders if (folder / name).exists()), None)
