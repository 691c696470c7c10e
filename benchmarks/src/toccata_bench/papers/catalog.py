"""All tables and figures of the five papers, and how each is made, or why it is not."""

from __future__ import annotations

from toccata_bench.papers import he_2015, kim_2008, redon_2002, redon_2004, tang_2013
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS: tuple[Exhibit, ...] = (
    *redon_2002.EXHIBITS,
    *redon_2004.EXHIBITS,
    *kim_2008.EXHIBITS,
    *tang_2013.EXHIBITS,
    *he_2015.EXHIBITS,
)
