"""Figures 6 and 7 of Tang, Manocha and Kim 2013: work per trial, with and without control."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from toccata_bench.peers import optional
from toccata_bench.protocol import Case, motions, run_single

SERIES = {
    "c2a-uncontrolled": ("C2A without control", "tab:blue"),
    "c2a": ("C2A", "tab:red"),
    "hca": ("HCA", "tab:green"),
}
FIGURES: dict[str, tuple[str, Callable[[Any], int]]] = {
    "figure-6-front-nodes": ("front nodes", lambda stats: int(stats.front_nodes)),
    "figure-7-iterations": ("CA iterations", lambda stats: int(stats.ca_iterations)),
}


def check_available() -> str | None:
    """Return an error message if plots cannot be drawn, else None."""
    if optional("matplotlib") is None:
        return "plots need matplotlib: pip install 'toccata[plots]'"
    return None


def new_figure(width: float, height: float) -> tuple[Any, Any]:
    """Return a figure and its axes; the size is in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def collect(case: Case) -> dict[str, list[Any]]:
    """Return the counters of all trials for each plotted method."""
    ready = motions(case)
    return {name: [run_single(case, m, name).stats for m in ready] for name in SERIES}


def draw(cases: list[Case], folder: Path) -> list[Path]:
    """Draw both figures with a panel for each case, and return their paths."""
    counters = {case.name: collect(case) for case in cases}
    return save({name: figure(name, counters) for name in FIGURES}, folder)


def save(figures: dict[str, Any], folder: Path) -> list[Path]:
    """Write figures as PNG files with their names, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.png" for name in figures}
    for name, path in paths.items():
        figures[name].savefig(path, dpi=150)
    return list(paths.values())


def figure(name: str, counters: dict[str, dict[str, list[Any]]]) -> Any:
    """Draw one counter of all cases on a logarithmic scale, in the order of trials."""
    from matplotlib.figure import Figure

    label, value = FIGURES[name]
    drawn = Figure(figsize=(7.0, 2.2 * len(counters) + 0.6), layout="constrained")
    axes = drawn.subplots(len(counters), 1, squeeze=False)[:, 0]
    for axis, (case, methods) in zip(axes, counters.items(), strict=True):
        for method, stats in methods.items():
            title, color = SERIES[method]
            counts = [max(1, value(one)) for one in stats]  # a logarithmic scale has no zero
            dashes = (
                "--" if method == "hca" else "-"
            )  # the curve of HCA may coincide with the curve of C2A
            axis.plot(counts, dashes, label=title, color=color, linewidth=0.9)
        axis.set(title=case, yscale="log", xlabel="trial", ylabel=label)
    lines = axes[0].get_legend_handles_labels()
    drawn.legend(*lines, loc="outside upper center", fontsize="small", ncols=len(SERIES))
    return drawn
