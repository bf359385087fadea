"""Who a caller is, and what rights they have."""

from collections.abc import Collection
from typing import NamedTuple

LOCAL = "local"
"""The right of callers who need no key: everything, without limits."""
ADMIN = "admin"
"""The right of admins: everyone's data, any setting, no limit on runs."""


class Identity(NamedTuple):
    """Whom a key or a token belongs to."""

    name: str
    admin: bool


def is_unlimited(permissions: Collection[str]) -> bool:
    """Whether a caller has no limits: one who needs no key, or an admin."""
    return LOCAL in permissions or ADMIN in permissions
