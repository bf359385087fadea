"""Runs under names, kept in a database: one that was cut goes on from its last step."""
