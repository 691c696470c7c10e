"""Sizes of random tests, by one environment variable.

TOCCATA_FUZZ multiplies the cases of each test; `make test-long` sets it. TOCCATA_SEED draws other
cases in the tests that use it.
"""

import os

FACTOR = float(os.environ.get("TOCCATA_FUZZ", "1"))
SEED = int(os.environ.get("TOCCATA_SEED", "0"))


def cases(count: int) -> int:
    """Return the number of cases to draw; `count` is the default."""
    return max(1, round(count * FACTOR))
