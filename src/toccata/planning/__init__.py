"""Motion planning with OMPL 2: motions and states are checked by certificate, not by sampling."""

try:
    import ompl.base  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "toccata.planning needs ompl: pip install 'toccata[planning]'"
    ) from error

from toccata.planning._checks import Checks, MotionValidator, StateValidityChecker, setup
from toccata.planning._layout import Layout
from toccata.planning._spaces import state_space

__all__ = [
    "Checks",
    "Layout",
    "MotionValidator",
    "StateValidityChecker",
    "setup",
    "state_space",
]
