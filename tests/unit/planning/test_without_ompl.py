"""Planning where OMPL is not installed."""

from __future__ import annotations

import subprocess
import sys

WITHOUT = """
import sys
sys.modules["ompl"] = None
try:
    import toccata.planning
except ModuleNotFoundError as error:
    print(error)
"""


def test_without_ompl_the_message_says_what_to_install() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert "toccata.planning needs ompl: pip install 'toccata[planning]'" in done.stdout
