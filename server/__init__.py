"""Serving: keys and tokens, what callers may set, limits, and the tools for MCP clients."""
