"""Runs that are killed at every step and in every call, and go on in another process."""
