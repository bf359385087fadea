"""Marks on statements without support that stay: words after their sentence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from errata.core.edits import Span, Spans
from errata.core.records import Claim, Edit, Verdict
from errata.tools.text.citations import HEDGE
from errata.tools.text.unclaimed import find_unclaimed

REWRITTEN = "it has no support and no mark: its sentence was rewritten with another"
_REASON = {
    "refuted": "the documents contradict this",
    "disputed": "the documents seem to contradict this",
    "not_mentioned": "the documents do not say this",
}


def hedge(
    draft: str, edits: Sequence[Edit], claims: Sequence[Claim], doubted: Mapping[str, Verdict]
) -> tuple[list[Edit], list[str]]:
    """The edits, with those that mark the sentences of doubted claims; a note on what has no mark.

    `doubted` has the verdicts on these claims, by claim. A sentence has one mark, at its end; none
    is marked twice.
    """
    changes = Spans(edits, lambda edit: (edit.start, edit.end))
    marks, notes = list[Edit](), list[str]()
    for (start, end), own in _sentences(draft, claims).items():
        verdicts = [doubted[claim.id] for claim in own if claim.id in doubted]
        around = changes.touching(start, end)
        is_gone = any(e.start <= start and end <= e.end and not e.after.strip() for e in around)
        if not verdicts or is_gone:
            continue
        if any(end < edit.end for edit in around):
            notes += [f"claim {verdict.claim}: {REWRITTEN}" for verdict in verdicts]
            continue
        marks.append(_mark(draft, end, verdicts, is_part=len(verdicts) < len(own)))
    return [*edits, *marks], notes


def _sentences(draft: str, claims: Sequence[Claim]) -> dict[Span, list[Claim]]:
    """The claims of each sentence that claims something and has no mark yet, in order."""
    unclaimed = Spans(find_unclaimed(draft), lambda skipped: (skipped.start, skipped.end))
    sentences = defaultdict[Span, list[Claim]](list)
    for claim in claims:
        place = claim.start, claim.end
        # What has the whole draft for its place was not found in it.
        is_lost = place == (0, len(draft)) and any((c.start, c.end) != place for c in claims)
        is_marked = HEDGE.search(draft, *place) or HEDGE.match(draft, claim.end)
        if not (is_lost or is_marked or unclaimed.touching(*place)):
            sentences[place].append(claim)
    return dict(sorted(sentences.items()))


def _mark(draft: str, end: int, verdicts: Sequence[Verdict], *, is_part: bool) -> Edit:
    """A mark at a sentence's end; `is_part` says that only some of its claims are doubted."""
    word = "contradicted" if any(v.label == "refuted" for v in verdicts) else "unverified"
    # What follows could make a link of the brackets.
    apart = " " if draft[end : end + 1] in tuple("([:") else ""
    return Edit(
        start=end,
        end=end,
        before="",
        after=f" [{'partly ' if is_part else ''}{word}]{apart}",
        claims=tuple(verdict.claim for verdict in verdicts),
        evidence=tuple(dict.fromkeys(quote for v in verdicts for quote in v.evidence)),
        explanation="; ".join(dict.fromkeys(v.explanation or _REASON[v.label] for v in verdicts)),
    )


def is_mark(edit: Edit) -> bool:
    """Whether an edit only marks what stays."""
    return not edit.before and bool(HEDGE.match(edit.after))
