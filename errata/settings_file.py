"""Settings in a file: `errata.toml`."""

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from errata.auto import AUTO
from errata.core.errors import ErrataError, InputError, SettingError
from errata.methods import METHODS, method_named
from errata.nodes.context import Context
from errata.nodes.deployment import Deployment
from errata.nodes.settings import fill

NAME = "errata.toml"
PLACES = "corpus prompt_folder record replay prices call_cache page_cache".split()
"""The settings that name files and folders, which are looked for from the file's folder."""


@dataclass(frozen=True)
class SettingsFile:
    """A file's settings."""

    path: Path
    settings: Mapping[str, Any]

    @classmethod
    def read(cls, path: Path) -> Self:
        """The settings of a file; raises InputError or SettingError if it cannot be read."""
        try:
            return cls(path, tomllib.loads(path.read_text(encoding="utf-8")))
        except tomllib.TOMLDecodeError as error:
            raise SettingError(f"{shown(path)}: {error}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read {shown(path)}: {error}") from error

    @classmethod
    def found(cls, folder: Path) -> Self | None:
        """The nearest file in a folder or one above it; None if there is none."""
        places = (each / NAME for each in (folder, *folder.parents))
        path = next((each for each in places if os.access(each, os.R_OK)), None)
        return cls.read(path) if path else None

    def settings_for(
        self, method: str, given: Mapping[str, Any], without: Collection[str] = ()
    ) -> dict[str, Any]:
        """The `given` settings, completed by the file's; mappings are merged key by key.

        Settings that only other methods have are left out, and those in `without`. Raises
        SettingError naming the file for what is unknown or wrong in it.
        """
        kind = method_named(method).context
        said = {n: v for n, v in settings_of(kind, self.settings).items() if n not in without}
        said |= {name: self._place(said[name]) for name in PLACES if name in said}
        merged = fill(given, said)
        known = kind.model_fields.keys() | Deployment.model_fields.keys() | said.keys()
        try:
            kind.of({n: value for n, value in merged.items() if n in known and value != AUTO})
        except ErrataError as error:
            if any(name in str(error) for name in said.keys() - given.keys()):
                raise SettingError(f"{shown(self.path)}: {error}") from error
            raise
        return merged

    def write(self, name: str, value: str) -> str:
        """Set a setting of all methods; the line that says so. Raises InputError, SettingError."""
        line = f'{name} = "{value}"'
        text = self.path.read_text("utf-8") if self.path.exists() else ""
        head, *sections = re.split(r"^(?=\[)", text, maxsplit=1, flags=re.MULTILINE)
        kept = re.sub(rf"^{name}\s*=.*\n?", "", head, flags=re.MULTILINE)
        new = "".join([f"{line}\n", kept, *sections])
        try:
            type(self)(self.path, tomllib.loads(new)).settings_for("rac", {})
            self.path.write_text(new, "utf-8")
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise InputError(f"cannot write {line} to {shown(self.path)}: {error}") from error
        return line

    def _place(self, value: object) -> object:
        """A file or folder from the file's own folder; addresses and wrong values as they are."""
        is_path = isinstance(value, str) and value and ":" not in value
        return str(self.path.parent / str(value)) if is_path else value


def settings_of(kind: type[Context], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings and roles without those that only other methods have; what none has is kept."""
    kinds = [method.context for method in METHODS.values()]
    others = {n for each in kinds for n in each.model_fields} - kind.model_fields.keys()
    shared = {name: value for name, value in settings.items() if name not in others}
    if isinstance(roles := shared.get("roles"), dict):
        strange = {role for each in kinds for role in each.ROLES} - {*kind.ROLES}
        shared["roles"] = {role: x for role, x in roles.items() if role not in strange}
    return shared


def shown(path: Path) -> str:
    """A path as seen from the working directory."""
    return os.path.relpath(path)
