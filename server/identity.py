"""Who a caller is, and what rights they have."""

from typing import NamedTuple

LOCAL = "local"
"""The right of callers who need no key: everything, without limits."""
ADMIN = "admin"
"""The right of admins: everyone's data, any setting, no limit on runs."""


class Identity(NamedTuple):
    """Whom a key or a token belongs to."""

    name: str
    admin: bool
