"""Datasets of a million motions: what it costs beyond the motions themselves."""
