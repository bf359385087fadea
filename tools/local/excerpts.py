"""What documents say of some claims: the excerpts that concern them, and of which none speaks."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from errata.core.records import Claim, Document
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence, read_claim
from errata.tools.local.refine import Piece, Split, rank_pieces, split_documents
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import passage_spans, split_sentences
from errata.tools.text.words import count_tokens, split_stems

EACH = 3
"""The most passages or sentences that are chosen for one claim."""
SPEAKS = 0.5
"""The share of a claim's own words from which on a strip speaks of it."""


def select_passages(
    claims: Sequence[str], documents: Sequence[Document], tokens: int
) -> list[Document]:
    """The passages that match claims best, in their order, as documents with the same ids.

    Every claim has its best passage before any has its second, up to three, as far as they fit
    into `tokens`. Documents that fit as they are stay whole, as they do if no passage shares a
    word with a claim, or `tokens` is 0.
    """
    return _select(claims, documents, tokens, passage_spans)


def select_sentences(
    claims: Sequence[str], documents: Sequence[Document], tokens: int
) -> list[Document]:
    """As `select_passages`, by single sentences."""
    return _select(claims, documents, tokens, split_sentences)


def _select(
    claims: Sequence[str], documents: Sequence[Document], tokens: int, split: Split
) -> list[Document]:
    if not tokens or sum(count_tokens(document.text) for document in documents) <= tokens:
        return list(documents)
    pieces = split_documents(tuple(documents), split)
    ranking = rank_pieces(tuple(documents), split, True)
    ranked = [[i for i, _ in ranking.best(split_stems(claim), EACH)] for claim in claims]
    # The best of every ranking, then the second of every one, and so on; each once.
    in_turn = dict.fromkeys(own[n] for n in range(EACH) for own in ranked if n < len(own))
    return _joined(pieces, _fill(pieces, in_turn, tokens)) or list(documents)


def _fill(pieces: Sequence[Piece], order: Iterable[int], tokens: int) -> list[int]:
    """The first pieces that fit a budget of tokens, and at least one; in their own order."""
    chosen: list[int] = []
    for number in order:
        cost = count_tokens(pieces[number].text)
        if cost <= tokens or not chosen:
            chosen.append(number)
            tokens -= cost
    return sorted(chosen)


def _joined(pieces: Sequence[Piece], chosen: Sequence[int]) -> list[Document]:
    """The chosen pieces as documents; neighbours in one document are one."""
    joined: list[Piece] = []
    for number in chosen:
        piece = pieces[number]
        if joined and number - 1 in chosen and joined[-1].document is piece.document:
            joined[-1] = joined[-1]._replace(end=piece.end)
        else:
            joined.append(piece)
    return [replace(piece.document, text=piece.text) for piece in joined]


def find_unspoken(
    question: str, claims: Sequence[Claim], documents: Sequence[Document]
) -> list[Claim]:
    """The claims that no strip speaks of: none has half of the words that are the claim's own."""
    evidence = collect_evidence(topic_stems(question), documents)
    readings = ((claim, read_claim(claim.text, question)) for claim in claims)
    return [claim for claim, reading in readings if _best_share(reading, evidence) < SPEAKS]


def _best_share(claim: Reading, evidence: Evidence) -> float:
    """The largest share of a claim's own stems in one of the strips that match it best."""
    own = claim.own_stems
    bags = (strip.bag for strip, _ in evidence.best(claim))
    return max((sum(stem in bag for stem in own) / (len(own) or 1) for bag in bags), default=0.0)


def drop_off_topic(
    question: str, known: Sequence[Document], found: Sequence[Document]
) -> list[Document]:
    """Of what was found beside known documents, that which the verifier would read.

    All have ids. A document that names the question's topic less than others do is on others.
    """
    evidence = collect_evidence(topic_stems(question), [*known, *found])
    read = {strip.document for strip in evidence.strips}
    return [document for document in found if document.id in read]
