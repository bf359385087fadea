"""The operator's settings, from the environment."""

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


def _split_list(value: object) -> object:
    """The items of a comma-separated text; any other value as it is."""
    if isinstance(value, str):
        return tuple(item.strip() for item in value.split(",") if item.strip())
    return value


CommaSeparated = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_list)]


class ServerSettings(BaseSettings):
    """Each setting is read from the variable ERRATA_ and its name in capitals."""

    model_config = SettingsConfigDict(
        env_prefix="ERRATA_", extra="ignore", frozen=True, use_attribute_docstrings=True
    )

    auth: Literal["auto", "on", "off"] = "auto"
    """Who needs a key: all (`on`), nobody (`off`), all but direct callers on loopback (`auto`)."""
    api_keys: SecretStr = SecretStr("")
    """Keys as `NAME:SHA256` or `NAME:SHA256:admin`, with commas between them."""
    api_keys_file: Path | None = None
    """A file of such keys, one a line; it is read again when it changes."""
    jwt_secret: SecretStr = SecretStr("")
    """The secret that JSON web tokens are signed with (HS256)."""
    jwt_public_key_file: Path | None = None
    """The public key, as PEM, that verifies tokens (RS256, ES256, EdDSA)."""
    jwks_url: str = ""
    """Where the keys that verify tokens are published."""
    jwt_audience: str = ""
    """What a token's `aud` must be; checked where it is given."""
    jwt_issuer: str = ""
    """What a token's `iss` must be; checked where it is given."""
    model: str = "local"
    """What fills every role of the MCP tools; callers may name it too."""
    corpus: str = ""
    """Where the MCP tools retrieve; callers may name it too."""
    search: str = "none"
    """What the MCP tools search the web with; callers may name it too."""
    allow_models: CommaSeparated = ()
    """Further models that a caller may name, with commas between them."""
    allow_corpora: CommaSeparated = ()
    """Further corpora that a caller may name."""
    allow_search: CommaSeparated = ()
    """Further search engines that a caller may name."""
    allow_prompts: bool = False
    """Let callers edit the templates of prompts."""
    allow_webhooks: bool = False
    """Let callers name an address that is called when a run ends."""
    max_body_bytes: Annotated[int, Field(ge=1)] = 2_000_000
    """How large the body of a request may be."""
    max_draft_chars: Annotated[int, Field(ge=1)] = 100_000
    """How long question, draft and messages may be together."""
    max_runs: Annotated[int, Field(ge=1)] = 16
    """How many runs one caller may have under way."""


@cache
def settings() -> ServerSettings:
    """The settings of this process; the environment is read once."""
    return ServerSettings()
