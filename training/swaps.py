"""False claims made by swapping one date, number or name for another."""

from collections import defaultdict
from collections.abc import Iterable
from random import Random

from errata.tools.text.entities import Entity, find_entities

Pool = dict[str, list[Entity]]


def collect_entities(texts: Iterable[str]) -> Pool:
    """The entities of texts by kind."""
    pool: Pool = defaultdict(list)
    for text in texts:
        for entity in find_entities(text):
            pool[entity.kind].append(entity)
    return pool


def swap_entity(claim: str, known: frozenset[str], pool: Pool, random: Random) -> str:
    """A claim with one entity swapped for one whose key is not known; empty where none fits.

    An entity that opens the claim stays, because it says what the claim is about.
    """
    entities = find_entities(claim)
    for entity in random.sample(entities, len(entities)):
        rivals = [e for e in pool.get(entity.kind, ()) if e.key not in {*known, entity.key}]
        if rivals and entity.start > 0:
            return claim[: entity.start] + random.choice(rivals).text + claim[entity.end :]
    return ""
