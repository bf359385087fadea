"""Prompt templates as files: read by name, checked, filled with neutralised text.

A template is Markdown under YAML front matter. Its name is its stem and version, `rac/verify.v1`.
The first part of the stem is the step that uses it; further parts name a variant. Each variable
stands alone between tags of its own name, which fence untrusted text.
"""

import hashlib
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from errata.core.errors import PromptError
from errata.prompts.delimiters import mark_borders, neutralise, restore

TAGS = frozenset(
    "question draft claims claim documents document evidence errors answers knowledge chat"
    " answer_form most".split()
)
"""The tags that no filled value may hold: our templates' variables, and `evidence`, once one."""
NOTHING = "(none)"
"""Stands between the tags of a variable that is empty: readers ask what an empty pair means."""
_SHELVES: list[Traversable] = [files("errata.prompts")]
"""Folders that hold a folder of templates for each method."""
_FRONT_MATTER = re.compile(r"\A---\n(?P<head>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)
_STEM = re.compile(r"[a-z]+/[a-z_.]+")
_NAME = re.compile(r"[a-z]+/[a-z_.]+\.v\d+")
_PART = re.compile(r"^# (\w+)$", re.MULTILINE)
_VERSION = re.compile(r"\.v\d+\Z")


class FrontMatter(BaseModel):
    """What a template says of itself; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    """Paper, section and table."""
    contract: str
    """What the paper fixes: inputs, labels, form of the reply."""
    variables: dict[str, str]
    """What each variable stands for."""
    reply: str
    """The form of the reply."""


@dataclass(frozen=True)
class Prompt:
    """One template."""

    name: str
    head: FrontMatter
    body: str
    front: str
    """The front matter as it is written."""

    @property
    def digest(self) -> str:
        """The SHA-256 of the whole template, in hexadecimal; how its lines end does not count."""
        return hashlib.sha256(f"---\n{self.front}\n---\n{self.body}\n".encode()).hexdigest()

    @property
    def tag(self) -> str:
        """The name and the start of the digest, for notes: `rac/verify.v1@1a2b3c4d`."""
        return f"{self.name}@{self.digest[:8]}"

    def fill(self, **values: str) -> str:
        """The body with neutralised values; raises PromptError unless all variables have one."""
        if set(values) != set(self.head.variables):
            declared, received = sorted(self.head.variables), sorted(values)
            raise PromptError(f"prompt {self.name} takes {declared}; it was given {received}")
        return Template(self.body).substitute(
            {n: neutralise(x, self._tags) if x.strip() else NOTHING for n, x in values.items()}
        )

    def part(self, name: str, **values: str) -> str:
        """The part under `# NAME`, filled, or empty; raises PromptError if it needs more values."""
        neutral = {key: neutralise(value, self._tags) for key, value in values.items()}
        try:
            return Template(self.parts.get(name, "")).substitute(neutral)
        except KeyError as error:
            raise PromptError(f"prompt {self.name}: its part {name!r} needs {error}") from error

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """The texts under the body's lines `# NAME`, by name and in order."""
        _, *rest = _PART.split(self.body)
        return {name: text.strip("\n") for name, text in zip(rest[::2], rest[1::2], strict=True)}

    def mark(self, filled: str) -> str:
        """The filled body as a server is to see it: its tags bear marks that no text can write."""
        return mark_borders(filled, self.head.variables)

    def restore(self, reply: str, values: Mapping[str, str]) -> str:
        """A reply in which copies of the values are spelt as these are, and tags bear no marks."""
        return restore(reply, values.values(), self._tags)

    @property
    def _tags(self) -> Set[str]:
        return TAGS.union(self.head.variables)


def add_prompts(package: str) -> None:
    """Take in the templates that a package has in `prompts/METHOD/`, before a setting names one."""
    shelf = files(package) / "prompts"
    if shelf not in _SHELVES:
        _SHELVES.append(shelf)
        _shipped.cache_clear()


def load_prompt(name: str, folder: str = "", *, fenced: bool = True) -> Prompt:
    """The template of a name: the file in the user's folder, else the shipped one.

    Raises PromptError if there is none, if it is malformed, if a shipped one was altered, or if
    the user's declares other variables than the shipped versions. Without `fenced` the user's may
    lack tags around variables, and variables.
    """
    if folder and not Path(folder).is_dir():
        raise PromptError(f"there is no folder of prompts called {folder!r}")
    file = Path(folder, f"{name}.md")
    if not (folder and _NAME.fullmatch(name) and file.is_file()):
        return _load_shipped(name)
    try:
        own = parse_prompt(name, file.read_text(encoding="utf-8"), fenced=fenced)
        _check_variables(own, fenced=fenced)
    except PromptError as error:
        raise PromptError(f"{error}; look at {file}") from error
    return own


def _check_variables(own: Prompt, *, fenced: bool) -> None:
    """Raise PromptError unless its variables are a shipped version's; some, without `fenced`."""
    used = set(own.head.variables)
    shipped = [set(_load_shipped(name).head.variables) for name in versions(stem_of(own.name))]
    if used in shipped or (not fenced and used and used <= set().union(*shipped)):
        return
    choices = " or ".join(dict.fromkeys(str(sorted(each)) for each in shipped))
    raise PromptError(f"prompt {own.name} uses {sorted(used)}; it takes {choices}")


def stem_of(name: str) -> str:
    """A template's name without its version; a stem stays as it is.

    >>> stem_of("rac/generate.rag.v1")
    'rac/generate.rag'
    """
    return _VERSION.sub("", name)


def versions(stem: str, folder: str = "", *, shipped: bool = True) -> list[str]:
    """The names of all versions of a template, the oldest first: the user's and the shipped."""
    files_ = Path(folder).glob(f"{stem}.v*.md") if folder and _STEM.fullmatch(stem) else ()
    own = [f"{stem.rpartition('/')[0]}/{file.stem}" for file in files_]
    names = {*own, *(prompt_names() if shipped else ())}
    return sorted(
        (name for name in names if _NAME.fullmatch(name) and stem_of(name) == stem),
        key=lambda name: int(name.rpartition(".v")[2]),
    )


def prompt_names() -> list[str]:
    """The names of all templates of ours and of the packages that are imported, sorted."""
    return sorted(_shipped())


@cache
def _shipped() -> dict[str, Traversable]:
    """The file of each template, by its name; the first shelf that has one counts."""
    return {
        f"{folder.name}/{file.name.removesuffix('.md')}": file
        for shelf in reversed(_SHELVES)
        for folder in shelf.iterdir()
        if folder.is_dir()
        for file in folder.iterdir()
        if file.name.endswith(".md")
    }


def locked_digests(method: str) -> dict[str, str]:
    """The digests of a method's templates at their release, by template name."""
    locks = (shelf.joinpath(method, "prompts.lock") for shelf in _SHELVES)
    lock = next((file for file in locks if file.is_file()), None)
    return read_lock(lock.read_text(encoding="utf-8"), method) if lock else {}


def read_lock(text: str, method: str) -> dict[str, str]:
    """The digests in a lock's text, by template name."""
    lines = map(str.split, text.splitlines())
    return {f"{method}/{name}": digest for name, digest in lines}


@cache
def _load_shipped(name: str) -> Prompt:
    if name not in _shipped():
        raise PromptError(f"no prompt is called {name!r}; there are {', '.join(prompt_names())}")
    prompt = parse_prompt(name, _shipped()[name].read_text(encoding="utf-8"))
    locked = locked_digests(name.split("/", maxsplit=1)[0]).get(name)
    if prompt.digest != locked:
        raise PromptError(
            f"prompt {name} has digest {prompt.digest[:8]}, its lock says {str(locked)[:8]}: a "
            "released text never changes; put a better one beside it as the next version"
        )
    return prompt


def parse_prompt(name: str, text: str, *, fenced: bool = True) -> Prompt:
    """A template from the text of its file; without `fenced` its variables may lack their tags.

    Raises PromptError if the front matter is malformed or the body does not agree with it.
    """
    match = _FRONT_MATTER.match(text.replace("\r\n", "\n").replace("\r", "\n"))
    if not match:
        raise PromptError(
            f"prompt {name} has no front matter (source, contract, variables, reply) between two "
            "lines of ---"
        )
    try:
        head = FrontMatter.model_validate(yaml.safe_load(match["head"]))
    except yaml.YAMLError as error:
        raise PromptError(f"prompt {name}: the front matter is not YAML: {error}") from error
    except ValidationError as error:
        faults = "; ".join(
            f"{f['loc'][0] if f['loc'] else 'front matter'}: {f['msg']}" for f in error.errors()
        )
        raise PromptError(f"prompt {name}: {faults}") from error
    body = match["body"].strip("\n")
    _check_body(name, head, body, fenced=fenced)
    return Prompt(name, head, body, match["head"])


def _check_body(name: str, head: FrontMatter, body: str, *, fenced: bool) -> None:
    """Raise PromptError unless a body holds the declared variables, `fenced` once in their tags."""
    template = Template(body)
    used = set(template.get_identifiers())
    if not template.is_valid() or used != set(head.variables):
        declared = sorted(head.variables)
        raise PromptError(f"prompt {name} declares {declared} and uses {sorted(used)}")
    if not fenced:
        return
    bare = [tag for tag in sorted(used) if body.count(f"<{tag}>\n${tag}\n</{tag}>") != 1]
    if bare or len(template.pattern.findall(body)) != len(used):
        raise PromptError(
            f"prompt {name} must hold each variable once, alone on its line between tags of its "
            f"name; look at {bare or sorted(used)}"
        )
