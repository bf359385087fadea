"""A result as one HTML file that needs nothing else, not even JavaScript."""

from importlib.resources import files
from pathlib import Path

from errata.core.errors import InputError, count
from errata.core.notebook import describe_skipped, label_with_score
from errata.core.records import Answer, Correction
from errata.core.urls import split_url
from errata.render.text import describe_claims, describe_cost, describe_label, describe_retrieval


def write_report(result: Correction | Answer, path: Path) -> None:
    """Write a report to a file.

    Raises InputError if the file cannot be written.
    """
    try:
        path.write_text(report(result), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error


def report(result: Correction | Answer) -> str:
    """A report as HTML; all text of drafts and documents is escaped."""
    from jinja2 import Environment

    text = files("errata.render").joinpath("report.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)
    sources = {}
    for document in result.documents:
        web = split_url(document.url).scheme in ("http", "https")  # no other address is a link
        title = document.title or document.url or document.id
        sources[document.id] = {"title": title, "link": document.url if web else ""}
    shared = {"question": result.question, "sources": sources, "notes": result.notes}
    if isinstance(result, Answer):
        found = f"{describe_retrieval(result)}{count(result.knowledge, 'strip')}"
        summary = f"{result.method}: {found}, {describe_cost(result)}"
        return template.render(**shared, answer=result, summary=summary)
    texts = {claim.id: claim.text for claim in result.claims}
    claims = {
        verdict.claim: {
            "text": texts[verdict.claim],
            "label": label_with_score(verdict, result.unmended),
            "kind": "unmended" if verdict.claim in result.unmended else verdict.label,
            "verdict": verdict,
        }
        for verdict in result.verdicts
    }
    stretches, place = list[dict[str, object]](), 0  # the draft from left to right, with its edits
    for edit in result.edits:
        stretches.append({"text": result.draft[place : edit.start]})
        rests_on = [claims[claim] for claim in edit.claims if claim in claims]
        stretches.append({"edit": edit, "claims": rests_on})
        place = edit.end
    return template.render(
        **shared,
        correction=result,
        claims=claims.values(),
        stretches=[*stretches, {"text": result.draft[place:]}],
        skipped=describe_skipped(result.skipped),
        summary=f"{result.method}: {describe_label(result)}; {describe_claims(result)}; "
        f"{count(result.edits, 'edit')}, {describe_cost(result)}",
    )
