"""Latency of live views."""
