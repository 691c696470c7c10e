"""Motion planning with OMPL 2: certified checks of motions and states, without sampling."""

try:
    import ompl.base  # noqa: F401
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "toccata.planning needs ompl: pip install 'toccata[planning]'"
    ) from _error

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
