"""Secrets kept out of messages, logs and recordings."""

import os
import re

_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")
_KEY = re.compile(r"\bsk-[\w-]{8,}")
SHORTEST = 8
"""Shorter values of the environment are words, not secrets."""


def redact(text: str) -> str:
    """Replace what looks like a key, and every secret of the environment, by `[secret]`."""
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name) and len(value) >= SHORTEST:
            text = text.replace(value, "[secret]")
    return _KEY.sub("[secret]", text)
