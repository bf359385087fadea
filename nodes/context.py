"""A run's settings: checked, with the models and templates that they name."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, Self

from pydantic import ValidationError

from errata.core.errors import PromptError, SettingError
from errata.nodes.deployment import Deployment, operators, variable_of
from errata.nodes.run_settings import RunSettings, Search
from errata.nodes.settings import (
    Published,
    choices,
    describe_unknown,
    fill,
    setting_error,
)
from errata.prompts.library import Prompt, load_prompt, prompt_names, stem_of, versions
from errata.tools.models.spec import LOCAL
from errata.tools.text.written import CiteStyle
from errata.tools.web.search import engine_for, name_of_engine


class Context(RunSettings):
    """The settings that all methods share, a caller's; JSON-able unless a field holds an object."""

    cite: CiteStyle = ""
    """Mark sentences whose claims are all supported with the sources of their quotes, listed below:
    by `numbers`, `footnotes`, or `links` to the very words."""

    PAPER: ClassVar[tuple[Published, ...]] = ()
    """The settings of the published form, each with the place in the paper that states it."""
    PROMPTS: ClassVar[tuple[str, ...]] = ()
    """The methods whose templates this one uses beside its own."""

    def __init__(self, deployment: Deployment | None = None, /, **settings: Any) -> None:
        """Take a caller's settings by name, also from a graph's caller; a preset fills in others.

        The deployment is the environment's unless another is given. Raises SettingError naming each
        setting that is wrong, or unknown, with the closest that there are.
        """
        if fault := self.unknown_fault(settings):
            raise SettingError(fault)
        preset = self.preset(settings)
        filled = fill(choices(settings, preset, type(self)), preset)
        theirs = {name: filled.pop(name) for name in operators(filled)}
        try:
            super().__init__(**filled)
        except ValidationError as error:
            raise setting_error(self.method_name(), settings, error) from error
        deployment = deployment or self.deployment
        left = theirs.keys() - deployment.model_fields_set
        self._deployment = deployment.changed(**{name: theirs[name] for name in left})
        self.check()

    @classmethod
    def of(
        cls,
        settings: Mapping[str, Any],
        deployment: Deployment | None = None,
        others: Collection[str] = (),
    ) -> Self:
        """A context from settings of both classes, for whoever is the caller and the operator.

        Those in `settings` count over the deployment's; `others` are names that may have been
        meant. Raises SettingError as both classes do.
        """
        theirs = {name: settings[name] for name in operators(settings)}
        own = {name: value for name, value in settings.items() if name not in theirs}
        if fault := cls.unknown_fault(own, others):
            raise SettingError(fault)
        return cls((deployment or Deployment()).changed(**theirs), **own)

    @classmethod
    def preset(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that a run's profile fills in where the run does not."""
        profile = settings.get("profile")
        if profile == "extractive":
            revising = [role for role in cls.ROLES if role in ("correct", "revise")]
            writing = revising or [role for role in cls.ROLES if role == "generate"]
            return {"roles": dict.fromkeys(writing, LOCAL)}
        if profile != "paper":
            return {}
        first = {short: versions(stem)[0] for short, stem in cls.templates().items()}
        return fill({each.setting: each.value for each in cls.PAPER}, {"prompts": first})

    def check(self) -> None:
        """Refuse unknown roles, models, templates and prices before anything runs."""
        for setting, names in (("roles", {*self.roles}), ("sampling", {*self.sampling} - {""})):
            if fault := describe_unknown(names, self.ROLES, "role", self.method_name()):
                raise SettingError(f"{setting}: {fault}")
        for role, spec in {"": self.model, **self.roles}.items():
            self.check_spec(role, spec)
        self._check_templates()
        if self.max_money is not None:
            self.check_prices()

    @classmethod
    def unknown_fault(cls, names: Iterable[str], others: Collection[str] = ()) -> str:
        """Which names are no caller's settings, with the closest and `others`; empty if none."""
        method, known, names = cls.method_name(), cls.model_fields, [*names]
        if theirs := operators(names):
            return (
                f"{method}: {', '.join(theirs)}: the operator's to set, by "
                f"{variable_of(theirs[0])}, in errata.toml, or by Deployment({theirs[0]}=…)"
            )
        listing = f"docs/settings.md lists all {len(known)}, --help those with an option"
        meant = (*others, *Deployment.model_fields)
        return describe_unknown(names, known, "setting", method, meant, listing)

    @classmethod
    def method_name(cls) -> str:
        """The method whose settings these are: `rac` for RacContext."""
        return cls.__name__.removesuffix("Context").lower()

    @classmethod
    @cache
    def templates(cls) -> dict[str, str]:
        """The stems of the method's templates, by their names without the method."""
        methods = (*reversed(cls.PROMPTS), cls.method_name())
        names = (n for each in methods for n in prompt_names() if n.startswith(f"{each}/"))
        return {stem.partition("/")[2]: stem for stem in map(stem_of, names)}

    def _check_templates(self) -> None:
        """Refuse unknown templates, those of other steps, and what cannot be filled."""
        stems = self.templates()
        if fault := describe_unknown(self.prompts, stems, "prompt", self.method_name()):
            raise SettingError(f"prompts: {fault}")
        for short, name in self.prompts.items():
            known = versions(stems[short], self.deployment.prompt_folder)
            if fault := describe_unknown([name], known, "version", stems[short]):
                raise SettingError(f"prompts: {fault}")
        for short, stem in stems.items():
            try:
                self.template(stem)
            except PromptError as error:
                raise SettingError(f"prompts.{short}: {error}") from error

    def wording(self, name: str) -> Prompt:
        """A prompt of questions for decision models, by its name; raises PromptError."""
        return load_prompt(name, self.deployment.prompt_folder)

    def template(self, name: str) -> Prompt:
        """A template by its stem, `rac/verify`, or a version by its name.

        Of a stem it is the version that the run names, the newest in its folder, or the newest.
        In a paper's own prompts variables need not stand between tags. Raises PromptError if there
        is none.
        """
        stem, folder = stem_of(name), self.deployment.prompt_folder
        if stem not in (stems := self.templates().values()):
            method = self.method_name()
            raise PromptError(f"{method} has no prompt {stem!r}; it has {', '.join(stems)}")
        if name == stem:
            known = versions(stem, folder, shipped=False) or versions(stem)
            name = self.prompts.get(stem.partition("/")[2]) or known[-1]
        return load_prompt(name, folder, fenced=self.profile != "paper")


class SearchContext(Context):
    """The settings of web search."""

    search: Search = "none"
    """The search engine: `none`, `serpapi`, `serper`, `searxng`, `wikipedia`, `corpus:DIR`; in
    Python any LangChain retriever, search wrapper or tool."""

    def check(self) -> None:
        """Refuse an unknown engine, too."""
        super().check()
        if self.search != "none":
            engine_for(self.search)

    @property
    def engine(self) -> str:
        """What the search engine is called."""
        return name_of_engine(self.search)
