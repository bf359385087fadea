"""CRAG's steps; read state.py first."""
