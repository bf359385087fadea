"""Edits that delete whole sentences, made to leave a readable text."""

import re
from collections.abc import Iterable, Mapping, Sequence

from errata.core.edits import Span, Spans, outside, overlaps, rest_on
from errata.core.limits import check_time
from errata.core.records import Edit
from errata.tools.local.extract import Sentence, is_name, split_draft
from errata.tools.local.page import Page, place_of
from errata.tools.text.citations import strip_marks
from errata.tools.text.pronouns import ANY_PRONOUN, replace_pronoun
from errata.tools.text.prose import protected_places
from errata.tools.text.unclaimed import why_unclaimed
from errata.tools.text.words import split_stems, stem

UNSUPPORTED = "nothing in the draft is supported; it is returned as it was"
_NO_WORDS = re.compile(r"[\W\d_]*\Z")
_POINTS_BACK = re.compile(
    r"(?:(?:in|at|on|by|for|to|of|from|with|under|until|during|because|as|ever|the|all|any|some|many"
    r"|most|both|each|one|two|three|none|half) )*"
    r"(?:this|that|these|those|such|then|there(?! (?:is|are|was|were|has|have|had)\b)|another"
    r"|others?|ones?|same|former|latter|rest|next|following|previous|result|consequence|contrary"
    r"|example|instance|contrast|turn|fact|particular|response|return|neither|either"
    r"|addition(?! to (?!th))|instead"
    r"|otherwise|therefore|thus|hence|so|thereby|thereafter|consequently|accordingly|however"
    r"|nevertheless|nonetheless|yet|but|and|or|nor|though|likewise|similarly|conversely"
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

    A heading of nothing and the introduction of a list go with what stood below them. What the rest
    needs stays, such as a sentence that the next one refers to. A pronoun whose name is gone is
    replaced by it. There are no edits, and a note, if no sentence would remain but such as state
    nothing or are in `unsound`, for a false answer is no better than a flagged one.
    """
    if not edits:
        return [], []
    sentences, protected = split_draft(question, draft), protected_places(draft)
    deletions, others = _find_deletions(draft, sentences, protected, edits)
    others, notes = [edit for edit in others if not _is_spared(edit)], list[str]()
    if not deletions:
        return sorted(others, key=place_of), notes
    page = Page(draft, sentences)
    gone, stay, names = _take_out(page, sentences, set(deletions))
    for number in sorted(stay.keys() & deletions.keys()):
        edit, reason = deletions[number], stay[number]
        whose = f"claim {', '.join(edit.claims)}" if edit.claims else f"the text at {edit.start}"
        notes.append(f"{whose} has no support and stays in the draft: {reason}")
    false = Spans(unsound, lambda span: span)
    left = [s for number, s in enumerate(sentences) if number not in gone]
    stating = (s for s in left if s.label or not why_unclaimed(s.text))
    if gone and all(false.touching(s.start, s.end) for s in stating):
        return [], [*notes, UNSUPPORTED]
    asked = [deletions[number] for number in sorted(deletions)]
    cuts = [_ground(cut, asked) for cut in page.cuts(gone)]
    taken = Spans(cuts, place_of)
    named = [_name(sentences[number]) for number in names]
    others += [edit for edit in named if not overlaps(edit, others)]
    rest = [e for e in others if not taken.touching(e.start, max(e.end, e.start + 1))]
    return sorted([*cuts, *rest], key=place_of), notes


def _ground(cut: Edit, gone: Sequence[Edit]) -> Edit:
    """A cut that rests on the claims that went there; where none did, on those of the next one."""
    own = Spans(gone, place_of).touching(cut.start, cut.end)
    return rest_on(cut, own or [next((e for e in gone if e.start >= cut.start), gone[-1])])


def _find_deletions(
    draft: str, sentences: Sequence[Sentence], protected: Spans[Span], edits: Iterable[Edit]
) -> tuple[dict[int, Edit], list[Edit]]:
    """The edits that delete whole sentences, by the sentence's number, and the others."""
    places = Spans(range(len(sentences)), lambda n: place_of(sentences[n]))
    deletions, others = dict[int, Edit](), list[Edit]()
    for edit in edits:
        numbers = places.touching(edit.start, edit.end)
        spans = [place_of(sentences[n]) for n in numbers]
        known = sorted([*spans, *protected.touching(edit.start, edit.end)])
        left = "".join(draft[a:b] for a, b in outside(place_of(edit), known))
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
    page: Page, sentences: Sequence[Sentence], gone: set[int]
) -> tuple[set[int], dict[int, str], set[int]]:
    """What goes, so that the rest needs none of it; what stays, and why; whose pronoun is named."""
    stay = dict[int, str]()
    while True:
        lost = page.lost(gone)
        idle = {number for number, block in page.leads.items() if block in lost}
        if more := set(filter(page.ends_open, idle)) - gone - stay.keys():
            gone = gone | more
            continue
        needs, names = _find_needs(sentences, gone, page.breaks)
        needs |= dict.fromkeys(page.leads.keys() & gone - idle, "it introduces what follows it")
        if not needs:
            return gone, stay, names
        stay |= needs
        gone = gone - needs.keys()


def _name(sentence: Sentence) -> Edit:
    """The name in place of the pronoun at the start of a sentence."""
    subject, places = sentence.subject, sentence.passage.places
    word = re.search(rf"\b{re.escape(subject)}(?!\w)", sentence.text)
    first = sentence.offset + (word.start() if word else 0)
    start, end = places[first], places[first + len(subject) - 1] + 1
    name = replace_pronoun(subject, sentence.antecedent)
    reason = "the sentence that named it is gone"
    return Edit(start=start, end=end, before=subject, after=name, explanation=reason)


def _find_needs(
    sentences: Sequence[Sentence], gone: set[int], breaks: set[int]
) -> tuple[dict[int, str], set[int]]:
    """What the sentences that stay need of those that are to go, each with the reason.

    Also those in which a leading "he" or "she" becomes a name, since the sentence that named it
    goes; what another pronoun stands for stays. `breaks` are the first sentences after headings.
    """
    stay, renamed, spoken_of = dict[int, str](), set[int](), set[str]()
    first = next((n for n, s in enumerate(sentences) if n not in gone and not s.label), 0)
    known = next((s.antecedents.names for s in sentences if not s.label), ())
    for number, sentence in enumerate(sentences):
        check_time()
        if number in gone or sentence.label:
            continue
        thing = _THING.match(sentence.text)
        is_new = thing is not None and stem(thing[1]) not in spoken_of
        spoken_of.update(split_stems(sentence.text))
        pronoun, name = _leading_pronoun(sentence), sentence.antecedent
        is_orphan = number - 1 in gone and number not in breaks
        if is_orphan and (is_new or _needs_last(sentences[number - 1], sentence)):
            stay |= _before(sentences, number, gone)
        elif pronoun and sentence.source in gone and (name not in known or number == first):
            if pronoun in _PERSONS and is_name(name):
                renamed.add(number)
                known = (name,)
            else:
                stay[sentence.source] = "it is unclear what a pronoun after it stands for"
        if is_name(sentence.subject) and not any(sentence.subject in each for each in known):
            known = ()
    return stay, renamed


def _before(sentences: Sequence[Sentence], number: int, gone: set[int]) -> Mapping[int, str]:
    """The sentence before one, with those that it goes on from in turn."""
    stay, last = dict[int, str](), number - 1
    while last in gone and last not in stay:
        stay[last] = "what follows it refers to it"
        last -= bool(_POINTS_BACK.match(sentences[last].text))
    return stay


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
    named = is_name(re.split("['’]s? ", last.subject)[0])
    is_person = pronoun in _PERSONS and (earlier in _PERSONS or named)
    return not (sentence.antecedent and is_person)
