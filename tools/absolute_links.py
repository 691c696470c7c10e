"""Prints the README with absolute links, for the package index.

    python tools/absolute_links.py HOME

HOME is the address of the files of a release, such as https://host/owner/toccata/blob/v0.1.0.
Links in the README are relative until the repository has a public home.
"""

import re
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def absolute(text: str, home: str) -> str:
    """Return Markdown with relative links replaced by links that start with `home`."""
    return re.sub(r"(?<=\]\()(?!https?://|#)", f"{home.rstrip('/')}/", text)


if __name__ == "__main__":
    print(absolute(README.read_text(encoding="utf-8"), sys.argv[1]))
