"""The guard against what a revision of a draft loses or adds.

RAC leaves hallucinations that revision itself introduces to future work (conclusion, limitations).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import shorten

from errata.core.edits import Spans, join_edits
from errata.core.limits import check_time
from errata.core.records import Claim, Document, Edit, Fix, Verdict
from errata.tools.judges.verifier import verify
from errata.tools.local.changes import group_edits
from errata.tools.local.extract import sentence_places
from errata.tools.text.entities import NUMBER_WORDS, find_entities
from errata.tools.text.questions import topic_stems
from errata.tools.text.words import NEGATIONS, PREFIX, content_stems, split_words, stem_prefixes

LOST = 0.5  # the share of a supported claim's words without which a sentence lost the claim
STRANGE = 2
"""How many words that are neither in the documents nor in the corrections make a new fact."""
_DIGIT = re.compile(r"\d")


def _stems(*texts: str) -> frozenset[str]:
    return frozenset(word.stem for text in texts for word in split_words(text))


_LINKS = _stems(
    "yes no though although rather however instead besides therefore thus hence apart along",
    "away back together around despite unlike except including namely especially mainly mostly",
    "partly even still yet ever later earlier ahead previously formerly originally",
    "called named known several many various another same different certain likely",
)
"""Stems of words that state nothing by themselves."""


@dataclass(frozen=True)
class Grounding:
    """What the guard checks edits against."""

    topic: frozenset[str]
    """Stems of what the question is about; that a sentence names it is no fact of its own."""
    supported: Spans[Claim]
    """Where claims begin that are supported; fixed claims are not among them."""
    known: frozenset[str]
    """Stems, and their prefixes, of the question, the draft, the fixes and the documents, where
    names may come from."""
    numbers: frozenset[str]
    """Stems of the question, the fixes with their evidence, and the supported claims, where numbers
    may come from; where nothing was fixed one by one, all that is known."""


def guard(
    question: str,
    draft: str,
    edits: Sequence[Edit],
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    documents: Sequence[Document],
    weights: str = "",
    verdicts: Sequence[Verdict] = (),
) -> tuple[list[Edit], list[str]]:
    """Drop what a model made of a sentence if that deletes supported facts or adds new ones.

    The edits of a sentence are dropped all or none; there is a note for each sentence. What is
    supported the verdicts say; without any, the verifier with these weights judges. Raises
    OutOfTimeError if not every claim could be judged.
    """
    if documents and not verdicts:
        # Fixed claims are judged, too: a claim's neighbours in the draft count in its verdict.
        verdicts = verify(question, claims, documents, weights)
        check_time()
    may_stay = {v.claim for v in verdicts if v.label in ("supported", "unchecked")}
    stay = may_stay - {fix.claim for fix in fixes}
    supported = [claim for claim in claims if claim.id in stay]
    shown = (quote.text for fix in fixes for quote in fix.evidence)
    given = _stems(question, *shown, *(f.text for f in fixes), *(c.text for c in supported))
    known = given | _stems(draft, *(d.title + " " + d.text for d in documents))
    grounding = Grounding(
        topic=topic_stems(question),
        supported=Spans(supported, lambda claim: (claim.start, claim.start + 1)),
        known=known | stem_prefixes(known),
        numbers=given if fixes else known,
    )
    named = {claim.id: claim.text for claim in claims}
    kept_edits, notes = list[Edit](), list[str]()
    for place, own in group_edits(edits, sentence_places(draft)):
        check_time()
        whole = join_edits(draft, own, place)
        before, after = whole.before, whole.after
        spoken = [named[claim] for edit in own for claim in edit.claims if claim in named]
        harm = _find_harm(whole, grounding) or _find_loss(before, after, spoken)
        if not harm and _takes_denial_out(question, before, after, documents, weights):
            harm = "takes a denial out, and no document says so"
        if harm:
            sentence = shorten(before, 60, placeholder=" …")
            notes.append(f"the model's revision of “{sentence}” was not used: it {harm}")
        else:
            kept_edits += own
    return kept_edits, notes


def _takes_denial_out(
    question: str, before: str, after: str, documents: Sequence[Document], weights: str
) -> bool:
    """Whether a sentence denies less than before, which no document supports."""
    denials = [sum(w.text.lower() in NEGATIONS for w in split_words(t)) for t in (before, after)]
    if not after.strip() or denials[1] >= denials[0]:
        return False
    [verdict] = verify(question, [Claim(id="", text=after, start=0, end=0)], documents, weights)
    return verdict.label != "supported"


def _find_loss(before: str, after: str, spoken: Sequence[str]) -> str:
    """What a sentence loses that no claim of its edits speaks of: a number or a name."""
    if not (after.strip() and spoken):
        return ""
    left = _stems(after, *spoken)
    lost = {w.stem: w.text for w in split_words(before) if w.stem not in left}
    # A word that begins the text may have a capital and be no name.
    entities = [e for e in find_entities(before) if e.start or len(e.stems) > 1]
    stems = {stem for entity in entities if entity.kind != "number" for stem in entity.stems}
    known = stem_prefixes(left)
    names = {stem for stem in stems if stem[:PREFIX] not in known}
    word = next((text for stem, text in lost.items() if _DIGIT.search(stem) or stem in names), "")
    return f"loses {word!r}, of which no correction speaks" if word else ""


def _find_harm(edit: Edit, grounding: Grounding) -> str:
    """What harm is done to sentences by what becomes of them; empty if none is."""
    told, left = _stems(edit.before) - grounding.topic, _stems(edit.after)
    prefixes = stem_prefixes(left)
    for claim in grounding.supported.touching(edit.start, max(edit.end, edit.start + 1)):
        own = content_stems(claim.text) & told
        lost = {stem for stem in own - left if stem[:PREFIX] not in prefixes}
        if (own and len(lost) >= LOST * len(own)) or any(map(_DIGIT.search, lost)):
            return f"no longer says what should stay: {claim.text}"
    new = _new_word(edit.before, edit.after, grounding)
    where = "no correction" if _DIGIT.search(new) else "no document and no correction"
    return f"adds {new!r}, which is in {where}" if new else ""


def _new_word(before: str, after: str, grounding: Grounding) -> str:
    """A word of a new fact, which a text has and may not have; empty without one."""
    old = _stems(before) | _LINKS | NUMBER_WORDS.keys()
    words = {word.stem: word.text for word in split_words(after) if word.is_content}
    new = {stem: text for stem, text in words.items() if stem not in old}
    for stem, text in new.items():
        if _DIGIT.search(text) and stem not in grounding.numbers:
            return text
    names = {stem for entity in find_entities(after) for stem in entity.stems}
    unknown = (stem for stem in new if grounding.known.isdisjoint((stem, stem[:PREFIX])))
    others = [stem for stem in unknown if not _DIGIT.search(new[stem])]
    first = next((stem for stem in others if stem in names), "")
    return new[first or others[0]] if first or len(others) >= STRANGE else ""
