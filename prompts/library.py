"""Templates as files: found by name, checked when read, filled with neutralised text.

A template is Markdown under YAML front matter. Its name is its path and version, `rac/verify.v1`.
The first part of the stem is the step that uses it; further parts name a variant.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from errata.errors import PromptError

TAGS = ("question draft claims claim documents document evidence errors answers knowledge").split()
_BLANK = r"[\s\u200b-\u200d\u2060\ufeff]*"
_TAG = re.compile(rf"<(?={_BLANK}/?{_BLANK}(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)
_FRONT_MATTER = re.compile(r"\A---\n(?P<head>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)
_NAME = re.compile(r"[a-z]+/[a-z_.]+\.v\d+")


class Head(BaseModel):
    """Hold a template's front matter; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    """Paper, section and table."""
    contract: str
    """What the paper fixes: inputs, labels, form of the reply."""
    variables: dict[str, str]
    reply: str


@dataclass(frozen=True)
class Prompt:
    """Hold one template."""

    name: str
    head: Head
    body: str

    @property
    def digest(self) -> str:
        """Give the SHA-256 of the body."""
        return hashlib.sha256(self.body.encode()).hexdigest()

    @property
    def tag(self) -> str:
        """Name the template and its exact words, for notes."""
        return f"{self.name}@{self.digest[:8]}"

    def fill(self, **values: str) -> str:
        """Put values in place; tags inside them lose their power.

        Raises PromptError unless exactly the declared variables are given.
        """
        if set(values) != set(self.head.variables):
            wanted, came = sorted(self.head.variables), sorted(values)
            raise PromptError(f"prompt {self.name} takes {wanted}; it was given {came}")
        safe = {name: neutralise(value) for name, value in values.items()}
        return Template(self.body).substitute(safe)


def neutralise(text: str) -> str:
    """Take the power from any tag of ours inside untrusted text; it stays readable."""
    return _TAG.sub("‹", text)


def load_prompt(name: str, folder: str = "") -> Prompt:
    """Read a template by name; one of that name in the user's folder comes first.

    Raises PromptError where it is missing, malformed, or shipped and altered.
    """
    own = Path(folder, f"{name}.md") if folder else None
    if own and own.is_file():
        return parse_prompt(name, own.read_text(encoding="utf-8"))
    return _shipped(name)


def with_body(base: Prompt, body: str) -> Prompt:
    """Give a template with another body that takes the same variables.

    Raises PromptError where it does not.
    """
    _check(base.name, base.head, body.strip("\n"))
    return replace(base, body=body.strip("\n"))


def prompt_names() -> list[str]:
    """List the shipped templates."""
    return sorted(_walk(files("errata.prompts"), ""))


def locked_digests(method: str) -> dict[str, str]:
    """Read the digests that a method's shipped templates had when they were released."""
    lock = files("errata.prompts").joinpath(method, "prompts.lock")
    lines = lock.read_text(encoding="utf-8").splitlines() if lock.is_file() else []
    return {f"{method}/{name}": digest for name, digest in (line.split() for line in lines)}


@cache
def _shipped(name: str) -> Prompt:
    path = files("errata.prompts").joinpath(f"{name}.md")
    if not _NAME.fullmatch(name) or not path.is_file():
        raise PromptError(f"no prompt is called {name!r}; there are {', '.join(prompt_names())}")
    found = parse_prompt(name, path.read_text(encoding="utf-8"))
    expected = locked_digests(name.split("/", maxsplit=1)[0]).get(name)
    if found.digest != expected:
        raise PromptError(
            f"prompt {name} has digest {found.digest[:8]}, its lock says {str(expected)[:8]}: a "
            "released text never changes; put a better one beside it as the next version"
        )
    return found


def parse_prompt(name: str, text: str) -> Prompt:
    """Read a template's text and check it against its front matter."""
    match = _FRONT_MATTER.match(text.replace("\r\n", "\n"))
    if not match:
        raise PromptError(f"prompt {name} has no front matter between two lines of ---")
    try:
        head = Head.model_validate(_yaml(name, match["head"]))
    except ValidationError as error:
        faults = "; ".join(
            f"{f['loc'][0] if f['loc'] else 'front matter'}: {f['msg']}" for f in error.errors()
        )
        raise PromptError(f"prompt {name}: {faults}") from error
    body = match["body"].strip("\n")
    _check(name, head, body)
    return Prompt(name, head, body)


def _yaml(name: str, text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise PromptError(f"prompt {name}: the front matter is not YAML: {error}") from error


def _check(name: str, head: Head, body: str) -> None:
    """Hold the body against its front matter: each variable declared, used, between tags."""
    template = Template(body)
    used = set(template.get_identifiers())
    if not template.is_valid() or used != set(head.variables):
        declared = sorted(head.variables)
        raise PromptError(f"prompt {name} declares {declared} and uses {sorted(used)}")
    bare = [v for v in sorted(used) if body.count(f"<{v}>\n${v}\n</{v}>") != 1 or v not in TAGS]
    if bare or len(template.pattern.findall(body)) != len(used):
        raise PromptError(
            f"prompt {name} must hold each variable once, alone on its line between tags of its "
            f"name (known tags: {', '.join(TAGS)}); look at {bare or sorted(used)}"
        )


def _walk(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".md"):
            yield prefix + entry.name.removesuffix(".md")
