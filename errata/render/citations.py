"""An audit of citations as Markdown: a table of the sources, then what is wrong, by sentence."""

from collections import Counter
from collections.abc import Iterator

from errata.core.errors import count
from errata.core.records import Correction
from errata.render.findings import SOUND, cut, find

SOURCE_HEAD = ("source", "status", "cited", "bears out", "contradicts")
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
    rows = [[cell.replace("|", "\\|") for cell in row] for row in source_rows(result)]
    head, *rest = (f"| {' | '.join(row)} |" for row in (SOURCE_HEAD, *rows))
    table = [head, "|---|---|---|---|---|", *rest]
    told = list[str]()
    for each in sorted(find(result), key=lambda each: each.kind == "unclear"):
        if each.kind not in ("supported", "uncited", "edited"):
            told += [f"- **{each.label}**: {each.text}", *(f"  {line}" for line in each.why)]
    edits = [
        f"- {cut(e.before, _LONGEST)!r} → {cut(e.after, _LONGEST)!r}: {e.explanation}"
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
        name = cut(": ".join(filter(None, dict.fromkeys((source["key"], title)))), _LONGEST)
        dated = f", as of {source['dated']}" if source["dated"] else ""
        status = f"{source['status'].replace('_', ' ')}{dated}"
        yield (name, status, *(str(source[each]) for each in ("cited", "bears", "contradicts")))
