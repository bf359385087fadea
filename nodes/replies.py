"""What models' replies hold: lists, labels that are taken back, a text written anew."""

import re
from collections.abc import Sequence
from itertools import islice

from errata.core.records import Claim
from errata.tools.models.chat import is_refusal

INSTEAD = "each claim was asked about instead"
"""What follows where a model planned no questions."""
_NO_CLAIM = re.compile(r":$|^\W*(?:```.*)?$")
LIST_MARK = re.compile(
    r"^\s*(?:[-*•]\s+"
    r"|(?:(?:fact|claim|statement|query|(?:sub-?)?question)\s*)?#?\d{1,3}\s*[.:)]\s*)",
    re.IGNORECASE,
)


def read_claims(reply: str) -> Sequence[str]:
    r"""One claim a line, without numbers, bullets and headings.

    >>> read_claims("Facts:\n1. Ada was a countess.\n- She wrote notes.")
    ['Ada was a countess.', 'She wrote notes.']
    """
    lines = (LIST_MARK.sub("", line).strip() for line in reply.splitlines())
    return list(dict.fromkeys(line for line in lines if line and not _NO_CLAIM.search(line)))


def read_questions(reply: str) -> list[str]:
    r"""One question a line, each once; lines that are no question fall away.

    >>> read_questions("Sub-Questions:\n1. Who was Ada?\n2) When was Ada born?\n- Who was Ada?")
    ['Who was Ada?', 'When was Ada born?']
    """
    by_words = dict[str, str]()
    for line in (LIST_MARK.sub("", line).strip() for line in reply.splitlines()):
        if line.endswith("?"):
            by_words.setdefault(line.casefold(), line)
    return list(by_words.values())


def question_for(claim: Claim) -> str:
    """A claim as a question."""
    return f"Is it true that {claim.text.rstrip('.!? ')}?"


_WORD = re.compile(r"\w+")
_TAKEN_BACK = re.compile(
    r"\s*\?|\W{0,4}(?:but|wait|actually|however)\b|\s*,\s*not\b|\s+with (?:neither|none|nothing)\b"
    r"|\W{0,4}not (?:really|quite|exactly|entirely|fully)\b",
    re.IGNORECASE,
)
"""What follows a label that the reply does not stand by."""


def is_taken_back(reply: str, end: int) -> bool:
    """Whether a reply does not stand by the label that ends at a place.

    >>> is_taken_back("True? No.", 4), is_taken_back("True: it was 1867.", 4)
    (True, False)
    """
    return bool(_TAKEN_BACK.match(reply, end))


def repeats(reply: str, claim: str) -> bool:
    """Whether a reply opens with the claim, whose first word may look like a label.

    >>> repeats("True Grit is a film.", "True Grit is a film."), repeats("True.", "True Grit.")
    (True, False)
    """
    words = _WORD.findall(claim.casefold())
    said = (match[0] for match in _WORD.finditer(reply.casefold()))
    return len(words) > 1 and list(islice(said, len(words))) == words


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
