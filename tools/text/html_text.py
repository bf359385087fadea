"""Whether a block of HTML has a text between its tags."""

import re

_UNREAD = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|pre|code|svg|math|textarea)\b.*?(?:</\1\s*>|\Z)"
    r"|<(?:[a-z/?]|!doctype)[^<>]*(?:>|\Z)|&#?\w+;",
    re.IGNORECASE | re.DOTALL,
)
"""Tags, comments and elements that hold no sentences; one without an end goes on to the last."""
_WORD = re.compile(r"\w")


def has_text(source: str) -> bool:
    """Whether words stand between the tags; those of code, scripts and comments do not count.

    >>> has_text("<p>Ada <b>sang</b>.</p>"), has_text("<!-- Ada sang. --><hr>")
    (True, False)
    """
    return bool(_WORD.search(_UNREAD.sub(" ", source)))
