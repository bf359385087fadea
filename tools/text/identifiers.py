"""Identifiers in a text: each is one value, whatever its grouping, prefix and case.

A phone number, an ISBN, a DOI, a version, an account, an address: one wrong sign makes another.
"""

import re
from functools import lru_cache

from errata.tools.text.entities import Entity, find_dates

_URL_END = r"[^\s\"<>]{0,500}[^\s\"<>.,;:!?)\]'’”*]"
_FORMS = rf"""
    (?:https?://(?:dx\.)?doi\.org/|(?i:\bdoi):\ ?)?\b(?P<doi>10\.\d{{4,9}}/{_URL_END})
    |(?:https?://arxiv\.org/(?:abs|pdf)/|(?i:\barxiv):\ ?)
     (?P<arxiv>\d{{4}}\.\d{{4,5}}|[a-z.-]+/\d{{7}})
    |(?<![\w.+-])(?P<mail>[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,9}})
    |(?:\bhttps?://(?:www\.)?|\bwww\.)(?P<url>{_URL_END})
    |\b(?i:ISBN(?:-1[03])?|ISSN|PMID|PMCID|RFC|PEP|ISO|EAN|No\.)(?:\ ?(?i:number|is))?:?\ ?
     (?P<body>\d[\dXx\ ()-]{{2,}}[\dXx])\b
    |(?<=\b[Ff]light\ )(?P<flight>[A-Z]{{1,3}}[\ -]?\d{{1,4}})\b
    |(?P<account>\b[A-Z]{{2}}\d{{2}}(?:\ [\dA-Z]{{4}}){{2,7}}(?:\ [\dA-Z]{{1,4}})?)\b
    |\b(?i:version|release|v)\.?\ ?(?P<version>\d+(?:\.\d+)+)(?!\w)
    |(?<![\w.,/-])(?P<dotted>\d+(?:\.\d+){{2,}})(?!\w|[.,]\d)
    |(?<![\w.-])(?P<code>(?!\d+[A-Z]{{1,4}}\b)(?=[A-Z\d-]*\d-?\d|[A-Z\d-]*\d[A-Z-]+\d)
     (?=[\d-]*[A-Z])[A-Z\d]+(?:-[A-Z\d]+)*)(?![\w-])
    |(?<![\w.,/-])(?P<groups>\+?\(?\d{{1,5}}\)?(?:[\ ()-]{{1,2}}\d{{1,7}}){{1,9}}|\+\d{{7,15}})
     (?!\w|[.,-]\d)
"""
_IDENTIFIER = re.compile(_FORMS, re.VERBOSE)
_LIKE_DATES = frozenset(("groups", "dotted", "code"))
_THOUSANDS = re.compile(r"\d{1,3}(?: \d{3})+|\d{1,3}(?:\.\d{3})+")
_ADDRESS = re.compile(r"(?:(?:1?\d?\d|2[0-4]\d|25[0-5])\.){3}(?:1?\d?\d|2[0-4]\d|25[0-5])")
_CALLED = re.compile(r"\b(?:call|dial|fax|hotline|phone|telephone|tel)\b", re.IGNORECASE)
_BEFORE = 60  # characters before a number in which it may be called a phone's
_LEAST, _FEWEST = 3, 7  # groups and digits of a number that is no count


@lru_cache(maxsize=4096)
def find_identifiers(text: str) -> tuple[Entity, ...]:
    """The identifiers of a text from left to right.

    >>> [i.key for i in find_identifiers("ISBN 0-306-40615-2, arXiv:2410.15676, 48 500, v1.2.3")]
    ['0306406152', '2410.15676', '1.2.3']
    """
    dates, found = find_dates(text), list[Entity]()
    for match in _IDENTIFIER.finditer(text):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        is_date = kind in _LIKE_DATES and any(d.start < end and start < d.end for d in dates)
        if not is_date and _is_one(kind, match[kind], text[max(0, start - _BEFORE) : start]):
            keeps = kind in ("doi", "arxiv", "mail", "url")
            key = match[kind] if keeps else re.sub(r"[\s()-]", "", match[kind])
            found.append(Entity("identifier", start, end, match[kind], key.casefold()))
    return tuple(found)


def _is_one(kind: str, said: str, before: str) -> bool:
    """Whether digits are an identifier, and no count, range or score."""
    if kind == "dotted":
        return not _THOUSANDS.fullmatch(said) or bool(_ADDRESS.fullmatch(said))
    if kind != "groups" or said.startswith("+"):
        return True
    digits, groups = re.sub(r"\D", "", said), len(re.findall(r"\d+", said))
    is_grouped = groups >= _LEAST or "(" in said or bool(_CALLED.search(before))
    return is_grouped and len(digits) >= _FEWEST and not _THOUSANDS.fullmatch(said)


def has_identifier(key: str, text: str) -> bool:
    """Whether a text has an identifier as a whole, however it is grouped."""
    gap = "" if re.search(r"[@/]", key) else r"[\s()-]{0,2}"
    said = gap.join(map(re.escape, key))
    pattern = rf"(?:(?<![\w@.-])v?|(?<=www\.)){said}(?:v\d+|s)?(?!\w|[./?#&=@-]\w)"
    return bool(re.search(pattern, text, re.IGNORECASE))
