"""Continuous validation of HPP by dichotomy in its own process: python -m ... FOLDER.

LD_LIBRARY_PATH must name HPP's libraries before the process starts. The folder has robot.urdf, the
motions, and the pairs of links to test. The output is a line of JSON for each kind of motions.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from toccata_bench.clock import best

PENETRATION = 0.0
"""Depth of penetration that is not reported. HPP calls it tolerance."""


def load(folder: Path) -> Any:
    """Return a robot of HPP that tests exactly the pairs of the folder."""
    pin, bindings = import_module("pinocchio"), import_module("pyhpp.pinocchio")
    device = bindings.Device("robot")
    import_module("pyhpp.pinocchio.urdf").loadModel(
        device, 0, "robot", "anchor", str(folder / "robot.urdf"), "", pin.SE3.Identity()
    )
    geometry = device.geomModel()
    ids = {shape.name.split("/")[-1]: i for i, shape in enumerate(geometry.geometryObjects)}
    geometry.removeAllCollisionPairs()
    for a, b in json.loads((folder / "pairs.json").read_text()):
        geometry.addCollisionPair(pin.CollisionPair(ids[f"{a}_0"], ids[f"{b}_0"]))
    return device


def order(device: Any, names: list[str]) -> list[int]:
    """Return the index in our configuration of each coordinate of HPP's configuration."""
    model, found = device.model(), [0] * device.configSize()
    for joint in range(1, model.njoints):
        own = model.names[joint].split("/")[-1]
        mine = [i for i, name in enumerate(names) if name.split("/")[0] == own]
        for k, i in enumerate(mine):
            found[model.idx_qs[joint] + k] = i
    return found


def main(folder: Path) -> None:
    """Answer and time all motions, kind by kind."""
    core = import_module("pyhpp.core")
    device = load(folder)
    validation = core.Dichotomy(device, PENETRATION)
    problem = core.Problem(device)
    with np.load(folder / "motions.npz") as data:
        names = [str(name) for name in data["names"]]
        numbers = order(device, names)
        for key in sorted({name.split(":")[0] for name in data.files} - {"names"}):
            rows = data[f"{key}:start"][:, numbers], data[f"{key}:end"][:, numbers]
            paths = [problem.directPath(q0, q1, False)[1] for q0, q1 in zip(*rows, strict=True)]
            free = partial(lambda some: [validation.validate(p, False)[0] for p in some], paths)
            answers = [bool(one) for one in free()]
            seconds = best(free, rounds=2) / max(1, len(paths))
            print(json.dumps({"key": key, "free": answers, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
