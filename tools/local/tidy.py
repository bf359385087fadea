"""Edits that delete whole sentences, made to leave a readable text."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence, Set

from errata.core.edits import Span, Spans, overlaps, rest_on
from errata.core.limits import check_time
from errata.core.records import Edit
from errata.tools.local.extract import Sentence, is_name, split_draft
from errata.tools.local.layout import Layout, outside
from errata.tools.text.citations import strip_marks
from errata.tools.text.pronouns import ANY_PRONOUN, Mentions, replace_pronoun
from errata.tools.text.prose import protected_places
from errata.tools.text.unclaimed import why_unclaimed
from errata.tools.text.words import split_stems, stem

UNSUPPORTED = "nothing in the draft is supported; it is returned as it was"
TORN = "the markdown around it would become another"
MOST_TRIES = 20
"""How many places are mended at which removals would change the markdown around them."""
_NO_WORDS = re.compile(r"[\W\d_]*\Z")

REFERS = "what follows it refers to it"
UNCLEAR = "it is unclear what a pronoun after it stands for"
_POINTS_BACK = re.compile(
    r"(?:(?:in|at|on|by|for|to|of|from|with|under|until|during|because|as|ever|the|all|any|some|many"
    r"|most|both|each|one|two|three|none|half) )*"
    r"(?:this|that|these|those|such|then|there(?! (?:is|are|was|were|has|have|had)\b)|another"
    r"|others?|ones?|same|former|latter|rest|next|following|previous|result|consequence|contrary"
    r"|example|instance|contrast|turn|fact|particular|response|return|addition|neither|either"
    r"|instead|otherwise|therefore|thus|hence|so|thereby|thereafter|consequently|accordingly"
    r"|however|nevertheless|nonetheless|yet|but|and|or|nor|though|likewise|similarly|conversely"
    r"|indeed|namely|specifically|since|later|afterwards?|who|which|whose)\b"
    r"|(?:\w+ ){1,3}(?:later|earlier|afterwards)\b",
    re.IGNORECASE,
)
"""A beginning that goes on from the sentence before."""
_THING = re.compile(
    r"The (album|band|book|club|company|couple|duo|event|film|firm|game|group|label|match|movie"
    r"|novel|organi[sz]ation|play|program|project|school|series|show|single|song|team|tour|trio|two)\b"
)
"""What a sentence speaks of that must have been named."""
_PERSONS = frozenset(("he", "she", "his", "her"))


def tidy(
    question: str, draft: str, edits: Sequence[Edit], unsound: Iterable[Span] = ()
) -> tuple[list[Edit], list[str]]:
    """Make edits that delete sentences leave a whole text; also a note for each that cannot.

    With a sentence goes what has no use without it: a heading of nothing, the introduction of a
    list, a footnote, a row. What the rest needs stays: a sentence that the next one refers to, an
    item with items below it. A pronoun whose name is gone is replaced by it. There are no edits,
    and a note, if no sentence would remain but such as state nothing or are in `unsound`, for a
    false answer is no better than a flagged one.
    """
    if not edits:
        return [], []
    sentences, protected = split_draft(question, draft), protected_places(draft)
    deletions, others = _find_deletions(draft, sentences, protected, edits)
    others, notes = [edit for edit in others if not _is_spared(edit)], list[str]()
    if not deletions:
        return sorted(others, key=_place), notes
    layout = Layout(draft, sentences)
    stay, names, cuts = _take_out(layout, sentences, set(deletions))
    for number, reason in sorted(stay.items()):
        edit = deletions[number]
        whose = f"claim {', '.join(edit.claims)}" if edit.claims else f"the text at {edit.start}"
        notes.append(f"{whose} has no support and stays in the draft: {reason}")
    false = Spans(unsound, lambda span: span)
    left = [s for number, s in enumerate(sentences) if number not in layout.gone]
    stating = (s for s in left if s.label or not why_unclaimed(s.text))
    if layout.gone and all(false.touching(s.start, s.end) for s in stating):
        return [], [*notes, UNSUPPORTED]
    # Each cut rests on the claims that went there; one where none did, on those of the next one.
    gone = [deletions[number] for number in sorted(deletions)]
    starts, by_place = [deletion.start for deletion in gone], Spans(gone, _place)
    for place, cut in enumerate(cuts):
        following = min(bisect_left(starts, cut.start), len(starts) - 1)
        cuts[place] = rest_on(cut, by_place.touching(cut.start, cut.end) or [gone[following]])
    taken = Spans(cuts, _place)
    named = [_name(sentences[number]) for number in names]
    others += [edit for edit in named if not overlaps(edit, others)]
    rest = [e for e in others if not taken.touching(e.start, max(e.end, e.start + 1))]
    return sorted([*cuts, *rest], key=_place), notes


def _place(edit: Edit) -> Span:
    return edit.start, edit.end


def _find_deletions(
    draft: str, sentences: Sequence[Sentence], protected: Spans[Span], edits: Iterable[Edit]
) -> tuple[dict[int, Edit], list[Edit]]:
    """The edits that delete whole sentences, by the sentence's number, and the others."""
    places = Spans(range(len(sentences)), lambda n: (sentences[n].start, sentences[n].end))
    deletions, others = dict[int, Edit](), list[Edit]()
    for edit in edits:
        numbers = places.touching(edit.start, edit.end)
        spans = [(sentences[n].start, sentences[n].end) for n in numbers]
        known = sorted([*spans, *protected.touching(edit.start, edit.end)])
        left = "".join(draft[a:b] for a, b in outside(_place(edit), known))
        covered = all(edit.start <= a and b <= edit.end for a, b in spans)
        if numbers and covered and not edit.after.strip() and _NO_WORDS.match(left):
            deletions |= dict.fromkeys(numbers, edit)
        else:
            others.append(edit)
    return deletions, others


def _is_spared(edit: Edit) -> bool:
    """Whether a text stays though a model left out its marks, or wrote a line break as a space."""
    is_break = "\n" in edit.before and _NO_WORDS.match(edit.before) and edit.after == " "
    before = edit.before.strip()
    return bool(is_break or (before and strip_marks(before).strip() == edit.after.strip()))


def _take_out(
    layout: Layout, sentences: Sequence[Sentence], gone: set[int]
) -> tuple[dict[int, str], set[int], list[Edit]]:
    """Take out sentences until the rest needs none of them and its markdown is what it was.

    What stays is told with the reason, then the sentences whose pronoun becomes a name, the cuts.
    """
    stay, breaks, tries = dict[int, str](), layout.breaks(), 0
    while True:
        needs, names = _find_needs(sentences, gone, breaks)
        needed, cuts = needs or layout.remove(gone), list[Edit]()
        if not needed:
            cuts, tries = layout.cuts(), tries + 1
            if (torn := layout.torn(cuts)) is None:
                return stay, names, cuts
            near = gone.intersection(torn) if tries < MOST_TRIES else gone
            needed = dict.fromkeys(near or gone, TORN)
        stay |= needed
        gone = gone - needed.keys()


def _name(sentence: Sentence) -> Edit:
    """The name in place of the pronoun at the start of a sentence."""
    word = re.search(rf"\b{re.escape(sentence.subject)}(?!\w)", sentence.text)
    at = word.start() if word else 0
    start, end = sentence.words(at, at + len(sentence.subject))
    name = replace_pronoun(sentence.subject, sentence.antecedent)
    reason = "the sentence that named it is gone"
    return Edit(start=start, end=end, before=sentence.subject, after=name, explanation=reason)


def _find_needs(
    sentences: Sequence[Sentence], gone: Set[int], breaks: Set[int]
) -> tuple[dict[int, str], set[int]]:
    """What the sentences that stay need of those that are to go, each with the reason.

    Also those in which a leading pronoun becomes a name. They are read as by one who does not know
    the others. A sentence whose number is in `breaks` comes after a heading. A leading "he" or
    "she" becomes a name where that alone can be meant; else what it points to stays.
    """
    stay, renamed = dict[int, str](), set[int]()
    opening = next((sentence for sentence in sentences if not sentence.label), None)
    names = opening.antecedents.names if opening else ()
    kept, spoken_of = Mentions(next(filter(None, names), "")), set[str]()
    first = next((n for n in range(len(sentences)) if n not in gone), 0)
    for number, sentence in enumerate(sentences):
        check_time()
        if number in gone or sentence.label:
            continue
        is_orphan = number - 1 in gone and number not in breaks
        thing = _THING.match(sentence.text)
        is_new = thing is not None and stem(thing[1]) not in spoken_of
        spoken_of.update(split_stems(sentence.text))
        pronoun, name = _leading_pronoun(sentence), sentence.antecedent
        means = kept.read(sentence.text, sentence.subject).of(pronoun)
        if is_orphan and (is_new or _needs_last(sentences[number - 1], sentence)):
            last = number - 1
            while last in gone and last not in stay:
                stay[last] = REFERS
                last -= bool(_POINTS_BACK.match(sentences[last].text))
        elif pronoun and (means != name or 0 < number == first):
            if pronoun in _PERSONS and is_name(name):
                renamed.add(number)
                kept.read(replace_pronoun(sentence.text, name), name)
            elif sentence.source in gone:
                stay[sentence.source] = UNCLEAR
    return stay, renamed


def _leading_pronoun(sentence: Sentence) -> str:
    """The pronoun at the beginning of the subject; empty without one."""
    match = ANY_PRONOUN.match(sentence.subject)
    return match.group().lower() if match else ""


def _needs_last(last: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence goes on from the one before, or has a pronoun for something in it."""
    if _POINTS_BACK.match(sentence.text):
        return True
    pronoun, earlier = _leading_pronoun(sentence), _leading_pronoun(last)
    if not pronoun or pronoun == earlier:
        return False
    is_person = pronoun in _PERSONS and (earlier in _PERSONS or is_name(last.subject))
    return not (sentence.antecedent and is_person)
