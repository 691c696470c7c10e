"""Models and scenes that only benchmarks and tests need; the others are in `toccata.scenes`."""
