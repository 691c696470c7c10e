"""Figure 4 of Kim et al. 2008: time of collision detection against the number of active joints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toccata_bench.plots import save
from toccata_bench.record import Record


def draw(found: Record, folder: Path) -> list[Path]:
    """Draw all measured scenes side by side."""
    return save({"active-joints": figure(found)}, folder) if found else []


def figure(found: Record) -> Any:
    """Return the figure with a panel for each scene."""
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(4.0 * len(found), 3.2), layout="constrained")
    axes = drawn.subplots(1, len(found), squeeze=False)[0]
    for axis, (name, scene) in zip(axes, found.items(), strict=True):
        levels = [int(level) for level in scene["levels"]]
        some = list(scene["levels"].values())
        for label, method, key in (
            ("adaptive", "adaptive", "whole_us"),
            ("update and culling", "adaptive", "front_us"),
            ("auto", "auto", "whole_us"),
            ("no groups, no coherence", "plain", "whole_us"),
        ):
            axis.plot(levels, [one[method][key] for one in some], marker="o", label=label)
        axis.plot(levels, [one["dynamics_us"] for one in some], linestyle=":", label="dynamics")
        axis.set(title=name, xlabel="active joints", ylabel="microseconds")
        axis.set_ylim(bottom=0.0)
    drawn.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return drawn
