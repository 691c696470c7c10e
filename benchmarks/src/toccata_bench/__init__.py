"""Benchmarks that verify all answers first, then report ratios to peers in the same run."""
