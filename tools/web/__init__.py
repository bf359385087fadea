"""Web search and web pages."""
