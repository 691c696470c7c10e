"""A table or figure of a paper and its counterpart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from toccata.report._png import save_png
from toccata_bench.table import Table

PAPERS = {
    "redon-2002": "S. Redon, A. Kheddar, S. Coquillart: Fast Continuous Collision Detection"
    " between Rigid Bodies, 2002",
    "redon-2004": "S. Redon, Y. J. Kim, M. C. Lin, D. Manocha: Fast Continuous Collision Detection"
    " for Articulated Models, 2004",
    "kim-2008": "S. Kim, S. Redon, Y. J. Kim: Continuous Collision Detection for Adaptive"
    " Simulation of Articulated Bodies, 2008",
    "tang-2013": "M. Tang, D. Manocha, Y. J. Kim: Hierarchical and Controlled Advancement for"
    " Continuous Collision Detection of Rigid and Articulated Models, 2013",
    "he-2015": "L. He, R. Ortiz, A. Enquobahrie, D. Manocha: Interactive Continuous Collision"
    " Detection for Topology Changing Models Using Dynamic Clustering, 2015",
}
"""The papers in the order of their years."""


@dataclass(slots=True)
class Setup:
    """Size of a run, and results that several exhibits share."""

    quick: bool = False
    known: dict[str, Any] = field(default_factory=dict)

    def size(self, usual: int, quick: int) -> int:
        """Return a count for the size of the run."""
        return quick if self.quick else usual

    def once(self, key: str, work: Callable[[], Any]) -> Any:
        """Return the result of some work, which is done once."""
        if key not in self.known:
            self.known[key] = work()
        return self.known[key]


@dataclass(slots=True)
class Made:
    """A sentence with our numbers, tables, and pictures by caption."""

    ours: str
    tables: list[Table] = field(default_factory=list)
    pictures: dict[str, Any] = field(default_factory=dict)
    """Pictures by caption: (h, w, 3) uint8, or figures of matplotlib."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A table or figure of a paper."""

    name: str
    """Paper and number: "tang-2013/figure-7"."""
    title: str
    theirs: str
    """Content in the paper."""
    differs: str
    """Difference of ours and its reason, or the reason why it is not made."""
    make: Callable[[Setup], Made] | None = None
    plots: bool = False
    """True if it needs matplotlib."""

    @property
    def paper(self) -> str:
        """First part of the name."""
        return self.name.partition("/")[0]

    @property
    def label(self) -> str:
        """Number as in the paper: "Figure 7"."""
        kind, _, number = self.name.partition("/")[2].partition("-")
        return f"{kind.capitalize()} {number}".strip()


def save(picture: Any, path: Path) -> None:
    """Write an image or a figure of matplotlib as a PNG file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(picture, np.ndarray):
        save_png(path, picture)
    else:
        picture.savefig(path, dpi=110)


def three(value: float | None) -> str | None:
    """Format a number with three digits, however small it is."""
    if value is None:
        return None
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
