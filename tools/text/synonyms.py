"""Words that mean the same in their most frequent sense, by their stems."""

from collections import defaultdict
from functools import cache
from importlib.resources import files

from errata.tools.text.opposites import SYNONYMS
from errata.tools.text.words import stem

PHRASES = tuple(
    tuple(line.split(" / "))
    for line in """
turned down / rejected / refused
stepped down / resigned
passed away / died
set up / founded / established
called off / cancelled / canceled
put off / postponed
carried out / conducted / performed
gave up / abandoned
went up / rose / increased
went down / fell / decreased / dropped
took place / was held
takes place / is held
made up of / composed of
took over from / succeeded
brought up / raised
pointed out / noted
daily / a day / each day / every day / per day
weekly / a week / each week / every week / per week
monthly / a month / each month / every month / per month
yearly / annually / a year / each year / every year / per year
is allowed to / may / can / is permitted to
are allowed to / may / can / are permitted to
has to / must / is required to
have to / must / are required to
does not have to / need not / is not required to
do not have to / need not / are not required to
is able to / can
are able to / can
is not allowed to / may not / must not / cannot
are not allowed to / may not / must not / cannot
at most / no more than / up to
at least / no less than / no fewer than
as well as / and
in order to / to
due to / because of / owing to
however / but
located in / situated in
the united states / the us / the usa / america
the united kingdom / the uk / britain
the european union / the eu
percent / per cent / %
husband or wife / spouse
""".strip().splitlines()
)
"""Phrases that mean the same, a group in each line."""


def synonyms_of(word_stem: str) -> frozenset[str]:
    """The stems of single words that can mostly stand for a word with this stem.

    >>> sorted(synonyms_of("physician"))
    ['doctor']
    """
    return _table().get(word_stem, frozenset())


@cache
def _table() -> dict[str, frozenset[str]]:
    text = files("errata.tools.text").joinpath("synonyms.txt").read_text("utf-8")
    groups = [set(line.split()) for line in text.splitlines() if not line.startswith("#")]
    groups += [{stem(a), stem(b)} for a, b in SYNONYMS.items() if " " not in a + b]
    table = defaultdict[str, set[str]](set)
    for stems in groups:
        for word in stems:
            table[word] |= stems - {word}
    return {word: frozenset(others) for word, others in table.items()}
