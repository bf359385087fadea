"""A run's settings: checked, with the models and templates that they name."""

from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, TypeGuard

from langchain_core.language_models import BaseChatModel
from pydantic import ValidationError

from errata.core.errors import PromptError, SettingError
from errata.nodes.deployment import Deployment, operators, variable_of
from errata.nodes.run_settings import Filler, RunSettings, Search
from errata.nodes.settings import (
    Flag,
    Published,
    choices,
    describe_unknown,
    fill,
    in_use_order,
    setting_error,
    settings_of,
    short_name,
    suggest,
)
from errata.prompts.library import (
    Prompt,
    load_prompt,
    prompt_names,
    stem_of,
    versions,
    with_body,
)
from errata.tools.judges.evaluator import Evaluator
from errata.tools.models.chat import endpoint_for
from errata.tools.models.pool import check_model, current_models
from errata.tools.models.recordings import ReplayChat
from errata.tools.models.sampling import Sampling
from errata.tools.models.spec import (
    HUB,
    LOCAL,
    is_decider,
    is_local,
    name_of,
    split_cascade,
    split_models,
)
from errata.tools.text.written import CiteStyle
from errata.tools.web.engines import engine_for, name_of_engine
from errata.tools.web.search import SearchCache


class Context(RunSettings):
    """The settings that all methods share, a caller's; JSON-able unless a field holds an object."""

    cite: Annotated[CiteStyle, Flag(check=False)] = ""
    """Mark each sentence of the response whose claims are all supported with the sources of their
    quotes, and list these below: by `numbers`, `footnotes`, or `links` to the very words."""

    ROLES: ClassVar[tuple[str, ...]] = ()
    """The steps that a model or local code may fill."""
    COMMAND: ClassVar[str] = "correct"
    """The command that takes these settings."""
    CASCADES: ClassVar[tuple[str, ...]] = ()
    """The roles that may be shared: `local>PROVIDER:MODEL`, `local>hub:ID`, `hub:ID>…`."""
    DECIDED: ClassVar[tuple[str, ...]] = ("verify", "evaluate")
    """The roles that a decision model may fill."""
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
        """Refuse unknown roles, fillers, templates and prices before anything runs."""
        for setting, names in (("roles", {*self.roles}), ("sampling", {*self.sampling} - {""})):
            if unknown := sorted(names - {*self.ROLES}):
                raise SettingError(
                    f"{setting}: no role is called {', '.join(map(repr, unknown))}; "
                    f"{suggest(unknown, self.ROLES)}this method has {', '.join(self.ROLES)}"
                )
        for role, spec in {"": self.model, **self.roles}.items():
            self.check_filler(role, spec)
        self._check_templates()
        if self.max_money is not None:
            self.check_prices()

    def check_prices(self) -> None:
        """Refuse models and a search engine without a price, whose money no limit could count.

        Raises SettingError.
        """
        prices = self.deployment.price_list
        for role in self.ROLES:
            for model in (*self.deciders(role), *self.deciders(role, 1), *self.models_named(role)):
                prices.check_model(model)
        prices.check_search(getattr(self, "engine", "none"))

    @classmethod
    def unknown_fault(cls, names: Iterable[str], others: Collection[str] = ()) -> str:
        """Which of the names are no caller's settings, with the closest ones; empty if all are.

        `others` are names that may have been meant, though they are no settings.
        """
        method, known, names = cls.method_name(), cls.model_fields, [*names]
        if theirs := operators(names):
            return (
                f"{method}: {', '.join(theirs)}: the operator's to set, by "
                f"{variable_of(theirs[0])}, in errata.toml, or by Deployment({theirs[0]}=…)"
            )
        listing = (
            f"docs/settings.md lists all {len(known)}, `errata {cls.COMMAND} --help` those with "
            "an option"
        )
        meant = (*others, *Deployment.model_fields)
        return describe_unknown(names, known, "setting", method, meant, listing)

    @classmethod
    def method_name(cls) -> str:
        """The method whose settings these are: `rac` for RacContext."""
        return cls.__name__.removesuffix("Context").lower()

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The settings' JSON schema; made once, for a server asks for it at every run."""
        if args or kwargs:
            return super().model_json_schema(*args, **kwargs)
        return deepcopy(_schema(cls))

    @classmethod
    def templates(cls) -> dict[str, str]:
        """The stems of the method's templates, by their names without the method."""
        return _templates(cls)

    def check_filler(self, role: str, spec: Filler) -> None:
        """Refuse what cannot fill a role; the role "" stands for all roles.

        Raises SettingError.
        """
        if isinstance(spec, Evaluator) and not isinstance(spec, BaseChatModel):
            raise SettingError(f"an evaluator cannot fill the role {role!r}")
        first, second = split_cascade(spec)
        is_last = is_local(second) and not _is_hub(second)
        judges = is_local(first) or is_decider(first)
        if second and (role not in self.CASCADES or not judges or is_last):
            raise SettingError(
                f"{role or 'model'}={spec!r}: only {', '.join(self.CASCADES) or 'no role'} may be "
                "shared, by local code, a checkpoint or a decision model first, and one of these "
                "two or a model after it: local>PROVIDER:MODEL, local>decisions:MODEL, "
                "hub:ID_OR_FOLDER>PROVIDER:MODEL"
            )
        if (is_decider(first) or is_decider(second)) and role not in self.DECIDED:
            known = [name for name in self.DECIDED if name in self.ROLES]
            raise SettingError(
                f"{role or 'model'}={spec!r}: a decision model writes nothing; it can fill "
                f"{' and '.join(known) or 'no role'} alone: "
                f"--role {[*known, 'verify'][0]}=decisions:MODEL"
            )
        if (_is_hub(first) or _is_hub(second)) and role != "verify":
            raise SettingError(
                f"{role or 'model'}={spec!r}: a checkpoint of a hub can only verify, and evaluate"
            )
        for each in (first, second) if second else (first,):
            for model in () if self.deployment.replay or is_local(each) else split_models(each):
                check_model(model)

    def _check_templates(self) -> None:
        """Refuse unknown templates, those of other steps, and what cannot be filled."""
        stems = self.templates()
        if fault := describe_unknown(self.prompts, stems, "prompt", self.method_name()):
            raise SettingError(f"prompts: {fault}")
        for short, name in self.prompts.items():
            known = versions(stems[short], self.prompt_folder)
            if name not in known:
                raise SettingError(
                    f"prompts: {name!r} is no version of {stems[short]}; "
                    f"{suggest([name], known)}there are {', '.join(known)}"
                )
        for short, stem in stems.items():
            try:
                self.template(stem)
            except PromptError as error:
                raise SettingError(f"{text_setting(short)}: {error}") from error

    @property
    def prompt_folder(self) -> str:
        """The operator's folder of templates."""
        return self.deployment.prompt_folder

    def template(self, name: str) -> Prompt:
        """A template by its stem, `rac/verify`, or a version by its name; as the run edits it.

        Of a stem it is the version that the run names, the newest in its folder, or the newest.
        In a paper's own prompts variables need not stand between tags. Raises PromptError if there
        is none.
        """
        stem, fenced = stem_of(name), self.profile != "paper"
        if stem not in (stems := self.templates().values()):
            method = self.method_name()
            raise PromptError(f"{method} has no prompt {stem!r}; it has {', '.join(stems)}")
        names = versions(stem)
        if name == stem:
            in_folder = versions(stem, self.prompt_folder, shipped=False)
            name = self.prompts.get(short_name(stem)) or [*names, *in_folder][-1]
        prompt = load_prompt(name, self.prompt_folder, fenced=fenced)
        text = getattr(self, text_setting(short_name(stem)), "").strip("\n")
        shipped = {load_prompt(each).body: each for each in names}
        if not text or shipped.get(text) == names[-1]:
            return prompt
        if text in shipped:
            return load_prompt(shipped[text])
        return with_body(prompt, text, fenced=fenced)

    def sampling_for(self, role: str) -> Sampling:
        """How the model in a role is to choose its words."""
        every = self.sampling.get("", Sampling())
        return self.sampling.get(role, every).over(every)

    def _fillers(self, role: str) -> tuple[Any, Any]:
        """What fills a role, and what takes its unsure cases; that is empty without a cascade."""
        return split_cascade(self.roles.get(role, self.model))

    def weights(self, role: str) -> str:
        """The file that a role's `local:WEIGHTS` names; empty for the shipped weights."""
        first, _ = self._fillers(role)
        is_ours = isinstance(first, str) and is_local(first) and not _is_hub(first)
        return first.partition(":")[2] if is_ours else ""

    def checkpoint(self, role: str, place: Literal[0, 1] = 0) -> str:
        """The published checkpoint that a role's `hub:SOURCE` names; empty without one.

        Place 1 is the second of a cascade.
        """
        spec = self._fillers(role)[place]
        return spec.partition(":")[2] if _is_hub(spec) else ""

    def models_named(self, role: str) -> tuple[Any, ...]:
        """What names the chat models that fill a role, in order; none for what judges alone."""
        first, second = self._fillers(role)
        last = second or first
        return () if is_local(last) or is_decider(last) else split_models(last)

    def deciders(self, role: str, place: Literal[0, 1] = 0) -> tuple[Any, ...]:
        """What names the decision models that fill a role, in order; none for others.

        Place 1 is the second of a cascade.
        """
        spec = self._fillers(role)[place]
        return split_models(spec) if is_decider(spec) else ()

    def sole_deciders(self, role: str) -> tuple[Any, ...]:
        """What names the decision models that fill a role and pass no case on."""
        return () if self.cascades(role) else self.deciders(role)

    def models_for(self, role: str) -> tuple[BaseChatModel, ...]:
        """The models that fill a role in the running event loop, in the order of asking."""
        return self.open(self.models_named(role))

    def open(self, specs: Iterable[Any]) -> tuple[BaseChatModel, ...]:
        """The models that specs name, in the running event loop."""
        deployment = self.deployment
        if deployment.replay:
            names = (spec if isinstance(spec, str) else name_of(spec) for spec in specs)
            return tuple(ReplayChat(file=deployment.replay, name=name) for name in names)
        return tuple(current_models().open(spec, deployment.limits) for spec in specs)

    def model_for(self, role: str) -> BaseChatModel | None:
        """The model that is asked first in a role; None for local code."""
        return next(iter(self.models_for(role)), None)

    def by_model(self, role: str) -> bool:
        """Whether a model alone fills a role, or is consulted in it."""
        return bool(self.models_named(role))

    def cascades(self, role: str) -> bool:
        """Whether local code, or a checkpoint, passes its unsure cases on."""
        return bool(self._fillers(role)[1])

    def passes_on(self, role: str) -> bool:
        """Whether a checkpoint or a decision model takes a role's unsure cases."""
        return bool(self.checkpoint(role, 1) or self.deciders(role, 1))

    def seconds_refused(self) -> float:
        """For how many seconds some role can ask none of its models, since their servers are down.

        0 if every role can go on. To be asked in the event loop of the runs.
        """
        filled, limits = filter(None, map(self.models_for, self.ROLES)), self.deployment.limits
        waits = (
            min(endpoint_for(model).seconds_refused(limits) for model in models)
            for models in filled
        )
        return max(waits, default=0.0)


def text_setting(short: str) -> str:
    """The setting that holds a template's text, by its name without method and version.

    >>> text_setting("generate.rag")
    'generate_rag_prompt'
    """
    return f"{short.replace('.', '_')}_prompt"


def _is_hub(spec: object) -> TypeGuard[str]:
    return isinstance(spec, str) and spec.partition(":")[0] == HUB


@cache
def _schema(kind: type[Context]) -> dict[str, Any]:
    schema = super(Context, kind).model_json_schema()
    fields = schema["properties"]  # Studio's form has one order, and no groups but those at nodes
    return {**schema, "properties": {name: fields[name] for name in in_use_order(kind)}}


@cache
def _templates(kind: type[Context]) -> dict[str, str]:
    names = [each.template for each in settings_of(kind) if each.template]
    for method in (kind.method_name(), *kind.PROMPTS):
        names += [name for name in prompt_names() if name.startswith(f"{method}/")]
    return {short_name(name): stem_of(name) for name in reversed(names)}


class SearchContext(Context):
    """The settings of web search."""

    search: Annotated[Search, Flag()] = "none"
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

    @property
    def cache(self) -> SearchCache:
        """Where results are kept, but of objects: one name may stand for several."""
        return self.deployment.searches if isinstance(self.search, str) else SearchCache()
