"""Provenance of a record: machine, commit and versions."""

import json
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from toccata._cli.output import OutputFile

Record = dict[str, Any]
"""Numbers of a run, as in its JSON file."""

PACKAGES = (
    "toccata",
    "numpy",
    "coal",
    "python-fcl",
    "ipctk",
    "pin",
    "ompl",
    "hpp-python",
    "pybullet",
    "mujoco",
    "matplotlib",
    "pyarrow",
    "distributed",
    "ray",
)


def provenance() -> Record:
    """Return machine, commit, and versions of the packages."""
    return {"machine": machine(), "commit": commit(), "versions": versions()}


def machine() -> Record:
    """Return processor model, usable cores and operating system."""
    system = f"{platform.system()} {platform.machine()}"
    return {"cpu": cpu_model(), "cores": cores(), "system": system}


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_model() -> str:
    """Return the name of the processor if the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def commit() -> str | None:
    """Return the commit of the checkout that has this file, None outside of a checkout."""
    command = ["git", "rev-parse", "HEAD"]
    here = Path(__file__).resolve().parent
    try:
        done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def versions() -> dict[str, str | None]:
    """Return the installed version of each package, None if it is missing."""
    return {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def write(path: OutputFile, record: Record) -> None:
    """Write a record as JSON."""
    with path.replaced() as file:
        Path(file).write_text(json.dumps(record, indent=2) + "\n")
