"""Datasets of a million motions, and their overhead."""
