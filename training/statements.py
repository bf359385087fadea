"""Questions with their answers turned into statements, by rule."""

import re

_AUXILIARIES = (
    "is are was were am be did do does has have had can could will would may might should must"
).split()
_AUX = rf"(?:{'|'.join(_AUXILIARIES)})"
_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_PREPOSITION = r"(?:in|on|at|by|for|from|to|with|of|during|under|after|before|into|through)"
_FLAGS = re.IGNORECASE
_FRONTED = re.compile(rf"^({_PREPOSITION}) {_WH}\b[^,]*? ({_AUX}) (.+)$", _FLAGS)
_COUNTED = re.compile(r"^how (?:many|much) (.*?) ?\b(did|do|does|has|have|had) (.+)$", _FLAGS)
_COUNT = re.compile(r"^how (?:many|much) (.+)$", _FLAGS)
_ASKED = re.compile(r"^(?:what|which|who|whom|whose)\b(.*?)\b(did|do|does) (.+)$", _FLAGS)
_SUBJECT = re.compile(rf"^(?:what|which|who|whose)\b(.*?)\b({_AUX} .+)$", _FLAGS)
_BARE = re.compile(r"^(?:who|what) (.+)$", _FLAGS)
_ADVERB = re.compile(rf"^(when|where|why|how)\b.*?\b({_AUX}) (.+)$", _FLAGS)
_OPENING = re.compile(rf"^{_PREPOSITION}\b", _FLAGS)


def statement(question: str, answer: str) -> str:
    """State what a question asks with an answer in its place; its grammar may limp.

    The style follows question-to-declarative conversion (Demszky, Guu and Liang, 2018), by
    patterns instead of a parser.
    """
    asked = " ".join(question.split()).rstrip(" ?.")
    for pattern, state in _FORMS:
        if found := pattern.match(asked):
            return f"{state(found, answer)}."
    return f"{asked}: {answer}."


def _fronted(found: re.Match[str], answer: str) -> str:
    place = answer if _OPENING.match(answer) else f"{found[1]} {answer}"
    verb = "" if found[2].lower() in ("did", "do", "does") else f"{found[2]} "
    return f"{place}, {verb}{found[3]}"


def _adverb(found: re.Match[str], answer: str) -> str:
    link = {"when": "in ", "where": "in ", "why": "because ", "how": ""}[found[1].lower()]
    return f"{found[3]} {answer if _OPENING.match(answer) else link + answer}"


def _named(kind: str, answer: str) -> str:
    """Put what the question calls the answer beside it."""
    return f"{answer}, {kind.strip()}," if kind.strip() else answer


_FORMS = (
    (_FRONTED, _fronted),
    (_COUNTED, lambda m, answer: f"{m[3]} {answer} {m[1]}"),
    (_COUNT, lambda m, answer: f"{answer} {m[1]}"),
    (_ASKED, lambda m, answer: f"{m[3]} {_named(m[1], answer)}".rstrip(",")),
    (_SUBJECT, lambda m, answer: f"{_named(m[1], answer)} {m[2]}"),
    (_BARE, lambda m, answer: f"{answer} {m[1]}"),
    (_ADVERB, _adverb),
)
