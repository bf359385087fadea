"""The network's ground: limits, redaction, TLS, HTTP, safe URLs."""
