"""Results as text: for terminals, models and browsers."""
