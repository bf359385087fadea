"""The local filler of RE-EX's explain role, and where explanations belong in a draft."""

import re
from collections.abc import Iterable, Sequence

from errata.records import Claim, Document, Explanation, Fix, Knowledge, Quote, SubAnswer
from errata.tools.judges.verifier import verify
from errata.tools.local.correct import correct
from errata.tools.local.extract import place_claims as placed_claims
from errata.tools.text.ranking import Ranking
from errata.tools.text.words import split_words

_QUOTED = re.compile(r"[\"“]([^\"”]{2,})[\"”]")


def explain(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> tuple[list[Explanation], list[Fix]]:
    """Explain every claim that the verifier finds refuted; give what the corrector would put there.

    An explanation stands at the claim's sentence, and quotes what contradicts it.
    """
    if not documents:
        return [], []
    by_id = {claim.id: claim for claim in claims}
    refuted = [v for v in verify(question, claims, documents, weights) if v.label == "refuted"]
    fixes = correct(question, [by_id[v.claim] for v in refuted], documents, weights)
    said = {fix.claim: fix for fix in fixes}
    explanations = []
    for verdict in refuted:
        claim, found = by_id[verdict.claim], said.get(verdict.claim, verdict)
        text = f"“{claim.text}”: {found.explanation}"
        explanations.append(
            Explanation(
                text=text,
                start=claim.start,
                end=claim.end,
                claims=(claim.id,),
                evidence=found.evidence,
            )
        )
    return explanations, fixes


def place_explanations(
    draft: str, texts: Iterable[str], answers: Sequence[SubAnswer]
) -> list[Explanation]:
    """Place explanations that a model wrote: where they quote the draft, else where they fit best.

    Each quotes the strip of the answers that it shares most words with.
    """
    strips = [strip for answer in answers for strip in answer.evidence]
    ranking = Ranking([[word.stem for word in split_words(strip.text)] for strip in strips])
    return [_placed(draft, text, strips, ranking) for text in texts]


def _placed(draft: str, text: str, strips: Sequence[Knowledge], ranking: Ranking) -> Explanation:
    quoted = _QUOTED.findall(text)
    exact = next((said for said in quoted if said in draft), "")
    if exact:
        start = draft.index(exact)
        end = start + len(exact)
    else:
        claim = placed_claims(draft, [quoted[0] if quoted else text])[0]
        start, end = claim.start, claim.end
    best = ranking.best([word.stem for word in split_words(text) if word.is_content], 1)
    evidence = tuple(_quote(strips[i]) for i, _ in best)
    return Explanation(text=text, start=start, end=end, evidence=evidence)


def _quote(strip: Knowledge) -> Quote:
    return Quote(document=strip.document, start=strip.start, end=strip.end, text=strip.text)
