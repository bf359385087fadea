"""Rules about who did what to whom: passives, swapped names, other names, lists, other subjects."""

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.words import replace_span
from errata.training.edits import Edit, Source

_IRREGULAR = {
    "written": "wrote", "built": "built", "won": "won", "led": "led", "made": "made",
    "sung": "sang", "taken": "took", "given": "gave", "sold": "sold", "bought": "bought",
    "drawn": "drew", "found": "found", "held": "held", "taught": "taught", "beaten": "beat",
    "known": "knew", "seen": "saw", "chosen": "chose",
}  # fmt: skip
_PASSIVE = re.compile(
    rf"^(?P<object>[^,;:()]{{3,60}}?) (?:was|were|is|are) "
    rf"(?P<verb>\w+ed|{'|'.join(_IRREGULAR)}) by "
    r"(?P<agent>[^,;:()]{3,60}?)(?P<rest>(?: in \d{4})?)\.$"
)
_LINKED = re.compile(r"^(?:,|,? and\b|,? or\b|&| of\b| de\b|'s|/|-| with\b|\()")
_EXCHANGED = re.compile(
    r"\b(?:is an? |was an? |than|defeated|beat|succeeded|replaced|acquired|bought|purchased"
    r"|founded|taught|wrote|directed|born|died|located|situated|part of|capital|moved|from"
    r"|won|sued|invaded|married to|son of|daughter of|father|mother|named after|based"
    r"|owned|led|joined|created|invented|discovered)\b"
)
_SYMMETRIC = re.compile(
    r"\b(?:met|married|friends?|twin|between|together|versus|vs|border\w*|equal)\b"
)
_SINGLE = re.compile(
    r"\b(?:(?:born|died|located|situated|based|headquartered|buried|lies?|held|founded|established"
    r") (?:in|at|near)|capital of"
    r"|(?:directed|written|founded|invented|discovered|designed|composed|painted|created|built"
    r"|won|led|owned|coached|produced|published|formed"
    r") by|named|called|nationality) $"
)
SHORTEST_NAME = 4
_LIST = re.compile(r"(?P<a>[A-Z]\w+|\w{4,}), (?P<b>[A-Z]\w+|\w{4,}),? and (?P<c>[A-Z]\w+|\w{4,})\b")


def turn_passive(source: Source, _: Random) -> Iterator[Edit]:
    """A passive sentence as an active one, and one with the roles swapped."""
    if match := _PASSIVE.match(source.text):
        verb = _IRREGULAR.get(match["verb"], match["verb"])
        thing, agent = match["object"], match["agent"]
        active = f"{_capital(agent)} {verb} {_lower(thing)}{match['rest']}."
        swapped = f"{thing} {verb} {agent}{match['rest']}."
        yield Edit("passive", active, "follows")
        yield Edit("passive", swapped, "contradicts")
        again = f"{_capital(agent)} {source.text[match.end('object') + 1 : match.end('verb')]} by "
        yield Edit("passive", f"{again}{_lower(thing)}{match['rest']}.", "contradicts")


def swap_names(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with two of its names exchanged, unless both have the same part in it."""
    names = [e for e in find_entities(source.text) if e.kind == "name"]
    pairs = list(pairwise(names))
    for first, second in random.sample(pairs, min(1, len(pairs))):
        between = source.text[first.end : second.start]
        if _LINKED.match(between) or _SYMMETRIC.search(between) or first.stems & second.stems:
            continue
        text = replace_span(source.text, second.start, second.end, first.text)
        text = replace_span(text, first.start, first.end, second.text)
        is_sure = bool(_EXCHANGED.search(between))
        yield Edit("roles", text, "contradicts" if is_sure else "unsupported", mutual=is_sure)


def neighbour_name(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a name of another sentence of its paragraph in place of its own."""
    own = [e for e in find_entities(source.text) if e.kind == "name" and e.start > 0]
    stems = {stem for e in own for stem in e.stems}
    others = [e for t in source.others for e in find_entities(t) if e.kind == "name"]
    rivals = [e for e in others if not e.stems & stems and e.start > 0]
    if own and rivals:
        yield _rename(source.text, random.choice(own), random.choice(rivals), "other name")


def foreign_name(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a name of another page in place of one inside it."""
    own = [e for e in find_entities(source.text) if e.kind == "name" and e.start > 0]
    rivals = _foreign_names(source)
    if own and rivals:
        yield _rename(source.text, random.choice(own), random.choice(rivals), "foreign name")


def foreign_subject(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence said of something that the page does not speak of."""
    own = [e for e in find_entities(source.text) if e.kind == "name" and e.start == 0]
    rivals = _foreign_names(source)
    if own and rivals:
        new = random.choice(rivals)
        text = replace_span(source.text, own[0].start, own[0].end, new.text)
        yield Edit("foreign subject", text, "open")


def change_list(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a list in another order, shorter, or with a foreign member."""
    for match in list(_LIST.finditer(source.text))[:1]:
        a, b, c = match["a"], match["b"], match["c"]
        for new in (f"{c}, {a} and {b}", f"{b} and {c}", f"{a} and {b}"):
            yield Edit("list", replace_span(source.text, *match.span(), new), "follows")
        rivals = _foreign_names(source)
        if rivals and a[0].isupper():
            new = f"{a}, {random.choice(rivals).text} and {c}"
            yield Edit("list", replace_span(source.text, *match.span(), new), "unsupported")


def _foreign_names(source: Source) -> list[Entity]:
    known = {
        stem for t in (source.text, source.title) for e in find_entities(t) for stem in e.stems
    }
    names = [
        e for t in source.foreign for e in find_entities(t) if e.kind == "name" and e.start > 0
    ]
    return [e for e in names if not e.stems & known and len(e.text) >= SHORTEST_NAME]


def _rename(text: str, old: Entity, new: Entity, family: str) -> Edit:
    """An edit that contradicts where only one name can stand, and otherwise may."""
    is_single = bool(_SINGLE.search(text[: old.start]))
    changed = replace_span(text, old.start, old.end, new.text)
    return Edit(family, changed, "contradicts" if is_single else "unsupported", mutual=is_single)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return re.sub(r"^(?:The|A|An|His|Her|Its|Their|This)\b", lambda m: m.group().lower(), text)
