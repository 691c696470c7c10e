"""`toccata bench`: measure against the peers, answers first."""

from __future__ import annotations

from typing import Any


def add_command(commands: Any) -> None:
    """Declare the benchmarks and their options."""
    from toccata.bench import rigid
    from toccata.bench.deforming import command as deforming
    from toccata.bench.robots import command as robots

    parser = commands.add_parser("bench", help="benchmarks against other libraries")
    benchmarks = parser.add_subparsers(dest="benchmark", required=True, metavar="benchmark")
    table = benchmarks.add_parser(
        "rigid",
        help="rigid bodies",
        description="Table 1 of Tang et al. 2013 beside the peers; answers are verified first.",
    )
    rigid.add_arguments(table)
    table.set_defaults(run=rigid.run)
    steps = benchmarks.add_parser(
        "deforming",
        help="deforming meshes",
        description="Tables 1 and 2 of He et al. 2015 beside ipctk; answers are verified first.",
    )
    deforming.add_arguments(steps)
    steps.set_defaults(run=deforming.run)
    motions = benchmarks.add_parser(
        "robots",
        help="robots and other articulated models",
        description="Tables 1 and 2 of Redon et al. 2004 and table 2 of Tang et al. 2013 beside"
        " samplers and HPP; answers are verified first.",
    )
    robots.add_arguments(motions)
    motions.set_defaults(run=robots.run)
