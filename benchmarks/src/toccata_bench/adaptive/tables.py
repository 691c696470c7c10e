"""Tables of the benchmark of adaptive bodies."""

from __future__ import annotations

from toccata_bench.adaptive.replay import METHODS
from toccata_bench.goal import share
from toccata_bench.record import Record
from toccata_bench.table import Table


def figure_table(name: str, scene: Record) -> Table:
    """Return figure 4 of Kim et al. 2008 for one scene: a row for each number of active joints."""
    header = ["active", "motions", "adaptive, us", "update and culling, us", "exact, us"]
    header += ["auto, us", "no groups, no coherence, us", "its update and culling, us"]
    header += ["adaptive / auto", "adaptive / no groups, no coherence"]
    header += ["nodes updated", "products", "bodies placed", "dynamics, us"]
    header += ["error of the motion, mm"]
    rows: list[list[object]] = []
    for level, one in scene["levels"].items():
        own, auto, plain = (one[method] for method in METHODS)
        whole, front = own["whole_us"], own["front_us"]
        times = [whole, front, whole - front, auto["whole_us"], plain["whole_us"]]
        ratios = [share(whole, other["whole_us"]) for other in (auto, plain)]
        counts = [own[key] for key in ("nodes_updated", "products", "bodies_placed")]
        rest = [one["dynamics_us"], 1e3 * one["error"]]
        rows.append([level, one["motions"], *times, plain["front_us"], *ratios, *counts, *rest])
    title = f"Figure 4 of Kim et al. 2008, {name}, mean of {scene['runs']} runs"
    return Table(title, header, rows)


def instruction_table(found: Record) -> Table:
    """Return the instructions of queries, compared with the baseline."""
    header = ["scene, active joints", "adaptive", "update and culling", "auto"]
    header += ["no groups, no coherence", "its update and culling"]
    header += ["adaptive / no groups, no coherence", "update and culling, the same ratio"]
    rows: list[list[object]] = []
    for name, one in found.items():
        own, auto, plain = (one[method] for method in METHODS)
        counts = [own["whole"], own["front"], auto["whole"], plain["whole"], plain["front"]]
        ratios = [share(own[key], plain[key]) for key in ("whole", "front")]
        rows.append([name, *(f"{count:,.0f}" for count in counts), *ratios])
    return Table("Figure 4 in instructions per query, counted by callgrind", header, rows)


def chain_table(found: Record) -> Table:
    """Return the table of chains with ten active joints."""
    header = ["links, active joints at", "adaptive, us", "update and culling, us", "auto, us"]
    header += ["no groups, no coherence, us", "adaptive / no groups, no coherence"]
    header += ["nodes updated", "products", "bodies placed"]
    header += ["step, us", "refresh, us", "step of a world, us"]
    rows: list[list[object]] = []
    for name, one in found.items():
        own, auto, plain = (one[method] for method in METHODS)
        counts = [own[key] for key in ("nodes_updated", "products", "bodies_placed")]
        times = [own["whole_us"], own["front_us"], auto["whole_us"], plain["whole_us"]]
        ratio = share(own["whole_us"], plain["whole_us"])
        rest = [one[key] for key in ("step_us", "refresh_us", "world_us")]
        rows.append([name, *times, ratio, *counts, *rest])
    return Table("Chains with ten active joints", header, rows)


def enclosure_table(found: Record) -> Table:
    """Return the table of enclosures of rigid groups."""
    header = ["enclosures", "update and culling, us", "products", "remaining pairs"]
    rows: list[list[object]] = [
        [name, one["front_us"], one["products"], one["pairs"]] for name, one in found.items()
    ]
    return Table("A chain of 100 links with ten active joints, single queries", header, rows)


def dynamics_table(found: Record) -> Table:
    """Return the table of dynamics with all joints active."""
    header = ["joints", "acceleration, us", "pinocchio's ABA, us", "ours / ABA", "step, us"]
    rows: list[list[object]] = []
    for count, one in found.items():
        own, aba = one["acceleration_us"], one["pinocchio_us"]
        rows.append([count, own, aba, share(own, aba), one["step_us"]])
    return Table("Dynamics with all joints active", header, rows)


def frame_table(found: Record) -> Table:
    """Return the table of frames with contacts."""
    header = ["", "frames", "frames per s", "ms per frame", "p99", "substeps", "impacts"]
    rows: list[list[object]] = []
    for name, one in found.items():
        times = [one["per_second"], one["frame_ms"], one["p99_ms"]]
        rows.append([name, one["frames"], *times, one["substeps"], one["impacts"]])
    return Table("Two wooden men, collisions and response", header, rows)
