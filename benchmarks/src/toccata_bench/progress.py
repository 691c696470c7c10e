"""Progress messages of a benchmark."""

import sys


def progress(message: str) -> None:
    """Print a message on stderr, so that stdout holds only the report."""
    print(f"bench: {message}", file=sys.stderr, flush=True)
