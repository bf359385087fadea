"""Steps: one folder a method, one file a step."""
