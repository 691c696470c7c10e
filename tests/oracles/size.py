"""How much the random tests draw: one variable of the environment for all of them.

TOCCATA_FUZZ multiplies the cases that each one draws; `make test-long` sets it. TOCCATA_SEED draws
others, where a test says so.
"""

import os

FACTOR = float(os.environ.get("TOCCATA_FUZZ", "1"))
SEED = int(os.environ.get("TOCCATA_SEED", "0"))


def cases(count: int) -> int:
    """Return how many cases to draw where `count` are drawn by default."""
    return max(1, round(count * FACTOR))
