"""A model's rewriting of a draft or of its sentences, and the edits it comes to."""

import re
from asyncio import to_thread
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from errata.core.edits import diff, in_form_of
from errata.core.errors import count
from errata.core.records import Edit
from errata.nodes.ask import ask_in_batches, ask_role
from errata.nodes.context import Context
from errata.nodes.state import CorrectionState, RevisionContext
from errata.nodes.step import note
from errata.tools.local.guard import guard
from errata.tools.local.mends import GOES
from errata.tools.models.message import is_refusal
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
    lost = "the draft was not revised"
    reply = await ask_role(context, role, template, if_failed=lost, draft=draft, **values)
    if reply.failure:
        return []
    text = read_revision(reply.text)
    if not holds_text(text):
        note(f"{lost}: the reply holds no text")
        return []
    return await to_thread(lambda: diff(draft, in_form_of(draft, text)))


async def rewrite_lines(
    context: Context, template: str, question: str, draft: str, lines: Sequence[Line]
) -> list[Edit]:
    """The edits of sentences that a model mends, as many in a call as the template takes."""

    def left_out(lines: Iterable[Line]) -> None:
        reason = "was not revised: the reply left it out"
        note(*(f"the sentence at {line.start} {reason}" for line in lines))

    def number(texts: Iterable[Iterable[str]]) -> str:
        numbered = enumerate(texts, start=1)
        return "\n".join(f"{n}. {' '.join(text.split())}" for n, own in numbered for text in own)

    async def reword(batch: Sequence[Line]) -> dict[Line, str]:
        """A model's wording of each line that its reply has; of a useless one empty texts."""
        values = {
            "question": question,
            "draft": number([plain_text(draft[line.start : line.end])] for line in batch),
            "claims": number(line.claims for line in batch),
            "errors": number(line.errors for line in batch),
        }
        lost = f"{count(batch, 'sentence', 'was')} not revised"
        reply = await ask_role(context, "revise", template, if_failed=lost, **values)
        texts = {} if reply.failure else read_lines(reply.text, len(batch))
        if texts:
            return {line: texts[n] for n, line in enumerate(batch, start=1) if n in texts}
        left_out(() if reply.failure else batch)
        return dict.fromkeys(batch, "")

    takes_many = context.template(template).head.reply.startswith("a line a")
    texts = await ask_in_batches(reword, lines, LINES_PER_CALL if takes_many else 1)
    left_out(line for line in lines if line not in texts)
    return [edit for line, text in texts.items() if text for edit in _edits_of(draft, line, text)]


def plain_text(sentence: str) -> str:
    """A sentence without the mark of a list before it."""
    return _BULLET.sub("", sentence)


_NUMBERED = re.compile(
    r"^\W{0,4}(?:sentence\s*)?#?(?P<number>\d{1,3})\W{0,2}[.:)\]：][*_]{0,2}(?=[\s\w\"“(])\s*",
    re.IGNORECASE | re.MULTILINE,
)


def read_lines(reply: str, most: int) -> dict[int, str]:
    r"""The text after each number of a reply that begins a line.

    A reply without numbers is read line by line if it has as many as are expected.

    >>> read_lines("1. Ada sang.\n2: She won.", 3)
    {1: 'Ada sang.', 2: 'She won.'}
    """
    reply = _TAG.sub("", read_revision(reply)).strip()
    marks = [mark for mark in _NUMBERED.finditer(reply) if 1 <= int(mark["number"]) <= most]
    if not marks:
        rows = [row for row in reply.splitlines() if row.strip() and not row.rstrip().endswith(":")]
        rows = [reply] if most == 1 else rows
        return dict(enumerate(rows, start=1)) if reply and len(rows) == most else {}
    ends = [*(mark.start() for mark in marks[1:]), len(reply)]
    texts = dict[int, str]()
    for mark, end in zip(marks, ends, strict=True):
        text = " ".join(_BLANK.split(reply[mark.end() : end])[0].split())
        texts |= {int(mark["number"]): text} if text else {}
    return texts


def _edits_of(draft: str, line: Line, text: str) -> list[Edit]:
    """The edits that a model's wording of one sentence comes to; none, and a note, if unfit."""
    before = draft[line.start : line.end]
    if _GONE.fullmatch(text) and line.may_go:
        return [Edit(start=line.start, end=line.end, before=before, after="")]
    plain = plain_text(before)
    faults = {
        "keeps it": _KEPT.fullmatch(text),
        "leaves it out": _GONE.fullmatch(text),
        "holds more than that sentence": len(split_sentences(text)) > len(split_sentences(plain)),
        "holds a remark in its place": _is_remark(line, plain, text),
        "keeps the brackets of its facts": GOES in text and GOES not in plain,
    }
    if fault := next((words for words, is_so in faults.items() if is_so), ""):
        note(f"the sentence at {line.start} was not revised: the reply {fault}")
        return []
    return diff(plain, in_form_of(plain, text), line.end - len(plain))


def _is_remark(line: Line, plain: str, text: str) -> bool:
    """Whether a wording is about the task: it says nothing of what the sentence is about."""
    if is_refusal(text) and not is_refusal(plain):
        return True
    says_nothing = not _stems(text) & _stems(" ".join((plain, *line.claims, *line.errors)))
    return says_nothing or any(map(str.isalpha, plain)) > any(map(str.isalpha, text))


def _stems(text: str) -> frozenset[str]:
    """The stems of content words, and the letters of scripts that part no words."""
    letters = (letter for letter in text if letter.isalpha() and letter >= _UNSPACED)
    return content_stems(text).union(letters)


async def drop_harmful(
    state: CorrectionState, context: RevisionContext, edits: Sequence[Edit], *ground: Any
) -> list[Edit]:
    """The edits that the guard, where it can judge, lets stand; the others are noted."""
    if not (edits and context.guard and state.documents):
        return list(edits)
    if await to_thread(detect_foreign_draft, state.draft):
        return list(edits)
    harmless, drops = await to_thread(guard, state.question, state.draft, edits, *ground)
    note(*drops)
    return harmless


_LEAD = re.compile(
    r"^\W*(?:here (?:is|are) (?:the |your )?)?(?:corrected|revised|mended) "
    r"(?:answer|draft|text|response|sentences?)\W*:[*_]*\s*",
    re.IGNORECASE,
)
_TAGS = re.compile(
    r"\A<(?P<tag>draft|text|answer|response|claims?|sentences?)>(?P<text>(?:(?!</?(?P=tag)>).)*)"
    r"</(?P=tag)>\Z",
    re.DOTALL | re.IGNORECASE,
)
_FENCE = re.compile(r"\A```[\w-]*\n((?:(?!```).)*)\n```\Z", re.DOTALL)
_NOT_CHANGED = re.compile(
    r"\W{0,9}(?:none|n/a|nothing|unchanged|no (?:changes?|revisions?|corrections?|edits?)"
    r"(?: (?:is|are|was|were))?(?: (?:needed|necessary|required|made))?)?\W{0,9}",
    re.IGNORECASE,
)
"""What a reply has in place of a text that it leaves as it is."""


def read_revision(reply: str) -> str:
    """A model's revision, without a label before it, and a fence of code or tags around it.

    >>> read_revision("Corrected answer: Ada was born in 1815.")
    'Ada was born in 1815.'
    """
    plain = _FENCE.sub(r"\1", _LEAD.sub("", _FENCE.sub(r"\1", reply.strip())))
    return _TAGS.sub(lambda found: found["text"].strip(), plain)


def holds_text(revision: str) -> bool:
    """Whether a revision is a text: not empty, no refusal, no words for leaving all as it is.

    >>> holds_text("Ada was born in 1815."), holds_text("(no changes needed)")
    (True, False)
    """
    return bool(revision) and not (_NOT_CHANGED.fullmatch(revision) or is_refusal(revision))
