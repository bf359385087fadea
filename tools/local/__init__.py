"""Local code for every writing role, one file for each role; no model is called."""
