"""Network basics: call limits and retries, TLS, safe URLs, secrets kept out of text."""
