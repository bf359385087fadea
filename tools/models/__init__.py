"""Language models behind one door."""
