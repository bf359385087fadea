"""The methods' steps: one folder for each method, one file for each step."""
