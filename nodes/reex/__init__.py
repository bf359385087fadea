"""The steps of RE-EX, one file each; read state.py first."""
