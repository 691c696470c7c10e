"""Overhead of datasets of a million motions."""
