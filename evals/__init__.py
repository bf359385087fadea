"""Benchmarks: readers of human-labelled data, metrics, and the programs that measure."""
