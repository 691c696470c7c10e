"""Compare two records of `toccata bench ... --json`: new / old, number by number."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Ends of the names of times. Times depend on the machine; ratios within one run hardly do.
TIMES = ("_us", "_ms", "seconds")
SECTIONS = (
    "goals",
    "models",
    "cases",
    "sequences",
    "studies",
    "hand",
    "worlds",
    "growth",
    "flight",
)


def figures(node: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number of a record with its path, except machine and protocol."""
    if isinstance(node, dict):
        for key, value in node.items():
            if path or key in SECTIONS:
                yield from figures(value, f"{path}/{key}" if path else key)
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from figures(value, f"{path}/{i}")
    elif isinstance(node, (int, float)) and not isinstance(node, bool):
        yield path, float(node)


def is_measured(path: str, everything: bool) -> bool:
    """Return whether a path leads to a time or the value of a goal; `everything` allows all."""
    if everything:
        return True
    in_time = any(part.endswith(TIMES) for part in path.split("/"))
    return in_time or path.endswith("/value")


def compare(old: dict[str, Any], new: dict[str, Any], everything: bool) -> list[str]:
    """Return a line for each number of both records, largest change last."""
    before, after = dict(figures(old)), dict(figures(new))
    shared = [p for p in before if p in after and before[p] > 0 and is_measured(p, everything)]
    ranked = sorted(shared, key=lambda p: after[p] / before[p])
    width = max(map(len, ranked), default=0)
    return [
        f"{p.ljust(width)}  {before[p]:12.3f}  {after[p]:12.3f}  {after[p] / before[p]:7.3f}x"
        for p in ranked
    ]


def main() -> None:
    """Print the origins of both records, then the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--all", action="store_true", help="compare counts and limits, too")
    args = parser.parse_args()
    old, new = (json.loads(path.read_text()) for path in (args.old, args.new))
    for label, record in (("old", old), ("new", new)):
        print(f"{label}: commit {record['commit']}, {record['machine']['cpu']}")
    if old["machine"] != new["machine"]:
        print("different machines: compare only goals, which are mostly ratios within one run")
    print("\n".join(compare(old, new, args.all)))


if __name__ == "__main__":
    main()
