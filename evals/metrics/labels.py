"""What was said against what people say: answers, labels of responses, verdicts on claims."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from errata.core.records import Correction, Verdict
from errata.evals.items import Item, Row
from errata.evals.metrics.estimate import Counts, confusion
from errata.evals.metrics.family import (
    Family,
    Measure,
    Said,
    facts_of,
    is_true,
    lacking,
    mean_of,
    of_two_classes,
)
from errata.methods import Result
from errata.tools.text.words import content_stems

_FIRST_VERDICT = re.compile(r"\b(true|false|yes|no(?! answer))\b")
_NO_WORD = re.compile(r"[\W_]+")
_FIRST_LETTER = re.compile(r"\W*(?:answer\W+)?([A-E1-5])\b")
OPEN = ("unchecked", "unreadable")
"""Labels that judge nothing."""


class Match(Family):
    """Whether a response holds an accepted answer, names the right choice or the right verdict.

    As in Self-RAG's evaluation, which CRAG follows (section 5.1 and appendix B.1): an accepted
    answer of `gold["answers"]` occurs in the response, here by whole words in lower case; or the
    response opens with the letter `gold["choice"]`, or without a letter holds `gold["text"]`; or
    its first verdict is `gold["label"]`.
    """

    name = "match"
    measures: Mapping[str, Measure] = {"accuracy": mean_of("right", worst=(0, 1))}

    async def score(self, item: Item, result: Result) -> Said:
        """`{"right": bool}`."""
        gold, response = item.gold, result.response
        if "answers" in gold:
            return {"right": mentions(response, gold["answers"])}
        if "choice" in gold:
            letter = _FIRST_LETTER.match(response)
            right = letter[1] == gold["choice"] if letter else mentions(response, [gold["text"]])
            return {"right": right}
        if "label" in gold:
            verdict = _FIRST_VERDICT.search(response.lower())
            right = verdict is not None and (verdict[1] in ("true", "yes")) == gold["label"]
            return {"right": right}
        raise lacking(item, self.name, "`answers`, or `choice` and `text`, or `label`")


def mentions(text: str, answers: Sequence[str]) -> bool:
    """Whether one of some answers occurs in a text, by whole words; one without any word does not.

    >>> mentions("", ["!"]), mentions("By Dvořák.", ["dvořák"])
    (False, True)
    """
    words, *wanted = (f" {_NO_WORD.sub(' ', x.lower()).strip()} " for x in (text, *answers))
    return any(own.strip() and own in words for own in wanted)


def _is_response_true(item: Item, said: bool | None) -> Counts:
    """The counts of one response; what was not judged is wrong."""
    return confusion([(is_true(item, Detection.name), said)])


def _not_refuted(row: Row, said: Said) -> Counts:
    return _is_response_true(row.item, said["label"] and said["label"] != "refuted")


def _wrong_response(item: Item) -> Counts:
    return _is_response_true(item, None)


class Detection(Family):
    """Whether a response's label tells true responses from those with an error.

    A response is called false if its label is `refuted`: RE-EX (section 3.1, table 1) calls it
    false where an error is explained, CoVE where an answer is inconsistent, RARR where evidence
    disagrees (appendix A.1). What is not mentioned is no error. The paper does not say of which
    class table 1 gives F1; its figures on 23 true and 27 false responses (FacTool by GPT-4: 68.0
    and 57.1) come of whole counts only as F1 of the class "true", `f1_true`.
    """

    name = "detection"
    measures: Mapping[str, Measure] = {
        **of_two_classes(_not_refuted, _wrong_response),
        "unlabelled": Measure(lambda _, said: (said["label"] is None, 1)),
    }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"label": LABEL}`; null where nothing was judged, or the method gives no label."""
        is_true(item, self.name)
        judged = isinstance(result, Correction) and result.checked
        return {"label": result.label if isinstance(result, Correction) and judged else None}

    def applies(self, said: Said) -> bool:
        """Whether the method gave a label."""
        return said["label"] is not None


def _labels(item: Item) -> list[tuple[Any, bool]]:
    return facts_of(item) if "facts" in item.gold else [("", is_true(item, Claims.name))]


def _believed(item: Item, believed: Sequence[bool | None]) -> Counts:
    pairs = zip((label for _, label in _labels(item)), believed, strict=True)
    return confusion(list(pairs))


class Claims(Family):
    """Whether verdicts let true claims stand, and false ones not (RAC section 4.2; RE-EX table 5).

    An item with `gold["facts"]` has many claims: the verdict on a fact is that of the method's
    claim which shares most words with it. Else the draft is one claim, labelled by `gold["label"]`,
    and supported if all of its parts are. A claim that the method did not judge is wrong. Methods
    without verdicts have no figures.
    """

    name = "claims"
    measures: Mapping[str, Measure] = {
        **of_two_classes(
            lambda row, said: _believed(row.item, said["believed"]),
            lambda item: _believed(item, [None] * len(_labels(item))),
        ),
        "undecided": Measure(
            lambda _, said: (said["believed"].count(None), len(said["believed"])),
            lambda item: (len(_labels(item)),) * 2,
        ),
    }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"judged": bool, "believed": [bool or null for each claim]}`."""
        pairs = _labels(item)
        if not isinstance(result, Correction):
            return {"judged": False, "believed": [None] * len(pairs)}
        if "facts" in item.gold:
            believed = [believes(fact, result) for fact, _ in pairs]
        else:
            believed = [_stands(result)]
        return {"judged": bool(result.verdicts), "believed": believed}

    def applies(self, said: Said) -> bool:
        """Whether the method gave verdicts."""
        return bool(said["judged"])


def believes(fact: str, correction: Correction) -> bool | None:
    """Tell whether the verdicts let a fact stand; None where the claim of it was not judged.

    The verdict is that of the claim which shares most words with the fact. A refutation of other
    words of that claim lets the fact stand.
    """
    verdict = verdict_on(fact, correction)
    if verdict is None or verdict.label in OPEN:
        return None
    doubted = content_stems(" ".join(verdict.doubted))
    return verdict.label == "supported" or bool(doubted and not doubted & content_stems(fact))


def verdict_on(fact: str, correction: Correction) -> Verdict | None:
    """The verdict on the claim that shares most words with a fact; None without any claim."""
    stems = content_stems(fact)
    texts = {claim.id: content_stems(claim.text) for claim in correction.claims}
    best = max(texts, key=lambda name: len(texts[name] & stems), default="")
    return next((v for v in correction.verdicts if v.claim == best), None)


def _stands(correction: Correction) -> bool | None:
    """Whether a draft that is one claim is supported; None where a part of it was not judged."""
    labels = {verdict.label for verdict in correction.verdicts}
    if "refuted" in labels:
        return False
    return None if not labels or labels.intersection(OPEN) else labels == {"supported"}
