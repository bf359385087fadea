"""A model's rewriting of a draft or of its sentences, the edits it comes to, a last reading."""

import re
from asyncio import to_thread
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from errata.core.edits import apply_edits, compose, diff, in_form_of
from errata.core.records import Edit, Fix
from errata.nodes.ask import ask, ask_in_batches
from errata.nodes.context import Context
from errata.nodes.ledger import note
from errata.nodes.replies import holds_text, read_revision
from errata.nodes.state import CorrectionState, RereadingContext, RevisionContext
from errata.tools.local.guard import Flaw, guard, reread
from errata.tools.models.chat import is_refusal
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import content_stems

LINES_PER_CALL = 25
"""How many sentences a model mends in one call; more take several calls at once."""
_KEPT = re.compile(r"\W*(?:unchanged|no changes?(?: needed)?)\W*", re.IGNORECASE)
"""What stands in place of a sentence that stays."""
_TAG = re.compile(r"^\s*</?\w+>\s*$", re.MULTILINE)
_GONE = re.compile(
    r"\W*(?:(?:none|nothing|n/a|left out|(?:re)?moved?|deleted?|omit(?:ted)?)\W*)?", re.IGNORECASE
)
"""What stands in place of a sentence that is to go."""
_BLANK = re.compile(r"\n\s*\n")
_OF_REMARKS = content_stems(
    "claim correct correction deleted document enough error evidence fact false incorrect"
    " information insufficient mention mistake page passage removed say says sentence source state"
    " statement text true unknown verify wrong"
)
"""What remarks speak of, on any sentence."""
_UNSPACED = "\N{THAI CHARACTER KO KAI}"
"""The first letter of the scripts that part no words."""
_BULLET = re.compile(r"\A(?:[-*•#>]+|\d{1,3}[.)])\s+")


class Line(NamedTuple):
    """A sentence of the draft that a model mends, with what it should say and should not."""

    start: int
    end: int
    claims: tuple[str, ...]
    errors: tuple[str, ...]
    may_go: bool = False
    """Whether the model may leave the sentence out."""


async def rewrite_draft(
    context: Context, role: str, template: str, draft: str, **values: str
) -> list[Edit]:
    """The edits that a model's rewriting comes to; none if it fails."""
    text = await rewrite_text(context, role, template, draft, **values)
    return await to_thread(diff, draft, text)


async def rewrite_text(
    context: Context, role: str, template: str, draft: str, **values: str
) -> str:
    """A model's rewriting of a text, with its line ends; the text itself if that fails."""
    consequence = "the draft was not revised"
    reply = await ask(context, role, template, if_failed=consequence, draft=draft, **values)
    if reply.failure:
        return draft
    text = read_revision(reply.text)
    if not holds_text(text):
        note(f"{consequence}: the reply holds no text")
        return draft
    return in_form_of(draft, text)


async def rewrite_lines(
    context: Context, template: str, question: str, draft: str, lines: Sequence[Line]
) -> list[Edit]:
    """The edits of sentences that a model mends, many in one call; a failure leaves them.

    By a version of the template whose reply is one sentence, each has a call of its own.
    """
    takes_many = context.template(template).head.reply.startswith("a line a")
    reword = partial(_reword, context, template, question, draft)
    texts = await ask_in_batches(reword, lines, LINES_PER_CALL if takes_many else 1)
    _note_left_out([line for line in lines if line not in texts])
    return [edit for line, text in texts.items() if text for edit in _edits_of(draft, line, text)]


async def _reword(
    context: Context, template: str, question: str, draft: str, lines: Sequence[Line]
) -> dict[Line, str]:
    """A model's wording of each line that its reply has; of a useless one empty texts."""
    values = {
        "question": question,
        "draft": _number([plain_text(draft[line.start : line.end])] for line in lines),
        "claims": _number(line.claims for line in lines),
        "errors": _number(line.errors for line in lines),
    }
    places = ", ".join(str(line.start) for line in lines)
    lost = f"the {'sentences' if len(lines) > 1 else 'sentence'} at {places} "
    lost += f"{'were' if len(lines) > 1 else 'was'} not revised"
    reply = await ask(context, "revise", template, if_failed=lost, **values)
    texts = {} if reply.failure else read_lines(reply.text, len(lines))
    if not (texts or reply.failure):
        _note_left_out(lines)
    if not texts:
        return dict.fromkeys(lines, "")
    return {line: texts[n] for n, line in enumerate(lines, start=1) if n in texts}


def _note_left_out(lines: Iterable[Line]) -> None:
    reason = "was not revised: the reply left it out"
    note(*(f"the sentence at {line.start} {reason}" for line in lines))


def _number(texts: Iterable[Iterable[str]]) -> str:
    """Texts one a line, each after the number of what it belongs to."""
    numbered = enumerate(texts, start=1)
    return "\n".join(f"{n}. {' '.join(text.split())}" for n, own in numbered for text in own)


def plain_text(sentence: str) -> str:
    """A sentence without the mark of a list before it."""
    return _BULLET.sub("", sentence)


def read_lines(reply: str, count: int) -> dict[int, str]:
    r"""The text after each number of a reply, also where all stand in one line.

    A reply without numbers is read line by line if it has as many as are expected.

    >>> read_lines("1. Ada sang.\n2: She won.", 3)
    {1: 'Ada sang.', 2: 'She won.'}
    """
    reply = _TAG.sub("", read_revision(reply)).strip()
    marks = list(_find_numbers(reply, count))
    if not marks:
        rows = [row for row in reply.splitlines() if row.strip() and not row.rstrip().endswith(":")]
        rows = [reply] if count == 1 else rows
        return dict(enumerate(rows, start=1)) if reply and len(rows) == count else {}
    ends = [*(start for _, start, _ in marks[1:]), len(reply)]
    texts = {
        number: " ".join(_BLANK.split(reply[after:end])[0].split())
        for (number, _, after), end in zip(marks, ends, strict=True)
    }
    return {number: text for number, text in texts.items() if text}


def _find_numbers(reply: str, count: int) -> Iterable[tuple[int, int, int]]:
    """Each number from 1 with where its mark begins and ends, in order; some may be missing."""
    place = 0
    for number in range(1, count + 1):
        mark = rf"\W{{0,4}}(?:sentence\s*)?#?{number}\W{{0,2}}[.:)\]：][*_]{{0,2}}(?=[\s\w\"“(])\s*"
        flags = re.IGNORECASE | re.MULTILINE
        found = re.compile(rf"^{mark}", flags).search(reply, place)
        found = found or re.compile(rf"(?<=[.!?\"”)])\s+{mark}", flags).search(reply, place)
        if found:
            yield number, found.start(), found.end()
            place = found.end()


def _edits_of(draft: str, line: Line, text: str) -> list[Edit]:
    """The edits that a model's wording of one sentence comes to."""
    before = draft[line.start : line.end]
    if _GONE.fullmatch(text) and line.may_go:
        return [Edit(start=line.start, end=line.end, before=before, after="")]
    plain = plain_text(before)
    if fault := _fault_of(line, plain, text):
        note(f"the sentence at {line.start} was not revised: the reply {fault}")
        return []
    return diff(plain, in_form_of(plain, text), line.end - len(plain))


def _fault_of(line: Line, plain: str, text: str) -> str:
    """Why a model's wording cannot stand for a sentence; empty if it can."""
    if _KEPT.fullmatch(text):
        return "keeps it"
    if _GONE.fullmatch(text):
        return "leaves it out"
    if len(split_sentences(text)) > len(split_sentences(plain)):
        return "holds more than that sentence"
    return "holds a remark in its place" if _is_remark(line, plain, text) else ""


def _is_remark(line: Line, plain: str, text: str) -> bool:
    """Whether a wording is about the task: it says nothing of what the sentence is about."""
    if is_refusal(text) and not is_refusal(plain):
        return True
    grounds = _stems(" ".join((*line.claims, *line.errors))) - _OF_REMARKS
    says_nothing = not _stems(text) & (_stems(plain) | grounds)
    return says_nothing or _has_letter(plain) > _has_letter(text)


def _has_letter(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def _stems(text: str) -> frozenset[str]:
    """The stems of content words, and the letters of scripts that part no words."""
    letters = (letter for letter in text if letter.isalpha() and letter >= _UNSPACED)
    return content_stems(text).union(letters)


async def drop_harmful(
    state: CorrectionState, context: RevisionContext, edits: Sequence[Edit], *ground: Any
) -> list[Edit]:
    """The edits that the guard lets stand by what they rest on; the others are noted.

    All do where a run has no guard or no documents, or the draft is not in English.
    """
    if not (edits and context.guard and state.documents):
        return list(edits)
    if await to_thread(detect_foreign_draft, state.draft):
        return list(edits)
    harmless, drops = await to_thread(guard, state.question, state.draft, edits, *ground)
    note(*drops)
    return harmless


async def reread_text(
    state: CorrectionState, context: RereadingContext, edits: Sequence[Edit], template: str
) -> list[Edit]:
    """The edits, with those that mend what they make the text say twice.

    What code cannot mend, the model that revises is asked to, in one call; without one, or if it
    fails, a note says what reads badly.
    """
    if not edits or not context.reread:
        return list(edits)
    if await to_thread(detect_foreign_draft, state.draft):
        return list(edits)
    flaws = await to_thread(reread, state.question, state.draft, edits)
    mended = compose(state.draft, edits, [flaw.mend for flaw in flaws if flaw.mend])
    if all(flaw.mend for flaw in flaws):
        return mended
    found = await to_thread(reread, state.question, state.draft, mended)
    left = [flaw for flaw in found if not flaw.mend]
    text = apply_edits(state.draft, mended)
    asks = context.model_for("revise") is not None
    changes = await _ask_to_mend(state, context, template, text, left) if asks else []
    changed = [flaw for flaw in left if _touches(flaw, changes)]
    note(*(f"“{text[f.start : f.end]}”: {f.reason}" for f in left if f not in changed))
    return compose(state.draft, mended, changes)


async def _ask_to_mend(
    state: CorrectionState,
    context: RereadingContext,
    template: str,
    text: str,
    flaws: Sequence[Flaw],
) -> list[Edit]:
    """A model's edits of the sentences with flaws, without those that add new facts."""
    near = ((flaw.near,) if flaw.near else () for flaw in flaws)
    pairs = zip(flaws, near, strict=True)
    lines = [
        Line(flaw.start, flaw.end, texts, (flaw.reason,), may_go=True) for flaw, texts in pairs
    ]
    changes = await rewrite_lines(context, template, state.question, text, lines)
    if not context.guard:
        return changes
    known = [Fix(claim="", text=text)]
    ground = (text, changes, (), known, state.documents)
    harmless, notes = await to_thread(guard, state.question, *ground)
    note(*notes)
    return harmless


def _touches(flaw: Flaw, edits: Sequence[Edit]) -> bool:
    return any(edit.start <= flaw.end and flaw.start <= edit.end for edit in edits)
