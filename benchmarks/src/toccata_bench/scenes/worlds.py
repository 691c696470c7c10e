"""All worlds: the worlds of `toccata.scenes.worlds`, and worlds for benchmarks only."""

from toccata.scenes import worlds
from toccata.scenes.worlds import ARTICULATED, WorldScene
from toccata_bench.scenes import mechanisms, thrown

__all__ = ["ARTICULATED", "WORLDS", "get", "names", "options"]

_RIGID = {
    "bunnies": thrown.bunnies,
    "bunny-dynamics": thrown.bunny_dynamics,
    "bouncing-car": thrown.bouncing_car,
    "heap": worlds.WORLDS["heap"],
    "nut": mechanisms.nut_on_bolt,
    "bricks": worlds.WORLDS["bricks"],
    "wall": worlds.WORLDS["wall"],
    "sheet": thrown.ball_and_sheet,
    "gears": mechanisms.gear_box,
}
WORLDS: dict[str, worlds.Builder] = _RIGID | {name: worlds.WORLDS[name] for name in ARTICULATED}
"""Builders of the worlds by name, in the order of the tables."""


def names() -> list[str]:
    """Return the names of all worlds."""
    return list(WORLDS)


def options(name: str) -> dict[str, int]:
    """Return the options of a world and their defaults."""
    return worlds.options(name, WORLDS)


def get(name: str, **given: int) -> WorldScene:
    """Build a world as `toccata.scenes.worlds.get` does."""
    return worlds.get(name, WORLDS, **given)
