"""What a setting is to a command line, a server and a paper; which templates a run uses."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from errata.core.errors import ErrataError, SettingError

_MOST, _LONGEST = 5, 50
"""How many unknown names a message repeats, and how many characters of each."""


@dataclass(frozen=True)
class Capped:
    """A setting that a server's caller may lower from its default, not raise."""


class Setting(NamedTuple):
    """A field of settings with what a server makes of it."""

    name: str
    field: FieldInfo
    capped: bool

    @property
    def default(self) -> Any:
        """The value where nobody sets one."""
        return self.field.get_default(call_default_factory=True)


def list_settings(kind: type[BaseModel]) -> Iterator[Setting]:
    """Every setting of a class, in the order of its fields."""
    for name, field in kind.model_fields.items():
        yield Setting(name, field, Capped() in field.metadata)


def describe_unknown(
    names: Iterable[str],
    known: Collection[str],
    kind: str,
    owner: str,
    others: Collection[str] = (),
    listing: str = "",
) -> str:
    """Which names are not known, with the closest that are; empty if all are known.

    `others` are names that may have been meant, though they are of another kind; `listing` says
    where all known ones are listed, if they are too many to repeat.
    """
    strangers = dict.fromkeys(name for name in names if name not in known)
    unknown = sorted(name[:_LONGEST] for name in islice(strangers, _MOST))
    if not unknown:
        return ""
    meant = suggest(unknown, (*known, *others))
    if listing and not meant:
        meant = f"the nearest are {_quoted(get_close_matches(unknown[0], known, 3, 0))}; "
    listed = listing or f"it has {', '.join(known)}"
    return f"{owner} has no {kind} {_quoted(unknown)}; {meant}{listed}"


def suggest(names: Iterable[str], known: Collection[str]) -> str:
    """The known names that were probably meant, as a question; empty if none is close.

    >>> suggest(["unsuported"], ["unsupported", "rag"])
    "did you mean 'unsupported'? "
    """
    close = [match for name in names for match in get_close_matches(name, known, 1)]
    return f"did you mean {_quoted(close)}? " if close else ""


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


class Published(NamedTuple):
    """A setting's value in the published form."""

    setting: str
    value: Any
    source: str
    """The section or table of the paper."""


def fill(settings: Mapping[str, Any], preset: Mapping[str, Any]) -> dict[str, Any]:
    """The settings, and a preset's values where they say nothing; mappings are filled key by key.

    >>> fill({"guard": True}, {"guard": False, "top_k": 10})
    {'guard': True, 'top_k': 10}
    """
    filled = {**preset, **settings}
    for name in preset.keys() & settings.keys():
        if isinstance(preset[name], Mapping) and isinstance(settings[name], Mapping):
            filled[name] = {**preset[name], **settings[name]}
    return filled


def choices(
    settings: Mapping[str, Any], preset: Mapping[str, Any], kind: type[BaseModel]
) -> dict[str, Any]:
    """What a run chose itself of what a preset fills in: of a form with all settings, changes."""
    defaults = {setting.name: setting.default for setting in list_settings(kind)}
    if not preset or any(n not in settings for n in preset if defaults.get(n) is not None):
        return dict(settings)

    def as_json(value: object) -> object:
        return list(value) if isinstance(value, tuple) else value

    return {n: x for n, x in settings.items() if as_json(x) != as_json(defaults.get(n))}


def role_of(template: str) -> str:
    """The role of the models that are asked by a template.

    >>> role_of("rac/generate.rag.v1")
    'generate'
    """
    return template.partition("/")[2].partition(".")[0]


def setting_error(method: str, settings: Mapping[str, Any], error: ValidationError) -> ErrataError:
    """Our own error where a validator raised one, else every fault by its path, in words."""
    wanted: dict[str, list[str]] = {}
    for fault in error.errors(include_url=False):
        ours = fault.get("ctx", {}).get("error")
        if isinstance(ours, ErrataError):
            return ours
        value, path = dict[Any, Any](settings), list[str]()
        for part in fault["loc"]:
            try:
                value = value[part]
            except (LookupError, TypeError):
                break
            path.append(str(part))
        message = fault["msg"].replace("Input should be", "be", 1)
        wanted.setdefault(f"{'.'.join(path)}={value!r}", []).append(message)
    words = [f"{p.partition('=')[0]} must {' or '.join(m)}; got {p}" for p, m in wanted.items()]
    return SettingError(f"{method}: {'. '.join(words)}")
