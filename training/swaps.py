"""Statements made false by putting another date, number or name in the place of theirs."""

from collections import defaultdict
from collections.abc import Iterable
from random import Random

from errata.tools.text.entities import Entity, find_entities

Pool = dict[str, list[Entity]]


def pooled(texts: Iterable[str]) -> Pool:
    """Gather the spans of texts by kind."""
    pool: Pool = defaultdict(list)
    for text in texts:
        for span in find_entities(text):
            pool[span.kind].append(span)
    return pool


def swapped(claim: str, known: frozenset[str], pool: Pool, random: Random) -> str:
    """Swap one span of a claim for one that the evidence does not know; empty where none fits.

    A span that opens the claim stays: it tells what the claim is about.
    """
    found = find_entities(claim)
    for span in random.sample(found, len(found)):
        rivals = [s for s in pool.get(span.kind, ()) if s.key not in known and s.key != span.key]
        if rivals and span.start > 0:
            return claim[: span.start] + random.choice(rivals).text + claim[span.end :]
    return ""
