"""Statements made of questions and their answers, by rules of English."""

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
_OBJECT = re.compile(r"^(?:what|which|who|whom|whose)\b(.*?)\b(did|do|does) (.+)$", _FLAGS)
_SUBJECT = re.compile(rf"^(?:what|which|who|whose)\b(.*?)\b({_AUX} .+)$", _FLAGS)
_BARE = re.compile(r"^(?:who|what) (.+)$", _FLAGS)
_ADVERB = re.compile(rf"^(when|where|why|how)\b.*?\b({_AUX}) (.+)$", _FLAGS)
_OPENING = re.compile(rf"^{_PREPOSITION}\b", _FLAGS)


def make_statement(question: str, answer: str) -> str:
    """What a question and its answer state together, not always grammatically.

    The style follows question-to-declarative conversion (Demszky, Guu and Liang, 2018), with
    patterns instead of a parser.

    >>> make_statement("What is the capital of France?", "Paris")
    'Paris is the capital of France.'
    """
    plain = " ".join(question.split()).rstrip(" ?.")
    for pattern, state in _FORMS:
        if match := pattern.match(plain):
            return f"{state(match, answer)}."
    return f"{plain}: {answer}."


def _state_fronted(match: re.Match[str], answer: str) -> str:
    place = answer if _OPENING.match(answer) else f"{match[1]} {answer}"
    verb = "" if match[2].lower() in ("did", "do", "does") else f"{match[2]} "
    return f"{place}, {verb}{match[3]}"


def _state_adverb(match: re.Match[str], answer: str) -> str:
    link = {"when": "in ", "where": "in ", "why": "because ", "how": ""}[match[1].lower()]
    return f"{match[3]} {answer if _OPENING.match(answer) else link + answer}"


def _with_kind(kind: str, answer: str) -> str:
    """The answer with the question's word for it: "the Rhine, river,"."""
    return f"{answer}, {kind.strip()}," if kind.strip() else answer


_FORMS = (
    (_FRONTED, _state_fronted),
    (_COUNTED, lambda m, answer: f"{m[3]} {answer} {m[1]}"),
    (_COUNT, lambda m, answer: f"{answer} {m[1]}"),
    (_OBJECT, lambda m, answer: f"{m[3]} {_with_kind(m[1], answer)}".rstrip(",")),
    (_SUBJECT, lambda m, answer: f"{_with_kind(m[1], answer)} {m[2]}"),
    (_BARE, lambda m, answer: f"{answer} {m[1]}"),
    (_ADVERB, _state_adverb),
)
