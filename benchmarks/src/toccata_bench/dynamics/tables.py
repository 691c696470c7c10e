"""Tables of the benchmark of dynamics."""

from __future__ import annotations

from toccata_bench.record import Record
from toccata_bench.table import Table


def small(value: float | None) -> str | None:
    """Format a number that may be tiny."""
    return None if value is None else f"{value:.2g}"


def world_table(found: Record) -> Table:
    """Return the table of our simulations: a row for each world."""
    header = ["", "bodies", "triangles", "steps", "steps per s", "ms per step", "p99", "substeps"]
    header += ["truncated", "stopped early", "impacts", "least distance", "energy drift"]
    rows: list[list[object]] = []
    for name, one in found.items():
        own = one["own"]
        sizes = [own["bodies"], own["triangles"], own["steps"]]
        times = [own["per_second"], own["step_ms"], own["p99_ms"], own["substeps_per_step"]]
        early = f"{100 * own['stopped_early']:.2g} %"
        ends = [small(own["least_distance"]), small(own["energy_drift"])]
        rows.append([name, *sizes, *times, own["truncated"], early, own["impacts"], *ends])
    return Table("Worlds, every motion audited", header, rows)


def peer_table(found: Record) -> Table:
    """Return the table of all engines: a row for each engine and world."""
    header = ["", "ms per step", "ours / theirs", "pairs in contact", "tunneling pairs"]
    header += ["deepest, mm", "contacts deeper than 1 mm"]
    rows: list[list[object]] = []
    for name, one in found.items():
        own = one["own"]["step_ms"]
        rows.append([f"{name}, toccata", own, None, 0, 0, 0.0, 0])
        for peer, its in one["peers"].items():
            touched = sum(its[kind] for kind in ("overlap", "penetration", "tunnelling"))
            ratio = own / its["step_ms"]
            deep = [1e3 * its["deepest"], its["deep_contacts"]]
            rows.append(
                [f"{name}, {peer}", its["step_ms"], ratio, touched, its["tunnelling"], *deep]
            )
    return Table("Comparison with other engines", header, rows)


def hand_table(sessions: Record) -> Table:
    """Return the table of bodies moved by hand."""
    header = ["", "triangles", "frames", "substeps", "truncated", "ms per frame", "p99"]
    header += ["ms per substep", "distance of ends, shells"]
    rows: list[list[object]] = []
    for name, one in sessions.items():
        size = " + ".join(str(n) for n in one["triangles"])
        counts = [one["frames"], one["substeps"], one["truncated"]]
        times = [one["mean_ms"], one["p99_ms"], one["substep_ms"]]
        rows.append([name, size, *counts, *times, small(one["end_by_shells"])])
    return Table("A body moved by hand", header, rows)


def fall_table(one: Record) -> Table:
    """Return the table of the heap in all engines, while it falls and until it rests."""
    own, rows = one["own"], []
    engines = {"toccata": own, **one["peers"]}
    for name, its in engines.items():
        ratios = [own[key] / its[key] for key in ("fall_ms", "step_ms")]
        rows.append([name, its["fall_ms"], ratios[0], its["step_ms"], ratios[1]])
    header = ["", "ms per step, falling", "ours / theirs", "ms per step, all", "ours / theirs"]
    return Table("The heap while it falls, and until it rests", header, rows)


def growth_table(grown: Record) -> Table:
    """Return the table of heaps of several sizes."""
    header = ["bodies", "ms per step", "substeps", "us per body", "us per body and substep"]
    header += ["truncated", "stopped early"]
    rows: list[list[object]] = []
    for size, one in grown["sizes"].items():
        each, substeps = 1e3 * one["step_ms"] / int(size), one["substeps_per_step"]
        early = f"{100 * one['stopped_early']:.2g} %"
        times = [one["step_ms"], substeps, each, each / substeps]
        rows.append([size, *times, one["truncated"], early])
    return Table("Heaps of several sizes", header, rows)
