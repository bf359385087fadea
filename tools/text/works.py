"""A work as text names it, by its authors and its year: `Smith and Jones, 2020`."""

import re
from dataclasses import dataclass
from functools import cached_property

from errata.tools.text.entities import MONTHS
from errata.tools.text.words import PREPOSITIONS

YEAR = r"(?:1[5-9]|20)\d\d[a-z]?|n\.d\.|forthcoming"
URL = re.compile(r"(?:https?://|www\.)(?:[^\s<>\"\[\]|()]|\([^\s<>()]*\))+")
_NO_AUTHOR = (
    f"{PREPOSITIONS}|till|circa|c|ca|early|late|mid|spring|summer|autumn|fall|winter|born|died|b|d"
    f"|r|fl|est|founded|{'|'.join(MONTHS)}"
)  # with what a year stands that is no author's
_WORK = re.compile(
    rf"\s*(?:(?:see(?: also)?|cf\.?|e\.g\.,?|but see|in) )?(?!(?:{_NO_AUTHOR})\b)"
    rf"(?=[^\d;]*[^\W\d_])(?P<authors>[^\d;]+?)"
    rf",? \(?(?P<years>(?:{YEAR})(?:, ?(?:{YEAR}))*)\)?(?:[,:] ?[^;]*)?\s*",
    re.IGNORECASE,
)
_AND = re.compile(r",? (?:and|&) |, |;|,? et al\.?,?")
_INITIAL = re.compile(r"\b(?:[^\W\d_]\.[ -]?)+")


@dataclass(frozen=True)
class Work:
    """A work as text names it: `Smith and Jones, 2020`."""

    authors: str
    year: str

    @cached_property
    def names(self) -> list[str]:
        """The authors' names, in order."""
        return [name.strip() for name in _AND.split(self.authors) if name.strip()]

    @cached_property
    def first(self) -> list[str]:
        """The words of the first author's name."""
        return slug(self.names[0]).split("-") if self.names else []

    @property
    def is_several(self) -> bool:
        """Whether it has more authors than one."""
        return len(self.names) > 1 or "et al" in self.authors

    @property
    def key(self) -> str:
        """The first author and the year, as "smith-2020"."""
        return f"{'-'.join(self.first)}-{self.year}"

    def missing_in(self, own: "Work") -> int:
        """How many of the authors after the first another naming of it lacks."""
        words = {*slug(own.authors).split("-")}
        return sum(words.isdisjoint(slug(name).split("-")) for name in self.names[1:])


def slug(words: str) -> str:
    """The words in small letters, joined by hyphens."""
    return "-".join(re.findall(r"[^\W_]+", words.replace("'", "").replace("’", "").lower()))


def read_works(text: str) -> list[Work]:
    """The works of `A and B, 2020; C et al., 2019a, 2021, p. 4`; none if it is anything else."""
    found = [_WORK.fullmatch(part) for part in text.split(";")]
    if not all(found):
        return []
    return [Work(m["authors"], y) for m in found if m for y in re.findall(YEAR, m["years"])]


def read_entry_work(text: str) -> Work | None:
    """The authors and the year with which an entry of a list of references begins."""
    plain = URL.sub("", text)
    if dated := re.match(rf"(?P<authors>[^()]{{2,200}}?)\s*\((?P<year>{YEAR})[^()]*\)", plain):
        return Work(_named(dated["authors"]), dated["year"])
    end = re.search(r"(?<![A-Z])(?<! [A-Z]\.)\.\s|[\"“]", plain)
    years = re.findall(rf"\b({YEAR})\b", plain)
    is_dated = end and years and plain[:1].isupper()
    authors = re.sub(rf",? (?:{YEAR})(?:: .*)?\Z", "", plain[: end.start()]) if end else ""
    return Work(_named(authors), years[-1]) if is_dated else None


def _named(authors: str) -> str:
    """Authors without initials: `Marwood, I. and Dyce, C.` as `Marwood and Dyce`."""
    return re.sub(r"(?:,\s*)?,(?=\s*(?:and|&|$))", "", _INITIAL.sub("", authors)).strip(" ,.")
