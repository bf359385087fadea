"""The steps of RE-EX; read state.py first."""
