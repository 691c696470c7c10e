"""Figure 4 of Kim et al. 2008: time of collision detection against the number of active joints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toccata_bench.plots import save
from toccata_bench.record import Record

METHODS = {"adaptive": "adaptive", "auto": "auto", "plain": "no groups, no coherence"}
STAGES = ("whole query", "update and culling", "exact stage")


def draw(found: Record, folder: Path) -> list[Path]:
    """Draw all measured scenes side by side."""
    return save({"active-joints": figure(found)}, folder) if found else []


def figure(found: Record) -> Any:
    """Return the figure: a column for each scene, and a row for each stage."""
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(3.6 * len(found), 6.4), layout="constrained")
    grid = drawn.subplots(len(STAGES), len(found), squeeze=False, sharex="col")
    for (name, scene), axes in zip(found.items(), grid.T, strict=True):
        levels = [int(level) for level in scene["levels"]]
        some = list(scene["levels"].values())
        for method, label in METHODS.items():
            for axis, times in zip(axes, stages([one[method] for one in some]), strict=True):
                axis.plot(levels, times, marker="o", markersize=3, label=label)
        axes[0].plot(
            levels, [one["dynamics_us"] for one in some], ":", color="0.4", label="dynamics"
        )
        axes[0].set_title(name)
        axes[-1].set_xlabel("active joints")
        for axis in axes:
            axis.set_ylim(bottom=0.0)
    for axis, stage in zip(grid[:, 0], STAGES, strict=True):
        axis.set_ylabel(f"{stage}, us")
    drawn.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return drawn


def stages(rows: list[Record]) -> tuple[list[float], list[float], list[float]]:
    """Return the times of whole queries, of update and culling, and of the exact stage."""
    whole, front = ([row[key] for row in rows] for key in ("whole_us", "front_us"))
    return whole, front, [a - b for a, b in zip(whole, front, strict=True)]
