"""The steps that audit and repair a draft's citations."""
