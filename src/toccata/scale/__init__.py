"""Datasets of millions of motions or frames: Parquet files in, Parquet files out.

This requires pyarrow (`pip install 'toccata[scale]'`).
"""

from toccata.scale._checks import check_frames, check_motions, check_pairs
from toccata.scale._options import (
    DaskClient,
    FrameDatasetOptions,
    PairDatasetOptions,
    RobotDatasetOptions,
    RunOptions,
)
from toccata.scale._run import dataset_status as status
from toccata.scale._summary import INVALID, Counts, Progress, Summary
from toccata.scale._verdicts import Verdicts, load

__all__ = [
    "INVALID",
    "Counts",
    "DaskClient",
    "FrameDatasetOptions",
    "PairDatasetOptions",
    "Progress",
    "RobotDatasetOptions",
    "RunOptions",
    "Summary",
    "Verdicts",
    "check_frames",
    "check_motions",
    "check_pairs",
    "load",
    "status",
]
