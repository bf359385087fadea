"""Marks on statements without support that stay: words after their sentence, or footnotes."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from errata.core.edits import Span, Spans, apply_edits
from errata.core.records import Claim, Edit, Verdict
from errata.tools.text.citations import HEDGE
from errata.tools.text.mark_edits import below
from errata.tools.text.markdown import read_blocks
from errata.tools.text.unclaimed import find_unclaimed

SPOILS = "what has no support was not marked: the markdown around it would become another"
REWRITTEN = "it has no support and no mark: its sentence was rewritten with another"
_NUMBERED = re.compile(r"\s*\[\^unverified-(\d+)\]")


def hedge(
    draft: str,
    edits: Sequence[Edit],
    claims: Sequence[Claim],
    doubted: Mapping[str, Verdict],
    *,
    footnotes: bool,
) -> tuple[list[Edit], list[str]]:
    """The edits, with those that mark the sentences of doubted claims; a note on what has no mark.

    `doubted` has the verdicts on these claims, by claim. A sentence has one mark, at its end; a
    footnote says at the draft's end which of its claims is meant. None is marked twice.
    """
    number = max(map(int, _NUMBERED.findall(draft)), default=0)
    changes = Spans(edits, lambda edit: (edit.start, edit.end))
    marks, notes, lines = list[Edit](), list[str](), list[str]()
    for (start, end), own in _sentences(draft, claims).items():
        verdicts = [doubted[claim.id] for claim in own if claim.id in doubted]
        around = changes.touching(start, end)
        is_gone = any(e.start <= start and end <= e.end and not e.after.strip() for e in around)
        if not verdicts or is_gone:
            continue
        if any(end < edit.end for edit in around):
            notes += [f"claim {verdict.claim}: {REWRITTEN}" for verdict in verdicts]
            continue
        mark = f" [{_in_words(verdicts, len(own))}]"
        if footnotes:
            number += 1
            mark = f"[^unverified-{number}]"
            lines.append(f"{mark}: {_say(verdicts, own)}")
        # What follows could make a link of the brackets.
        apart = " " if draft[end : end + 1] in tuple("([:") else ""
        marks.append(_insert(end, mark + apart, verdicts))
    if lines:
        marked = [doubted[name] for mark in marks for name in mark.claims]
        marks.append(_insert(len(draft), below(draft, lines), marked))
    (kinds, before), after = _kinds(draft), _kinds(apply_edits(draft, marks))
    if after != (kinds, before + len(lines)):
        return list(edits), [*notes, SPOILS]
    return [*edits, *marks], notes


_DENIAL = {
    "refuted": "The documents contradict this",
    "not_mentioned": "The documents do not say this",
}


def _sentences(draft: str, claims: Sequence[Claim]) -> dict[Span, list[Claim]]:
    """The claims of each sentence that has no mark yet and is no note of ours, in order."""
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


def _in_words(verdicts: Sequence[Verdict], claims: int) -> str:
    """What is said of a sentence with so many claims, of which some are doubted."""
    refuted = any(verdict.label == "refuted" for verdict in verdicts)
    partly = "partly " if len(verdicts) < claims else ""
    return partly + ("contradicted" if refuted else "unverified")


def _say(verdicts: Sequence[Verdict], claims: Sequence[Claim]) -> str:
    """What a footnote says of the claims of one sentence."""
    texts = {claim.id: " ".join(claim.text.split()) for claim in claims}
    return " ".join(f"{_DENIAL[v.label]}: “{texts[v.claim]}”" for v in verdicts)


def _insert(place: int, text: str, verdicts: Sequence[Verdict]) -> Edit:
    """An edit that puts in a text, resting on verdicts."""
    reasons = dict.fromkeys(v.explanation or _DENIAL[v.label].lower() for v in verdicts)
    return Edit(
        start=place,
        end=place,
        before="",
        after=text,
        claims=tuple(verdict.claim for verdict in verdicts),
        evidence=tuple(dict.fromkeys(quote for v in verdicts for quote in v.evidence)),
        explanation="; ".join(reasons),
    )


def is_mark(edit: Edit) -> bool:
    """Whether an edit only marks what stays."""
    return not edit.before and bool(HEDGE.match(edit.after) or _NUMBERED.match(edit.after))


def _kinds(text: str) -> tuple[list[str], int]:
    """The kinds of a text's blocks, and how many footnotes stand at its end."""
    root, _ = read_blocks(text)
    blocks, notes = list(root.children), 0
    while blocks and blocks[-1].kind == "footnote_reference":
        blocks.pop()
        notes += 1
    return [part.kind for block in blocks for part in block.walk()], notes
