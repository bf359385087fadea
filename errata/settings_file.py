"""Settings in a file: `errata.toml`, or `[tool.errata]` in `pyproject.toml`."""

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from errata.core.errors import ErrataError, InputError, SettingError
from errata.methods import METHODS, method_named
from errata.nodes.settings import fill

if TYPE_CHECKING:
    from errata.nodes.context import Context

OWN, PROJECT = "errata.toml", "pyproject.toml"
TABLE = re.compile(r"^\s*\[tool\.errata[].]", re.MULTILINE)
"""Where our part of a `pyproject.toml` begins."""
PLACES = "corpus prompt_folder record replay prices call_cache page_cache".split()
"""The settings that name files and folders, which are looked for from the file's folder."""


@dataclass(frozen=True)
class SettingsFile:
    """A file's settings: of all methods, and those in sections of single methods."""

    path: Path
    text: str
    shared: Mapping[str, Any]
    sections: Mapping[str, Mapping[str, Any]]

    def __str__(self) -> str:
        """The names of the settings, those of single methods after the method's."""
        own = (f"{name}.{each}" for name, section in self.sections.items() for each in section)
        return ", ".join([*self.shared, *own]) or "nothing set"

    @classmethod
    def read(cls, path: Path) -> Self:
        """The settings of a file.

        Raises InputError if it cannot be read, SettingError if it is not of the form.
        """
        try:
            text = path.read_text(encoding="utf-8")
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise SettingError(f"{shown(path)}: {error}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read {shown(path)}: {error}") from error
        if path.name == PROJECT:
            data = data.get("tool", {}).get("errata", {})
        if not isinstance(data, dict):
            raise SettingError(f"{shown(path)}: tool.errata is no section of settings")
        sections = {name: data.pop(name) for name in [*data] if name in METHODS}
        for name, section in sections.items():
            if not isinstance(section, dict):
                raise SettingError(
                    f"{shown(path)}: {name} is a method: write [{name}] above its settings"
                )
        return cls(path, text, data, sections)

    @classmethod
    def found(cls, folder: Path) -> Self | None:
        """The nearest file in a folder or one above it; None if there is none."""
        for each in (folder, *folder.parents):
            project = each / PROJECT
            with suppress(PermissionError):
                if (each / OWN).is_file():
                    return cls.read(each / OWN)
                if project.is_file() and TABLE.search(project.read_text("utf-8", "replace")):
                    return cls.read(project)
        return None

    def settings_for(
        self, method: str, given: Mapping[str, Any], without: Collection[str] = ()
    ) -> dict[str, Any]:
        """The `given` settings, completed by the file's; mappings are merged key by key.

        Settings that only other methods have are left out, and those in `without`. Raises
        SettingError naming the file and a line for what is unknown or wrong.
        """
        from errata.nodes.deployment import Deployment

        kind, own = method_named(method).context, self.sections.get(method, {})
        told = {**share_of(kind, self.shared), **own}
        known = kind.model_fields | Deployment.model_fields
        if fault := kind.unknown_fault([name for name in told if name not in known]):
            raise self._fault(fault, [*own, *told])
        said = {name: value for name, value in told.items() if name not in without}
        said |= {name: self._place(said[name]) for name in PLACES if name in said}
        merged = fill(given, said)
        try:
            kind.of({name: value for name, value in merged.items() if name in known})
        except ErrataError as error:
            ours = [name for name in said.keys() - given.keys() if name in str(error)]
            raise (self._fault(str(error), ours) if ours else error) from error
        return merged

    def _place(self, value: object) -> object:
        """A file or folder from the file's own folder; addresses and wrong values as they are."""
        is_path = isinstance(value, str) and value and ":" not in value
        return str(self.path.parent / str(value)) if is_path else value

    def _fault(self, fault: str, names: Collection[str]) -> SettingError:
        """A fault after the file's name, with the line of the setting that it names, if any."""
        patterns = (rf"\b{re.escape(name)}\b" for name in names)
        named = next((pattern for pattern in patterns if re.search(pattern, fault)), "")
        begins = TABLE.search(self.text) if self.path.name == PROJECT else None
        setting = re.compile(rf"^\s*(?:\[.*)?{named}", re.MULTILINE)
        found = setting.search(self.text, begins.start() if begins else 0) if named else None
        line = f":{self.text.count(chr(10), 0, found.end()) + 1}" if found else ""
        return SettingError(f"{shown(self.path)}{line}: {fault}")


def share_of(kind: "type[Context]", settings: Mapping[str, Any]) -> dict[str, Any]:
    """Of the settings of all methods, all but those, and the roles, that only other methods have.

    What no method has is kept, for its fault.
    """
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
