"""The methods' graphs: one file for each, START to END on one screen."""
