"""Statements made of questions and their answers, by rules of English."""

import re

_DO, _PLACE = "(?:did|do|does)", "in|on|at|by|for|from|to|with|of|during|under|after|before|into"
_AUX = f"(?:is|are|was|were|am|be|{_DO}|has|have|had|can|could|will|would|may|might|should|must)"
_FRONTED = rf"(?P<link>{_PLACE}) (?:wh\w+|how)\b[^,]*?"
_FORMS = tuple(
    (re.compile(f"^{pattern}$", re.IGNORECASE), link, form)
    for pattern, link, form in (
        (rf"{_FRONTED} {_DO} (?P<rest>.+)", "", "{placed}, {rest}"),
        (rf"{_FRONTED} (?P<rest>{_AUX} .+)", "", "{placed}, {rest}"),
        (
            rf"how (?:many|much) (?P<kind>.*?) ?\b(?:{_DO}|has|have|had) (?P<rest>.+)",
            "",
            "{rest} {answer} {kind}",
        ),
        (r"how (?:many|much) (?P<rest>.+)", "", "{answer} {rest}"),
        (rf"(?:what|which|whom?|whose)\b(?P<kind>.*?)\b{_DO} (?P<rest>.+)", "", "{rest} {named}"),
        (rf"(?:what|which|who|whose)\b(?P<kind>.*?)\b(?P<rest>{_AUX} .+)", "", "{named} {rest}"),
        (r"(?:who|what) (?P<rest>.+)", "", "{answer} {rest}"),
        (rf"(?:when|where)\b.*?\b{_AUX} (?P<rest>.+)", "in", "{rest} {placed}"),
        (rf"why\b.*?\b{_AUX} (?P<rest>.+)", "because", "{rest} {placed}"),
        (rf"how\b.*?\b{_AUX} (?P<rest>.+)", "", "{rest} {answer}"),
    )
)
"""A question's form, the word that links its answer, and what both state."""


def make_statement(question: str, answer: str) -> str:
    """What a question and its answer state together, not always grammatically.

    The style follows question-to-declarative conversion (Demszky, Guu and Liang, 2018), with
    patterns instead of a parser.

    >>> make_statement("What is the capital of France?", "Paris")
    'Paris is the capital of France.'
    """
    plain = " ".join(question.split()).rstrip(" ?.")
    for pattern, link, form in _FORMS:
        if match := pattern.match(plain):
            groups = {name: text.strip() for name, text in match.groupdict().items()}
            is_linked = re.match(rf"(?:{_PLACE})\b", answer, re.IGNORECASE)
            placed = answer if is_linked else f"{groups.get('link', link)} {answer}".strip()
            named = f"{answer}, {groups['kind']}," if groups.get("kind") else answer
            told = form.format_map(groups | {"answer": answer, "placed": placed, "named": named})
            return f"{told.rstrip(' ,')}."
    return f"{plain}: {answer}."
