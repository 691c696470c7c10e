"""Tables of the benchmark of datasets."""

from __future__ import annotations

from statistics import median

from toccata_bench.record import Record
from toccata_bench.scale.goals import least, shares
from toccata_bench.scale.paper import ROWS, WORKERS
from toccata_bench.table import Table


def batches_table(found: dict[str, Record]) -> Table:
    """Return the table that compares workers with as many batches."""
    header = ["workers", "rows", "batches, rows/s", "run, rows/s", "run / batches"]
    header += ["models built", "processor time", "others, %", "start, s", "first part, MB"]
    header += ["last part, MB"]
    rows: list[list[object]] = []
    for workers, one in found.items():
        memory = one["memory_mb"] or {"first": None, "last": None}
        rates = [one["rows"] / least(one[name], "seconds") for name in ("batches", "runs")]
        rest = [_others(one), one["start_s"], memory["first"], memory["last"]]
        rows.append([workers, one["rows"], *rates, *shares(one).values(), *rest])
    return Table("Workers and one-thread batches of the same rows", header, rows)


def _others(one: Record) -> str:
    """Return the share of other processes in the fastest round of the batches, and of the run."""
    best = [min(one[name], key=lambda r: r["seconds"])["others"] for name in ("batches", "runs")]
    return " and ".join("?" if share is None else f"{100 * share:.0f}" for share in best)


def stage_table(found: Record) -> Table:
    """Return the table of the stages of one part."""
    stages = {name: took for name, took in found.items() if name != "rows"}
    whole = sum(stages.values())
    rows: list[list[object]] = [
        [name, took, 1e3 * took / found["rows"], 100 * took / whole]
        for name, took in stages.items()
    ]
    return Table(f"Stages of a part of {found['rows']:,} rows", ["", "ms", "us per row", "%"], rows)


def restart_table(found: Record) -> Table:
    """Return the table of a run whose parts all exist."""
    rows: list[list[object]] = [["whole run", 1e3 * median(found["seconds"])]]
    for name, key in (
        ("footers of the source files", "open_s"),
        ("fingerprint of robot and world", "fingerprint_s"),
        ("hash of the source files", "hash_s"),
        ("whole plan", "plan_s"),
        ("check of all parts", "look_s"),
    ):
        rows.append([name, 1e3 * found[key]])
    title = f"{found['rows']:,} rows in {found['parts']} parts that all exist"
    return Table(title, ["", "ms"], rows)


def cluster_table(found: Record, parts: Record) -> Table:
    """Return the table of executors."""
    header = ["executor", "seconds", "/ processes", "ms per small part"]
    rows: list[list[object]] = []
    pool = found.get("processes") or []
    for name in ("processes", "dask", "ray"):
        own = found.get(name) or []
        ratio = min(own) / min(pool) if own else None
        small = 1e3 * parts[name] / parts["parts"] if name in parts else None
        rows.append([name, min(own) if own else None, ratio, small])
    return Table("Executors with two workers; clusters already run", header, rows)


def paper_table(found: Record, sizes: Record, memory: Record | None) -> Table:
    """Return the table of the estimate, with the numbers that it uses."""
    peak = memory["last"] if memory else None
    rows: list[list[object]] = [
        ["seconds per part of one worker", found["part_s"], "measured"],
        ["parts", found["parts"], f"{sizes['rows_per_part']:,} rows each"],
        ["work of all workers, s", found["work_s"], "assumed: cores like this one, no waiting"],
        ["last parts, s", found["part_s"], "at most: some worker has one more part"],
        ["start of workers, s", found["start_s"], "measured, one worker"],
        ["planning on one machine, s", found["plan_s"], "measured, files in memory"],
        ["check of all parts, twice, s", found["look_s"], "measured, local disk"],
        ["whole run, s", found["whole_s"], "sum"],
        ["workers for which planning takes as long as work", found["most_workers"], "computed"],
        ["parts per second, needed", found["parts_per_s"], "computed"],
    ]
    for name in ("processes", "dask", "ray"):
        if f"{name}_parts_per_s" in found:
            seen = found[f"{name}_parts_per_s"]
            rows.append([f"parts per second, {name}", seen, "measured, two workers: lower bound"])
    rows += [
        ["memory of a worker, MB", peak, "measured"],
        ["memory of all workers, GB", peak and peak * WORKERS / 1e3, "computed"],
        ["job sent to each worker, MB", found["job_mb"], "measured, with the list of files"],
        ["jobs sent to all workers, GB", found["job_mb"] * WORKERS / 1e3, "computed"],
        ["read by workers, GB", found["read_gb"], "measured, bytes per row"],
        ["read again for hashes, GB", found["read_gb"], "measured, bytes per row"],
        ["written, GB", found["written_gb"], "measured, bytes per row"],
        ["reading during work, MB/s", found["read_mb_per_s"], "computed"],
        ["writing during work, MB/s", found["written_mb_per_s"], "computed"],
        ["hashing, MB/s", found["hash_mb_per_s"], "measured, files in memory"],
        ["_plan.json, MB", found["plan_mb"], "measured, bytes per part"],
    ]
    return Table(f"Estimate: {ROWS:,} motions on {WORKERS} workers", ["", "value", "origin"], rows)
