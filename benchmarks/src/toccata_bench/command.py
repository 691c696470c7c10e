"""The benchmarks of `toccata bench`."""

from typing import Any

from toccata_bench.adaptive.command import Adaptive
from toccata_bench.benchmark import Benchmark
from toccata_bench.deforming.command import Deforming
from toccata_bench.dynamics.command import Dynamics
from toccata_bench.papers.command import Papers
from toccata_bench.rigid import Rigid
from toccata_bench.robots.command import Robots
from toccata_bench.scale.command import Scale
from toccata_bench.view.command import LiveViews

BENCHMARKS: tuple[type[Benchmark], ...] = (
    Rigid,
    Deforming,
    Robots,
    Dynamics,
    Adaptive,
    Scale,
    LiveViews,
    Papers,
)


def add_benchmarks(parser: Any) -> None:
    """Declare the benchmarks and their options."""
    commands = parser.add_subparsers(dest="benchmark", required=True, metavar="benchmark")
    for kind in BENCHMARKS:
        own = commands.add_parser(kind.name, help=kind.summary, description=kind.description)
        kind.add_arguments(own)
