"""Serving: keys and tokens, what callers may set, and limits."""
