"""Retrieval: a folder of texts, an index, or a server; and filters for what it returns."""
