"""Draws the picture of docs/adaptive.md: python docs/make_adaptive_picture.py [file].

The three experiments of Kim, Redon, Kim 2008 while bodies collide: links of one color are one
rigid group, as in the paper's figure 3. `toccata bench papers` draws the same.
"""

import sys
from pathlib import Path

from toccata.report._png import save_png
from toccata_bench.papers.drawing import side_by_side
from toccata_bench.papers.kim_joints import SCENES, group_picture


def main(path: str = "") -> None:
    """Save them side by side."""
    target = Path(path) if path else Path(__file__).with_name("adaptive.png")
    save_png(target, side_by_side(*(group_picture(name) for name in SCENES)))
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")


main(*sys.argv[1:])
