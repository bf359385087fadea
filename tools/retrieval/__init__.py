"""Corpora: folders, indexes, Qdrant collections, LangChain retrievers."""
