"""Goals of the benchmark of rigid bodies."""

from toccata_bench import near, studies
from toccata_bench.goal import Goal, at_least, at_most, share
from toccata_bench.record import Record

LOOPS = ("coal loop / auto", "coal loop, pruned / auto")
BOX_SPEEDUP = 20.0
"""Goal for boxes. With twelve triangles, the loops on coal spend most of their time in Python."""


def goals(record: Record) -> list[Goal]:
    """Return all goals of a record."""
    models = record["models"]
    return [*case_goals(models), *near.goals(models), *studies.goals(record["studies"])]


def ratios(model: Record) -> dict[str, float | None]:
    """Return the ratios of times of one model, or None if a peer was not measured."""
    means, peers, core = model["batch_us"], model["peers_us"], model["core"]
    auto, discrete = means["auto"], model.get("discrete", {})
    named = min(means[method] for method in ("c2a", "hca", "interval"))
    return {
        "coal loop / auto": share(peers.get("coal-loop"), auto),
        "coal loop, pruned / auto": share(peers.get("coal-loop-pruned"), auto),
        "auto / check at 1e-4": share(discrete.get("motion_us"), discrete.get("nearer_check_us")),
        "auto / check at 1e-3": share(discrete.get("motion_us"), discrete.get("check_us")),
        "auto / check at 1e-2": share(discrete.get("motion_us"), discrete.get("farther_check_us")),
        "auto / python-fcl, 100 samples": share(auto, peers.get("fcl-100")),
        "auto / fastest named method": share(auto, named),
        "auto p99 / mean": share(core["p99_us"], core["mean_us"]),
        "HCA / auto": share(means["hca"], auto),
        "C2A / auto": share(means["c2a"], auto),
        "C2A without control / C2A": share(means["c2a-uncontrolled"], means["c2a"]),
    }


def case_goals(models: dict[str, Record]) -> list[Goal]:
    """Return the goals for the ratios of all models."""
    found = [
        *(at_least(label, 50.0, "x") for label in LOOPS),
        *(at_least(f"{label}, boxes", BOX_SPEEDUP, "x") for label in LOOPS),
        at_most("auto / check at 1e-4", 0.45, "x"),
        at_most("auto / check at 1e-3", 0.45, "x"),
        at_most("auto / python-fcl, 100 samples", 1.0, "x"),
        at_most("auto / fastest named method", 1.15, "x"),
        at_most("auto p99 / mean", 10.0, "x"),
        at_most("HCA / auto", 4.0, "x"),
        at_most("C2A / auto", 4.0, "x"),
        at_least("C2A without control / C2A", 2.0, "x"),
    ]
    by_figure = {goal.figure: goal for goal in found}
    for name, model in models.items():
        for label, ratio in ratios(model).items():
            boxes = ", boxes" if name.startswith("box") and label in LOOPS else ""
            if label + boxes in by_figure:
                by_figure[label + boxes].add(name, ratio)
    return found
