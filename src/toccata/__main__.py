"""Runs the command line with `python -m toccata`."""

import sys

from toccata._cli import main

sys.exit(main())
