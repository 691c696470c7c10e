"""Options of checks of datasets: options of runs, and options of queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Protocol, TypedDict

from toccata._arrays import as_whole
from toccata._options import FrameOptions, Option, RigidOptions, RobotOptions
from toccata.scale._executors import Executor, Kind, executor_of
from toccata.scale._summary import Report


class DaskClient(Protocol):
    """A `distributed.Client`."""

    def register_plugin(self, plugin: Any) -> Any:
        """Add a plugin to all workers."""


class RunOptions(TypedDict, total=False):
    """Options for running a check. They do not influence its verdicts."""

    executor: Annotated[
        Kind | DaskClient,
        Option(
            "processes", '"processes" of this machine, "dask", "ray", or a `distributed.Client`.'
        ),
    ]
    workers: Annotated[
        int | None,
        Option(None, "number of processes or actors with one thread each. Default: one per core."),
    ]
    address: Annotated[
        str | None,
        Option(
            None,
            'address of a cluster for "dask" or "ray". Default: a temporary cluster on this '
            "machine.",
        ),
    ]
    rows_per_part: Annotated[
        int | None,
        Option(
            None,
            "largest number of rows in a part. One worker answers a part at a time and writes one "
            "file. Default: 100,000, or 64 frames.",
        ),
    ]
    strict: Annotated[
        bool,
        Option(
            False,
            "raise an error for a row that is not a valid motion. Otherwise its status is INVALID.",
        ),
    ]
    progress: Annotated[Report | None, Option(None, "called with a `Progress` after each part.")]


class LimitOptions(TypedDict, total=False):
    """The option that only `ask="clearance"` accepts."""

    limit: Annotated[
        float,
        Option(
            inf,
            'largest distance to resolve, for ask="clearance". If the distance is larger, `lower` '
            "is at least the limit.",
        ),
    ]


class RobotDatasetOptions(RobotOptions, LimitOptions, RunOptions, total=False):
    """Options of `check_motions`."""


class PairDatasetOptions(RigidOptions, LimitOptions, RunOptions, total=False):
    """Options of `check_pairs`."""


class FrameDatasetOptions(FrameOptions, RunOptions, total=False):
    """Options of `check_frames`."""


@dataclass(frozen=True, slots=True)
class Running:
    """Options of a run. They do not influence its verdicts."""

    executor: Executor
    rows_per_part: int
    strict: bool
    progress: Report | None


def split_options(given: Mapping[str, Any], rows_per_part: int) -> tuple[Running, dict[str, Any]]:
    """Return the options of the run and of the query. `rows_per_part` is a default."""
    rest = {name: given[name] for name in given if name not in RunOptions.__optional_keys__}
    where = given.get("workers"), given.get("address")
    executor = executor_of(given.get("executor", "processes"), *where)
    progress, rows = given.get("progress"), given.get("rows_per_part")
    if not (progress is None or callable(progress)):
        raise TypeError(f"progress: expected a function, got {type(progress).__name__}")
    count = rows_per_part if rows is None else as_whole("rows_per_part", rows)
    return Running(executor, count, bool(given.get("strict", False)), progress), rest
