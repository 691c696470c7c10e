"""Progress messages of a benchmark."""

import sys


def progress(message: str) -> None:
    """Print what is being measured on stderr, so that stdout holds the report alone."""
    print(f"bench: {message}", file=sys.stderr, flush=True)
