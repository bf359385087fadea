"""An audit of citations as Markdown: a table of the sources, then what is wrong, by sentence."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from errata.core.errors import count
from errata.core.records import Correction
from errata.render.findings import SOUND, cut

_LONGEST = 200
"""Characters of a sentence or quote that are shown."""


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
    citations, sources = result.trail["citations"], result.trail["sources"]
    names = {s["document"]: s["key"] or s["title"] or s["document"] for s in reversed(sources)}
    lines = ["| source | status | cited | bears out | contradicts |", "|---|---|---|---|---|"]
    lines += [_row(source) for source in sources if source["key"]]
    faults = [line for c in citations if c["finding"] not in SOUND for line in _fault(c, names)]
    edits = [
        f"- {cut(e.before, _LONGEST)!r} → {cut(e.after, _LONGEST)!r}: {e.explanation}"
        for e in result.edits
    ]
    notes = [f"Note: {note}" for note in result.notes]
    parts = (lines, faults, edits, notes, [describe_citations(result)])
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


def _row(source: Mapping[str, Any]) -> str:
    title = source["title"] or source["url"] or source["note"]
    name = cut(": ".join(filter(None, dict.fromkeys((source["key"], title)))), _LONGEST).replace(
        "|", "\\|"
    )
    numbers = (str(source[each]) for each in ("cited", "bears", "contradicts"))
    dated = f", as of {source['dated']}" if source["dated"] else ""
    status = f"{source['status'].replace('_', ' ')}{dated}"
    return f"| {name} | {status} | {' | '.join(numbers)} |"


def _fault(citation: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    cites = f" ({', '.join(citation['cites'])})" if citation["cites"] else ""
    yield f"- **{citation['finding'].replace('_', ' ')}**{cites}: {cut(citation['text'], _LONGEST)}"
    if citation["explanation"]:
        yield f"  {cut(citation['explanation'], _LONGEST)}"
    for quote in citation["evidence"][:1]:
        source = names.get(quote["document"], quote["document"])
        yield f"  “{cut(quote['text'], _LONGEST)}” [{source}]"
