"""Wiring: one file a method, START to END on one screen."""
