"""Language models and embedders behind one door."""
