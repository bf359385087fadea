"""What a result says of each statement, in one form for every method: kind, place, why, repairs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from errata.core.notebook import label_in_words
from errata.core.records import Correction, Edit
from errata.render.terminal import visible
from errata.render.text import QUOTE_LENGTH

_QUOTES = 3
"""How many quotes of a finding are told."""
Level = Literal["error", "warning", "note", "none"]
"""How bad a finding is; none: no fault."""
KINDS: dict[str, tuple[Level, str]] = {
    "refuted": ("error", "The evidence contradicts this."),
    "conflicting": ("warning", "Some of the evidence bears this out, some contradicts it."),
    "not_mentioned": ("note", "The evidence does not bear this out."),
    "not_understood": ("note", "The judge could not tell whether the evidence bears this out."),
    "disputed": ("note", "The evidence may contradict this, but not surely."),
    "unreadable": ("note", "What the judge replied could not be read, so nothing is known."),
    "unchecked": ("note", "Nothing judged this."),
    "contradicted": ("error", "A source that this cites says otherwise."),
    "fabricated_quote": ("error", "No source has the words of the quotation."),
    "wrong_source": ("error", "Another source than the cited one bears this out."),
    "dead": ("error", "The mark leads to no source."),
    "missing_mark": ("warning", "A source bears this out, but no mark names it."),
    "partial": ("warning", "The cited sources bear out only a part of this."),
    "unsupported": ("warning", "The cited sources do not bear this out."),
    "edited": ("note", "This changes for a reason that is no single statement's."),
    "supported": ("none", "The evidence bears this out."),
    "unclear": ("none", "Whether the cited sources bear this out could not be told."),
    "uncited": ("none", "This has no mark, and no source bears it out."),
}
"""The level of each kind, and what it means: verdicts, what `cite` finds, and other edits."""
SOUND = tuple(kind for kind, (level, _) in KINDS.items() if level == "none")
"""The kinds that are no fault."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What was found of `draft[start:end]`."""

    kind: str
    start: int
    end: int
    text: str
    """The statement, on one line."""
    label: str = ""
    """The kind in words, with its reason."""
    explanation: str = ""
    quotes: tuple[str, ...] = ()
    """What sources say, each with its source's name."""
    claims: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    """What would mend it; an edit of several statements stands with the first."""

    @property
    def level(self) -> Level:
        """How bad it is."""
        return KINDS[self.kind][0]

    @property
    def why(self) -> list[str]:
        """The explanation and the first quotes, a line each."""
        return [line for line in (self.explanation, *self.quotes[:_QUOTES]) if line]

    @property
    def message(self) -> str:
        """The kind and the statement, then why, a line each."""
        return visible("\n".join([f"{self.label}: {self.text}", *self.why]))


def find(result: Correction) -> list[Finding]:
    """All that was found, sound statements too, in the draft's order; every edit stands once."""
    names = {each.id: each.title or each.url or each.id for each in result.documents}
    names |= {each["document"]: each["title"] for each in result.trail.get("sources", ())}
    statements = _sentences if "citations" in result.trail else _claims
    found = sorted(statements(result, names), key=lambda each: each.start)
    if result.label == "refuted" and all(each.level != "error" for each in found):
        found.insert(0, _finding("refuted", 0, len(result.draft), result.draft))
    owners = dict[str, int]()
    for number, each in enumerate(found):
        if each.level != "none":
            owners |= {claim: number for claim in each.claims if claim not in owners}
    edits = defaultdict[int, list[Edit]](list)
    for edit in result.edits:
        edits[next((owners[c] for c in edit.claims if c in owners), -1)].append(edit)
    mended = [replace(each, edits=tuple(edits[number])) for number, each in enumerate(found)]
    rest = (
        replace(_finding("edited", e.start, e.end, e.before, e.explanation), edits=(e,))
        for e in edits[-1]
    )
    return sorted([*mended, *rest], key=lambda each: each.start)


def _claims(result: Correction, names: Mapping[str, str]) -> Iterator[Finding]:
    claims = {claim.id: claim for claim in result.claims}
    for verdict in result.verdicts:
        claim = claims[verdict.claim]
        kind = label_in_words(verdict).replace(" ", "_")
        yield replace(
            _finding(kind, claim.start, claim.end, claim.text, verdict.explanation),
            label=label_in_words(verdict, result.unmended),
            quotes=tuple(_said(each.text, each.document, names) for each in verdict.evidence),
            claims=(claim.id,),
        )


def _sentences(result: Correction, names: Mapping[str, str]) -> Iterator[Finding]:
    for each in result.trail["citations"]:
        quotes = (_said(quote["text"], quote["document"], names) for quote in each["evidence"])
        place = (each["finding"], each["start"], each["end"], each["text"], each["explanation"])
        yield replace(_finding(*place), quotes=tuple(quotes), claims=tuple(each["claims"]))


def _finding(kind: str, start: int, end: int, text: str, explanation: str = "") -> Finding:
    label, why = kind.replace("_", " "), cut(explanation)
    return Finding(kind=kind, start=start, end=end, text=cut(text), label=label, explanation=why)


def _said(text: str, document: str, names: Mapping[str, str]) -> str:
    return f"“{cut(text)}” ({cut(names.get(document, document))})"


def cut(text: str, longest: int = QUOTE_LENGTH) -> str:
    """A text on one line, and no longer than that many characters."""
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else f"{plain[:longest]}…"
