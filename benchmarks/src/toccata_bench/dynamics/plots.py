"""Heights of the bouncing car and of the heap over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from toccata_bench.plots import new_figure, save
from toccata_bench.record import Record

SHOWN = {"bouncing-car": "center of mass", "heap": "mean of all rings"}


def draw(found: Record, folder: Path) -> list[Path]:
    """Draw the heights of both worlds as far as `found` has their records."""
    return save({name: figure(name, found[name]) for name in SHOWN if name in found}, folder)


def figure(name: str, own: Record) -> Any:
    """Draw heights against time."""
    time, mean, top = np.array(own["heights"]).T
    drawn, axis = new_figure(7.0, 3.0)
    axis.plot(time, mean, color="tab:blue", linewidth=1.2, label=SHOWN[name])
    if own["moving"] > 1:
        axis.plot(time, top, color="tab:red", linewidth=0.9, label="highest ring")
        axis.legend(fontsize="small")
    axis.set(title=name, xlabel="seconds", ylabel="height, m")
    axis.set_ylim(bottom=0.0)
    return drawn
