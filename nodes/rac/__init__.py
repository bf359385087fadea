"""The steps of RAC, one file for each or two; read state.py first."""
