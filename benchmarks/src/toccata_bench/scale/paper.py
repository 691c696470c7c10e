"""Estimate for a cluster, from measured numbers and a few assumptions."""

from __future__ import annotations

import pickle

from toccata_bench.record import Record
from toccata_bench.scale.goals import least
from toccata_bench.scale.runs import Experiment
from toccata_bench.scale.stages import job_of, size_of

ROWS, WORKERS = 10**8, 100


def measure_sizes(experiment: Experiment) -> Record:
    """Return the sizes of the sent job and of the files, in bytes."""
    job, rows = job_of(experiment, experiment.target), len(experiment.motions)
    source, files = job.source, len(job.source.files)
    # Names of links and models are sent once, whatever the number of files.
    per_file = len(pickle.dumps((source.files, source.starts, source.row_groups))) / files
    return {
        "job_bytes": len(job.pack()),
        "job_bytes_per_file": per_file,
        "read_bytes_per_row": size_of(experiment.source) / rows,
        "written_bytes_per_row": size_of(experiment.target) / rows,
        "plan_bytes_per_part": _plan_size(experiment) / max(1, rows // experiment.rows_per_part),
        "rows_per_file": rows / files,
        "rows_per_part": experiment.rows_per_part,
    }


def _plan_size(experiment: Experiment) -> int:
    return (experiment.target / "_plan.json").stat().st_size


def estimate(record: Record) -> Record | None:
    """Return the estimate for 10^8 rows on 100 workers, None if a number is missing."""
    sizes, alone, restart = record["sizes"], record["overhead"], record["restart"]
    if not (sizes and alone and restart):
        return None
    parts = ROWS / sizes["rows_per_part"]
    part_s = sizes["rows_per_part"] / _started_rate(alone)
    millions = ROWS / 1e6
    measured = restart["rows"] / 1e6
    found: Record = {"parts": parts, "part_s": part_s}
    found["work_s"] = parts * part_s / WORKERS
    found["plan_s"] = restart["plan_s"] / measured * millions
    found["look_s"] = 2 * restart["look_s"] / restart["parts"] * parts
    found["start_s"] = alone["start_s"]
    found["whole_s"] = sum(found[key] for key in ("work_s", "plan_s", "look_s", "start_s")) + part_s
    found["parts_per_s"] = WORKERS / part_s
    found["read_gb"] = ROWS * sizes["read_bytes_per_row"] / 1e9
    found["written_gb"] = ROWS * sizes["written_bytes_per_row"] / 1e9
    job = sizes["job_bytes"] + sizes["job_bytes_per_file"] * ROWS / sizes["rows_per_file"]
    found["job_mb"] = job / 1e6
    found["read_mb_per_s"] = 1e3 * found["read_gb"] / found["work_s"]
    found["written_mb_per_s"] = 1e3 * found["written_gb"] / found["work_s"]
    found["hash_mb_per_s"] = restart["bytes"] / restart["hash_s"] / 1e6
    found["plan_mb"] = sizes["plan_bytes_per_part"] * parts / 1e6
    found["most_workers"] = parts * part_s / found["plan_s"]
    return found | _given_out(record["parts"])


def _started_rate(alone: Record) -> float:
    """Return rows per second of one worker, without its start."""
    return float(alone["rows"] / (least(alone["runs"], "seconds") - alone["start_s"]))


def _given_out(small: Record) -> Record:
    """Return the parts per second that each executor handed out."""
    executors = ("processes", "dask", "ray")
    return {
        f"{name}_parts_per_s": small["parts"] / small[name] for name in executors if name in small
    }
