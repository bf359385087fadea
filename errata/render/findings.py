"""What a result says of each statement, in one form for every method; also as text and Markdown.

An audit of citations is a table of the sources, then what is wrong, by sentence.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from errata.core.errors import count
from errata.core.records import Answer, Correction, Edit
from errata.render.terminal import visible
from errata.render.text import describe_label, describe_skipped, label_in_words

QUOTE_LENGTH = 300
"""Characters of a quote that are shown; the rest is in the record."""
_SHORT = 200
"""The same of an audit's sentences and quotes."""
_QUOTES = 3
SOURCE_HEAD = ("source", "status", "cited", "supports", "contradicts")
Level = Literal["error", "warning", "note", "none"]
"""How bad a finding is; none: no fault."""
_KINDS: dict[Level, str] = {
    "error": "refuted contradicted outdated fabricated_quote wrong_source dead",
    "warning": "conflicting missing_mark partial unsupported",
    "note": "not_mentioned not_understood disputed unreadable unchecked edited",
    "none": "supported unclear uncited",
}
LEVELS = {kind: level for level, kinds in _KINDS.items() for kind in kinds.split()}
"""The level of each kind: of verdicts, of what `cite` finds, and of other edits."""
SOUND = tuple(kind for kind, level in LEVELS.items() if level == "none")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What was found of `draft[start:end]`."""

    kind: str
    start: int
    end: int
    text: str
    """The statement, on one line."""
    label: str
    """The kind in words, with its reason, or with the marks of the sentence."""
    why: tuple[str, ...]
    """The explanation, and the first quotes with their sources."""
    unfounded: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    """What would mend it; an edit of several statements stands with the first."""

    @property
    def level(self) -> Level:
        """How bad it is."""
        return LEVELS[self.kind]

    @property
    def message(self) -> str:
        """The kind and the statement, then why, a line each."""
        return visible("\n".join([f"{self.label}: {self.text}", *self.why]))


def find(result: Correction) -> list[Finding]:
    """All that was found, sound statements too, in the draft's order; every edit stands once."""
    names = {each.id: each.title or each.url or each.id for each in result.documents}
    sources = (source for source in result.trail.get("sources", ()) if source["title"])
    names |= {source["document"]: source["title"] for source in sources}
    statements = _sentences if "citations" in result.trail else _claims
    found = sorted(statements(result, names), key=lambda each: each.start)
    if result.label == "refuted" and all(each.level != "error" for each in found):
        found.insert(0, _finding("refuted", 0, len(result.draft), result.draft))
    faults = [number for number, each in enumerate(found) if each.level != "none"]
    owners = {claim: number for number in reversed(faults) for claim in found[number].claims}
    edits = defaultdict[int, list[Edit]](list)
    for edit in result.edits:
        edits[min((owners[c] for c in edit.claims if c in owners), default=-1)].append(edit)
    mended = [replace(each, edits=tuple(edits[number])) for number, each in enumerate(found)]
    for edit in edits[-1]:
        rest = _finding("edited", edit.start, edit.end, edit.before, edit.explanation)
        mended.append(replace(rest, edits=(edit,)))
    return sorted(mended, key=lambda each: each.start)


def _claims(result: Correction, names: Mapping[str, str]) -> Iterator[Finding]:
    for claim, verdict in result.judged:
        kind = label_in_words(verdict).replace(" ", "_")
        quotes = [_said(each.text, each.document, names) for each in verdict.evidence[:_QUOTES]]
        own = _finding(kind, claim.start, claim.end, claim.text, verdict.explanation, *quotes)
        label = label_in_words(verdict, result.unmended)
        yield replace(own, label=label, claims=(claim.id,), unfounded=verdict.unfounded)


def _sentences(result: Correction, names: Mapping[str, str]) -> Iterator[Finding]:
    for each in result.trail["citations"]:
        quotes = [_said(q["text"], q["document"], names) for q in each["evidence"][:_QUOTES]]
        if each["finding"] == "unclear" and quotes:
            quotes = [f"nearest: {quotes[0]}"]
        place = (each["finding"], each["start"], each["end"], each["text"], each["explanation"])
        own, keys = _finding(*place, *quotes), ", ".join(each["cites"])
        label = f"{own.label} ({keys})" if keys else own.label
        yield replace(own, label=label, claims=tuple(each["claims"]))


def _finding(kind: str, start: int, end: int, text: str, *why: str) -> Finding:
    told, label = tuple(map(clip, filter(None, why))), kind.replace("_", " ")
    return Finding(kind=kind, start=start, end=end, text=clip(text), label=label, why=told)


def _said(text: str, document: str, names: Mapping[str, str]) -> str:
    return f"“{clip(text)}” ({names.get(document, document)})"


def clip(text: str, longest: int = QUOTE_LENGTH) -> str:
    """A text on one line, and no longer than that many characters."""
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else f"{plain[:longest]}…"


def as_text(result: Correction | Answer) -> str:
    """The response, then what it rests on: knowledge, or edits and claims that no edit mends."""
    notes = [f"Note: {note}" for note in result.notes]
    if isinstance(result, Answer):
        names = {each.id: each.url or each.title or each.id for each in result.documents}
        quotes = (_said(each.text, each.document, names) for each in result.knowledge)
        return "\n".join([result.response, "", *quotes, *notes])
    edits = (f"Changed: {e.before!r} to {e.after!r}: {e.explanation}" for e in result.edits)
    mended = {claim for edit in result.edits for claim in edit.claims}
    faults = (each for each in find(result) if each.level != "none" and each.kind != "edited")
    left = (each.message for each in faults if mended.isdisjoint(each.claims))
    return "\n".join([result.response, "", *edits, *left, *notes]).strip()


def verdicts_as_text(result: Correction) -> str:
    """The label of the whole draft, then what was found of each claim."""
    label, skipped = describe_label(result), describe_skipped(result.skipped)
    opening = f"The draft is {label}." if result.checked else f"{label.capitalize()}."
    rest = [f"Not checked: {skipped}"] if skipped else []
    rest += [f"Note: {note}" for note in result.notes]
    return "\n".join([opening, "", *(each.message for each in find(result)), *rest])


def count_faults(result: Correction) -> dict[str, int]:
    """How many sentences have each fault, in words, the most frequent first."""
    findings = (citation["finding"] for citation in result.trail["citations"])
    counts = Counter(each.replace("_", " ") for each in findings if each not in SOUND)
    return dict(counts.most_common())


def why_unread(result: Correction) -> str:
    """Why an audit read nothing; empty if it read a source, or no sentence has a mark."""
    sources = [source for source in result.trail["sources"] if source["key"]]
    if not result.trail["citations"]:
        return next((n for n in result.notes if "could be checked" in n), "it has no sentences")
    if not sources or any(source["document"] for source in sources):
        return ""
    told = "; ".join(f"{s['key']}: {s['note'] or s['status'].replace('_', ' ')}" for s in sources)
    return f"no source could be read: {told}"


def citations_as_markdown(result: Correction) -> str:
    """The audit of a draft by the method `cite`, and the edits if it was repaired."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in source_rows(result)]
    head, *rest = (f"| {' | '.join(row)} |" for row in (SOURCE_HEAD, *rows))
    table = [head, "|---|---|---|---|---|", *rest]
    told = list[str]()
    for each in sorted(find(result), key=lambda each: each.kind == "unclear"):
        if each.kind not in ("supported", "uncited", "edited"):
            told += [f"- **{each.label}**: {each.text}", *(f"  {line}" for line in each.why)]
    edits = [
        f"- {clip(e.before, _SHORT)!r} → {clip(e.after, _SHORT)!r}: {e.explanation}"
        for e in result.edits
    ]
    notes = [f"Note: {note}" for note in result.notes]
    parts = (table, told, edits, notes, [describe_citations(result)])
    return "\n\n".join("\n".join(part) for part in parts if part)


def describe_citations(result: Correction) -> str:
    """The audit in one line: `15 sentences: 2 dead, 1 wrong source; 9 supported, 3 unclear`."""
    findings = Counter(citation["finding"] for citation in result.trail["citations"])
    sound = {name: findings[name] for name in SOUND if findings[name]}
    said = (
        ", ".join(f"{number} {name}" for name, number in group.items())
        for group in (count_faults(result), sound)
    )
    total = count(result.trail["citations"], "sentence")
    return f"{total}: {'; '.join(filter(None, said))}"


def source_rows(result: Correction) -> Iterator[tuple[str, ...]]:
    """What the table of the sources has of each that marks name, in the order of its head."""
    for source in (each for each in result.trail.get("sources", ()) if each["key"]):
        title = source["title"] or source["url"] or source["note"]
        name = clip(": ".join(filter(None, dict.fromkeys((source["key"], title)))), _SHORT)
        dated = f", as of {source['dated']}" if source["dated"] else ""
        status = f"{source['status'].replace('_', ' ')}{dated}"
        yield (name, status, *(str(source[each]) for each in ("cited", "bears", "contradicts")))
