"""RE-EX's explain role: what is wrong with refuted claims, placed in the draft."""

import re
from collections.abc import Iterable, Sequence

from errata.bounds import check_time
from errata.records import Claim, Document, Explanation, Fix, Knowledge, Quote, SubAnswer
from errata.tools.judges.verifier import verify
from errata.tools.local.correct import correct
from errata.tools.local.placement import place_claims
from errata.tools.text.ranking import Ranking
from errata.tools.text.words import split_words

_QUOTED = re.compile(r"[\"“]([^\"”]{2,})[\"”]")


def explain(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> tuple[list[Explanation], list[Fix]]:
    """An explanation for every refuted claim, and the corrector's fixes for these claims.

    An explanation is placed at the claim's sentence and quotes the contradicting evidence. Raises
    OutOfTimeError if not every claim could be judged.
    """
    if not documents:
        return [], []
    by_id = {claim.id: claim for claim in claims}
    refuted = [v for v in verify(question, claims, documents, weights) if v.label == "refuted"]
    check_time()
    fixes = correct(question, [by_id[verdict.claim] for verdict in refuted], documents, weights)
    fix_of = {fix.claim: fix for fix in fixes}
    explanations = []
    for verdict in refuted:
        claim, reason = by_id[verdict.claim], fix_of.get(verdict.claim, verdict)
        explanations.append(
            Explanation(
                text=f"“{claim.text}”: {reason.explanation}",
                start=claim.start,
                end=claim.end,
                claims=(claim.id,),
                evidence=reason.evidence,
            )
        )
    return explanations, fixes


def place_explanations(
    draft: str, texts: Iterable[str], answers: Sequence[SubAnswer]
) -> list[Explanation]:
    """Place a model's explanations: at the words they quote, else at the best matching sentence.

    The evidence of each is the best matching strip of the answers.
    """
    strips = [strip for answer in answers for strip in answer.evidence]
    ranking = Ranking([[word.stem for word in split_words(strip.text)] for strip in strips])
    explanations = []
    for text in texts:
        check_time()
        start, end = _find_place(draft, text)
        best = ranking.best([word.stem for word in split_words(text) if word.is_content], 1)
        evidence = tuple(_quote(strips[i]) for i, _ in best)
        explanations.append(Explanation(text=text, start=start, end=end, evidence=evidence))
    return explanations


def _find_place(draft: str, text: str) -> tuple[int, int]:
    quotations = _QUOTED.findall(text)
    exact = next((quotation for quotation in quotations if quotation in draft), "")
    if exact:
        start = draft.index(exact)
        return start, start + len(exact)
    [claim] = place_claims(draft, [quotations[0] if quotations else text])
    return claim.start, claim.end


def _quote(strip: Knowledge) -> Quote:
    return Quote(document=strip.document, start=strip.start, end=strip.end, text=strip.text)
