"""The one registry of methods: our own, and those that other packages announce.

A package announces a method by an entry point of the group `errata.methods`, whose value is where
its `Method` stands: `selfcheck = "errata_example_method:method"`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from errata.core.errors import SettingError
from errata.core.records import Answer, Correction

if TYPE_CHECKING:
    from errata.nodes.state import Method

Result = Correction | Answer
GROUP = "errata.methods"
CORRECTING = ("rac", "reex", "cite", "errata")
ANSWERING = ("crag",)
# Not read from our package's metadata, which in a clone may be older than the code.
_OWN = {name: f"errata.graphs.{name}:method" for name in (*CORRECTING, *ANSWERING)}


@cache
def _places() -> Mapping[str, str]:
    """Where each method is declared, ours first; other packages cannot replace ours."""
    announced = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    return _OWN | {name: announced[name] for name in sorted(announced.keys() - _OWN.keys())}


class Methods(Mapping[str, "Method"]):
    """All methods by name; each is imported when it is first asked for, and no other with it."""

    def __getitem__(self, name: str) -> "Method":
        """The method of a name; raises KeyError, SettingError if an announced one does not load."""
        place = _OWN[name] if name in _OWN else _places()[name]
        return _load(name, place)

    def __contains__(self, name: object) -> bool:
        """Whether a method has that name."""
        return name in _OWN or name in _places()

    def __iter__(self) -> Iterator[str]:
        """The names, ours first."""
        return iter(_places())

    def __len__(self) -> int:
        """How many methods there are."""
        return len(_places())


METHODS = Methods()


@cache
def _load(name: str, place: str) -> "Method":
    from errata.nodes.state import Method

    module, _, attribute = place.partition(":")
    try:
        method = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        if name in _OWN:
            raise
        raise SettingError(f"the method {name!r} at {place} does not load: {error}") from error
    if not isinstance(method, Method) or method.name != name:
        raise SettingError(f"{place} is announced as the method {name!r} and declares none")
    return method


def module_of(name: str) -> str:
    """The name of the module that declares a method."""
    return _places()[name].partition(":")[0]


def method_named(name: str) -> "Method":
    """A method by its name; raises SettingError naming the methods if there is none."""
    if name not in METHODS:
        from errata.nodes.settings import suggest

        there_is = f"{suggest([name], METHODS)}there is {', '.join(METHODS)}"
        raise SettingError(f"no method is called {name!r}; {there_is}")
    return METHODS[name]
