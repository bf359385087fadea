"""A method's templates as one run uses them: which version, from which folder, with which edits."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from errata.core.errors import PromptError, SettingError
from errata.nodes.settings import Remote, describe_unknown, suggest
from errata.prompts.library import Prompt, load_prompt, stem_of, versions, with_body

EditablePrompt = Annotated[str, Remote.PROMPT]


def editable(name: str) -> Any:
    """A setting that holds a template's text, which Studio shows at its node for editing.

    Its version is the one that runs use unless they say otherwise; its contract describes it.
    """
    step, prompt = short_name(name).split(".")[0], load_prompt(name)
    extra: JsonDict = {"langgraph_type": "prompt", "langgraph_nodes": [step], "template": name}
    return Field(prompt.body, description=prompt.head.contract, json_schema_extra=extra)


@cache
def editable_templates(kind: type[BaseModel]) -> dict[str, str]:
    """The settings that hold a template's text, each with the name of the default version."""
    extras = {name: field.json_schema_extra for name, field in kind.model_fields.items()}
    return {
        name: str(extra["template"])
        for name, extra in extras.items()
        if isinstance(extra, dict) and "template" in extra
    }


def short_name(name: str) -> str:
    """A template's name without its method and version.

    >>> short_name("rac/generate.rag.v1")
    'generate.rag'
    """
    return stem_of(name).partition("/")[2]


@dataclass(frozen=True)
class Templates:
    """One run's templates; `defaults` and `edited` are by setting, `chosen` by short name."""

    method: str
    defaults: Mapping[str, str]
    """The version that is used if nothing else is said."""
    edited: Mapping[str, str]
    """The text in each setting, edited or not."""
    chosen: Mapping[str, str]
    """The versions that the run names."""
    folder: str
    fenced: bool
    """Whether each variable must stand between tags; in a paper's own prompts none does."""

    def check(self) -> None:
        """Refuse unknown templates, those of other steps, and what cannot be filled.

        Raises SettingError.
        """
        if self.folder and not Path(self.folder).is_dir():
            raise SettingError(f"prompt_folder: there is no folder called {self.folder!r}")
        stems = {short_name(name): stem_of(name) for name in self.defaults.values()}
        if fault := describe_unknown(self.chosen, stems, "prompt", self.method):
            raise SettingError(f"prompts: {fault}")
        for short, name in self.chosen.items():
            known = versions(stems[short], self.folder)
            if name not in known:
                raise SettingError(
                    f"prompts: {name!r} is no version of {stems[short]}; "
                    f"{suggest([name], known)}there are {', '.join(known)}"
                )
        for setting, name in self.defaults.items():
            try:
                self.find(stem_of(name))
            except PromptError as error:
                raise SettingError(f"{setting}: {error}") from error

    def find(self, name: str) -> Prompt:
        """A template by its stem, or one version by its full name; as the run edits it.

        Of a stem it is the version that the run names, the newest in its folder, or the default.
        Raises PromptError if there is none.
        """
        stem = stem_of(name)
        settings = {stem_of(default): setting for setting, default in self.defaults.items()}
        if stem not in settings:
            raise PromptError(f"{self.method} has no prompt {stem!r}; it has {', '.join(settings)}")
        default, text = self.defaults[settings[stem]], self.edited[settings[stem]].strip("\n")
        if name == stem:
            in_folder = versions(stem, self.folder, shipped=False)
            name = self.chosen.get(short_name(stem)) or [default, *in_folder][-1]
        prompt = load_prompt(name, self.folder, fenced=self.fenced)
        shipped = {load_prompt(each).body: each for each in versions(stem)}
        if not text or shipped.get(text) == default:
            return prompt
        if text in shipped:
            return load_prompt(shipped[text])
        return with_body(prompt, text, fenced=self.fenced)
