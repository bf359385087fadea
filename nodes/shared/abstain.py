"""What local code says where it cannot judge."""


def abstention(language: str) -> str:
    """Why a draft in another language was not judged."""
    return f"the local fillers know English; this draft looks like {language!r} and was not judged"
