"""Benchmarks: ratios against a bare limit measured in the same run."""
