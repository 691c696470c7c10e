"""Every table and figure of the five papers, and how it is made, or why it is not."""

from __future__ import annotations

from toccata_bench.papers import tang_rigid
from toccata_bench.papers.exhibit import Exhibit

TANG: tuple[Exhibit, ...] = (
    Exhibit("tang-2013/figure-5","models","x","y",tang_rigid.figure_5),
    Exhibit("tang-2013/figure-4","models","x","y",tang_rigid.figure_4,True),
    Exhibit("tang-2013/figure-6","models","x","y",tang_rigid.figure_6,True),
    Exhibit("tang-2013/figure-7","models","x","y",tang_rigid.figure_7,True),
    Exhibit("tang-2013/table-1","models","x","y",tang_rigid.table_1),
)
EXHIBITS = TANG
