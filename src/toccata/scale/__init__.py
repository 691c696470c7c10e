"""From one call to a hundred million: datasets of motions and frames.

Parquet files in, Parquet files out; needs pyarrow (`pip install 'toccata[scale]'`).
"""

from toccata.scale._checks import RunOptions, check_frames, check_motions, check_pairs
from toccata.scale._run import dataset_status as status
from toccata.scale._summary import INVALID, Counts, Progress, Summary
from toccata.scale._verdicts import Verdicts, load

__all__ = [
    "INVALID",
    "Counts",
    "Progress",
    "RunOptions",
    "Summary",
    "Verdicts",
    "check_frames",
    "check_motions",
    "check_pairs",
    "load",
    "status",
]
