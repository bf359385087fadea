"""Serving: keys, what callers may set, and limits."""
