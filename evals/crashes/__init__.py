"""Runs that are killed at every step and in every call, and go on in another process.

`python -m errata.evals.crashes` kills every method everywhere and writes what was lost.
"""
