"""Web search, its engines and cache, and the text of web pages."""
