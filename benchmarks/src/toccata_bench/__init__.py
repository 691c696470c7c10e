"""Benchmarks that verify the answers first and report ratios against peers of the same run."""
