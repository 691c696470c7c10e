"""The benchmarks behind `toccata bench`."""

from __future__ import annotations

from typing import Any

from toccata_bench import rigid
from toccata_bench.adaptive import command as adaptive
from toccata_bench.deforming import command as deforming
from toccata_bench.dynamics import command as dynamics
from toccata_bench.papers import command as papers
from toccata_bench.robots import command as robots
from toccata_bench.scale import command as scale
from toccata_bench.view import command as view

BENCHMARKS: tuple[tuple[str, Any, str, str], ...] = (
    (
        "rigid",
        rigid,
        "rigid bodies",
        "Table 1 of Tang et al. 2013 beside the peers; answers are verified first.",
    ),
    (
        "deforming",
        deforming,
        "deforming meshes",
        "Tables 1 and 2 of He et al. 2015 beside ipctk; answers are verified first.",
    ),
    (
        "robots",
        robots,
        "robots and other articulated models",
        "Tables 1 and 2 of Redon et al. 2004 and table 2 of Tang et al. 2013 beside samplers and"
        " HPP; answers are verified first.",
    ),
    (
        "dynamics",
        dynamics,
        "simulations, and bodies moved by hand",
        "The experiments of Redon et al. 2002 and worlds of many bodies beside pybullet and MuJoCo;"
        " logs are audited first.",
    ),
    (
        "adaptive",
        adaptive,
        "articulated bodies of which few joints are active",
        "Figure 4 of Kim et al. 2008: collision detection against the number of active joints, and"
        " what adaptive dynamics cost; answers are verified first.",
    ),
    (
        "scale",
        scale,
        "datasets of a million motions",
        "Workers beside plain batches of the same rows, restarts, clusters, and a calculation for"
        " a hundred workers; answers are verified first.",
    ),
    (
        "view",
        view,
        "live views: how fast they follow a hand",
        "A part that a page drags: poses per second, and the latency of them; ways are verified.",
    ),
    (
        "papers",
        papers,
        "tables and figures of the papers",
        "Every table and figure of the five papers that can be made, with a page that shows ours"
        " beside theirs; answers are verified first.",
    ),
)


def add_benchmarks(parser: Any) -> None:
    """Declare the benchmarks and their options."""
    benchmarks = parser.add_subparsers(dest="benchmark", required=True, metavar="benchmark")
    for name, module, summary, description in BENCHMARKS:
        own = benchmarks.add_parser(name, help=summary, description=description)
        module.add_arguments(own)
        own.set_defaults(run=module.run)
