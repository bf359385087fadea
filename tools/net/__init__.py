"""Network basics: timeouts and retries, call rates, TLS, safe URLs, secrets kept out of text."""
