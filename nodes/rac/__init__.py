"""The steps of RAC."""
