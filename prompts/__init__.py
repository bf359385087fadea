"""Texts: versioned templates, and the library that finds, checks and fills them."""
