"""Rigid bodies that move by forces and contacts; so far what they weigh."""

from .mass import MassProperties

__all__ = ["MassProperties"]
