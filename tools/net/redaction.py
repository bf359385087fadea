"""Secrets kept out of messages, logs and recordings."""

import os
import re

_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")
_API_KEY = re.compile(r"\bsk-[\w-]{8,}")
MIN_LENGTH = 8
"""Characters of a secret; shorter environment variables may be common words."""


def redact(text: str) -> str:
    """Replace API keys, and the values of secret environment variables, with `[secret]`."""
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name) and len(value) >= MIN_LENGTH:
            text = text.replace(value, "[secret]")
    return _API_KEY.sub("[secret]", text)
