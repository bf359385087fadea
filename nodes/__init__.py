"""The methods' steps: what several methods share, and a folder for each method."""
