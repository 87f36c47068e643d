"""Measures what people wait for: `python -m benchmarks`."""
