"""The composed method's steps; read state.py first."""
