"""Files that a document loader of langchain-community reads, where we have no reader of our own."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from errata.errors import PageError, SettingError
from errata.tools.text.community import find_class, make

PREFIX = "community/"
"""What the media type of such a file begins with; its loader's class follows."""
_FIELDS: Mapping[str, Mapping[str, Any]] = {
    # Read byte by byte, since each part of such a file has an encoding of its own.
    "MHTMLLoader": {"open_encoding": "latin-1", "get_text_separator": "\n"},
}


def load_text(loader: str, content: bytes, name: str) -> str:
    """The text that a loader finds in a file's content; `name` is what errors call it.

    Raises PageError if the loader or a package that it needs is missing, or it fails.
    """
    with TemporaryDirectory(prefix="errata-loader-") as folder:
        path = Path(folder, "content")
        path.write_bytes(content)
        try:
            found = find_class(loader, ["document_loaders"])
            documents = make(found, file_path=str(path), **_FIELDS.get(loader, {})).load()
        except (SettingError, ImportError) as error:
            raise PageError(f"{name!r} needs a package: {error}") from error
        except (OSError, ValueError, LookupError, SyntaxError) as error:
            raise PageError(f"{name!r} cannot be read by {loader}: {error}") from error
    texts = (" ".join(line.split()) for d in documents for line in d.page_content.splitlines())
    return "\n".join(filter(None, texts))
