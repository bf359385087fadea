"""Where the documents disagree: one bears a claim out, another says otherwise."""

from collections.abc import Sequence
from dataclasses import replace

from errata.core.limits import check_time
from errata.core.records import Claim, Document, Quote, Verdict, VerdictLabel
from errata.tools.judges.differences import compare
from errata.tools.judges.evidence import Evidence, collect_evidence, read_claim, read_evidence
from errata.tools.judges.pairs import Difference
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import split_sentences
from errata.tools.text.strips import Strip


def judge_dispute(dispute: Difference, evidence: Evidence) -> tuple[VerdictLabel, str]:
    """The label of a claim on which documents disagree, and what each of them says.

    A claim that the newer document bears out is supported; else, or where a document's title has no
    date, the evidence is conflicting.
    """
    holding = dispute.borne_out or dispute.strip
    ours, theirs = (evidence.dates.get(s.document, "") for s in (holding, dispute.strip))
    is_newer = dispute.kind != "conflict" and ours > theirs > ""
    label: VerdictLabel = "supported" if is_newer else "conflicting"
    sides = (
        f"{dispute.claimed} by {_name(holding, evidence)}",
        f"{dispute.stated} by {_name(dispute.strip, evidence)}",
    )
    return label, f"the documents disagree: {'; '.join(sides)}"


def quotes_of(dispute: Difference) -> tuple[Quote, ...]:
    """What bears the claim out, and what says otherwise."""
    strips = (dispute.borne_out, dispute.strip)
    return tuple(strip.quote for strip in strips if strip)


def _name(strip: Strip, evidence: Evidence) -> str:
    """A strip's document by its title and date."""
    title = evidence.titles.get(strip.document) or f"document {strip.document}"
    date = evidence.dates.get(strip.document, "")
    return f"“{title}”" if not date or date in title else f"“{title}” ({date})"


def mark_disputes(
    question: str,
    claims: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
) -> list[Verdict]:
    """Verdicts where no claim is silently supported on which the documents disagree."""
    evidence = read_evidence(question, claims, documents)
    texts = {claim.id: claim.text for claim in claims}
    return [
        _mark(verdict, dispute, evidence)
        if verdict.label == "supported"
        and (dispute := _find_dispute(texts[verdict.claim], question, evidence))
        else verdict
        for verdict in verdicts
    ]


def _mark(verdict: Verdict, dispute: Difference, evidence: Evidence) -> Verdict:
    label, explanation = judge_dispute(dispute, evidence)
    return replace(verdict, label=label, explanation=explanation, evidence=quotes_of(dispute))


def _find_dispute(text: str, question: str, evidence: Evidence) -> Difference | None:
    check_time()
    return next(iter(compare(read_claim(text, question), evidence).disputes), None)


def find_disputes(question: str, text: str, documents: Sequence[Document]) -> list[str]:
    """On what the documents disagree of what a text says, in words."""
    evidence = collect_evidence(topic_stems(question), documents)
    found = (_find_dispute(text[a:b], question, evidence) for a, b in split_sentences(text))
    return list(dict.fromkeys(judge_dispute(dispute, evidence)[1] for dispute in found if dispute))
