"""Pictures of a run: how the car bounces, how the heap falls, and what a step of either takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

Record = dict[str, Any]

SHOWN = {"bouncing-car": "center of mass", "heap": "mean of all rings"}


def draw(found: Record, folder: Path) -> list[Path]:
    """Draw the heights of both scenes, as far as they were measured."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_heights(name, found[name]["own"], folder) for name in SHOWN if name in found]


def _heights(name: str, own: Record, folder: Path) -> Path:
    """Draw heights against time."""
    from matplotlib.figure import Figure

    time, mean, top = np.array(own["heights"]).T
    figure = Figure(figsize=(7.0, 3.0), layout="constrained")
    axis = figure.subplots()
    axis.plot(time, mean, color="tab:blue", linewidth=1.2, label=SHOWN[name])
    if own["moving"] > 1:
        axis.plot(time, top, color="tab:red", linewidth=0.9, label="highest one")
        axis.legend(fontsize="small")
    axis.set(title=name, xlabel="seconds", ylabel="height, m")
    axis.set_ylim(bottom=0.0)
    path = folder / f"{name}.png"
    figure.savefig(path, dpi=150)
    return path
