"""Accuracy of answers: PopQA, ARC-Challenge, PubHealth (CRAG section 5.1 and appendix B.1)."""

import re
from collections.abc import Mapping, Sequence

from errata.evals.items import Item
from errata.evals.metrics.estimate import SHARE, Counts
from errata.evals.metrics.family import Family, Measure, Said, lacking
from errata.evals.scoring import Row
from errata.methods import Result

_FIRST_VERDICT = re.compile(r"\b(true|false|yes|no(?! answer))\b")
_NO_WORD = re.compile(r"[\W_]+")
_FIRST_LETTER = re.compile(r"\W*(?:answer\W+)?([A-E1-5])\b")


class Match(Family):
    """Whether a response holds an accepted answer, names the right choice or the right verdict.

    As in Self-RAG's evaluation, which CRAG follows: an accepted answer of `gold["answers"]` occurs
    in the response, here by whole words in lower case; or the response opens with the letter
    `gold["choice"]`, or without a letter holds `gold["text"]`; or its first verdict is
    `gold["label"]`.
    """

    name = "match"

    @property
    def measures(self) -> Mapping[str, Measure]:
        """`accuracy`: the share of responses that are right."""
        return {"accuracy": Measure(SHARE, _right, lambda _: (0, 1))}

    async def score(self, item: Item, result: Result) -> Said:
        """`{"right": bool}`."""
        if not item.gold.keys() & {"answers", "choice", "label"}:
            raise lacking(item, self.name, "`answers`, or `choice` and `text`, or `label`")
        return {"right": is_right(item, result.response)}


def _right(_: Row, said: Said) -> Counts:
    return (float(said["right"]), 1)


def is_right(item: Item, response: str) -> bool:
    """Whether a response holds an accepted answer, or names the right choice or label."""
    if "answers" in item.gold:
        return mentions(response, item.gold["answers"])
    if "choice" in item.gold:
        letter = _FIRST_LETTER.match(response)
        if letter:
            return bool(letter[1] == item.gold["choice"])
        return mentions(response, [item.gold["text"]])
    verdict = _FIRST_VERDICT.search(response.lower())
    return verdict is not None and (verdict[1] in ("true", "yes")) == item.gold["label"]


def mentions(text: str, answers: Sequence[str]) -> bool:
    """Whether one of some answers occurs in a text, by whole words; one without any word does not.

    >>> mentions("", ["!"]), mentions("By Dvořák.", ["dvořák"])
    (False, True)
    """
    words = _normalize(text)
    return any(own.strip() and own in words for own in map(_normalize, answers))


def _normalize(text: str) -> str:
    """A text's words in lower case, without punctuation."""
    return f" {_NO_WORD.sub(' ', text.lower()).strip()} "
