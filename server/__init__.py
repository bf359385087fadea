"""Serving: who may ask, what they may name, how much, and the tools for MCP clients."""
