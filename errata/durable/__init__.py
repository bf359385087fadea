"""Named runs, kept in a database: one that was interrupted goes on from its last step."""
