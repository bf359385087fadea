"""Sentences made to deny what they say, or to say what they deny."""

import re
from collections.abc import Iterator

NEGATABLE = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|should|must|does|did"
    r"|(?:has|have|had)(?= (?:been|become|won|made|taken|given|grown|shown|found|\w+ed)\b))\b"
    r"(?! (?:not|never|no|n't|the)\b)(?= \w)"
)
NEGATED = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|may|might|does|do|did|has|have|had) not\b"
)
CONTRACTED = re.compile(
    r"\b(is|are|was|were|could|would|should|must|does|do|did|has|have|had)n['’]t\b"
)
CANNOT = re.compile(r"\bcan(?:not|['’]t)\b")
NEVER = re.compile(r"\bnever ")
PASTS = {
    "founded": "found", "wrote": "write", "won": "win", "lost": "lose", "became": "become",
    "began": "begin", "played": "play", "studied": "study", "worked": "work", "moved": "move",
    "joined": "join", "died": "die", "served": "serve", "received": "receive",
    "published": "publish", "released": "release", "made": "make", "took": "take", "gave": "give",
    "led": "lead", "directed": "direct", "lived": "live", "left": "leave", "returned": "return",
    "married": "marry", "attended": "attend", "appeared": "appear", "started": "start",
    "ended": "end", "signed": "sign", "used": "use", "created": "create", "developed": "develop",
    "introduced": "introduce", "included": "include", "found": "find", "showed": "show",
    "reported": "report", "built": "build", "opened": "open", "closed": "close", "sold": "sell",
    "bought": "buy", "acquired": "acquire", "defeated": "defeat", "increased": "increase",
    "decreased": "decrease", "reached": "reach", "remained": "remain", "held": "hold",
    "graduated": "graduate", "announced": "announce", "accepted": "accept", "rejected": "reject",
    "supported": "support", "required": "require", "allowed": "allow", "helped": "help",
    "continued": "continue", "produced": "produce", "recorded": "record", "performed": "perform",
    "earned": "earn", "caused": "cause",
}  # fmt: skip
SIMPLE_PAST = re.compile(rf"\b(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|who|[A-Z]\w+) ({'|'.join(PASTS)})\b")
_THERE = re.compile(r"(There (?:is|are|was|were)) (?:an? |any |some )?(?!no\b|not\b)")
_HAS = re.compile(r"\b(?P<verb>has|have|had) (?P<article>an?|any)\b ?")
_HAS_NO = re.compile(r"\b(?P<verb>has|have|had) no (?P<next>\w)")
_DO = {"has": "does not have", "have": "do not have", "had": "did not have"}


def deny(text: str) -> Iterator[str]:
    """A sentence with a "not" put in where English puts one; empty where no rule fits.

    >>> list(deny("Venus has a magnetic field."))
    ['Venus does not have a magnetic field.']
    """
    if match := _THERE.match(text):
        yield f"{match[1]} no {text[match.end() :]}"
    elif match := _HAS.search(text):
        yield f"{text[: match.start()]}{_DO[match['verb']]} {text[match.start('article') :]}"
    elif match := NEGATABLE.search(text):
        yield f"{text[: match.end()]} not{text[match.end() :]}"
    elif match := SIMPLE_PAST.search(text):
        yield f"{text[: match.start(1)]}did not {PASTS[match[1]]}{text[match.end() :]}"


def remove_denial(text: str) -> Iterator[str]:
    """A sentence without a "not" or "never" beside its verb; empty where it has none."""
    for pattern, new in ((NEGATED, r"\1"), (CONTRACTED, r"\1"), (CANNOT, "can"), (NEVER, "")):
        if pattern.search(text):
            yield pattern.sub(new, text, count=1)


def affirm(text: str) -> Iterator[str]:
    """A sentence without its "not", "no" or "never"; empty where it has none.

    >>> list(affirm("Venus has no atmosphere."))
    ['Venus has an atmosphere.']
    """
    yield from remove_denial(text)
    if match := _HAS_NO.search(text):
        article = "an" if match["next"].lower() in "aeiou" else "a"
        yield f"{text[: match.start()]}{match['verb']} {article} {text[match.start('next') :]}"
