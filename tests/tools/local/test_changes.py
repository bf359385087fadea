"""A model's rewriting as edits that make sense alone, tied to what they rest on."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.edits import apply_edits, diff
from errata.core.records import Claim, Fix
from errata.tools.local.changes import ground_fixes, settle
from errata.tools.local.extract import sentence_places


def settle_revision(draft, revision, fixes=()):
    """The edits as pairs of words with their claims; `fixes` are pairs of claims."""
    claims = [Claim(id=f"c{n}", text=a, start=0, end=len(draft)) for n, (a, _) in enumerate(fixes)]
    made = [Fix(claim=f"c{n}", text=b) for n, (a, b) in enumerate(fixes) if a != b]
    grounds = ground_fixes(claims, made)
    edits = settle(draft, diff(draft, revision), sentence_places(draft), grounds)
    assert apply_edits(draft, edits) == revision
    return edits


BORN = (
    "Lanny Flaherty is an American actor born on December 18, 1949, in Pensacola, Florida.",
    "Lanny Flaherty is an American actor born on July 27, 1942, in Pontotoc, Mississippi.",
)


@pytest.mark.parametrize(
    ("draft", "revision", "fixes", "changes"),
    [
        (
            *BORN,
            [
                ("Flaherty was born on December 18, 1949.", "Flaherty was born on July 27, 1942."),
                ("Flaherty was born in Pensacola.", "Flaherty was born in Pontotoc."),
                ("Flaherty was born in Florida.", "Flaherty was born in Mississippi."),
            ],
            [
                ("December 18, 1949", "July 27, 1942", ("c0",)),
                ("Pensacola, Florida", "Pontotoc, Mississippi", ("c1", "c2")),
            ],
        ),
        (
            *BORN,
            [
                (
                    "Flaherty was born on December 18, 1949, in Pensacola.",
                    "Flaherty was born on July 27, 1942, in Pontotoc.",
                )
            ],
            [
                (
                    "December 18, 1949, in Pensacola, Florida",
                    "July 27, 1942, in Pontotoc, Mississippi",
                    ("c0",),
                )
            ],
        ),
        (
            "She was in Oslo for years (in Rome) and died in 1950.",
            "She was in Bergen for years and died in 1951.",
            [
                ("Ada was in Oslo.", "Ada was in Bergen."),
                ("Ada was in Rome.", ""),
                ("Ada died in 1950.", "Ada died in 1951."),
            ],
            [
                ("Oslo", "Bergen", ("c0",)),
                (" (in Rome)", "", ("c1",)),
                ("1950", "1951", ("c2",)),
            ],
        ),
        (
            "She starred in Cats, Dogs, and Owls.",
            "She starred in Cats and Owls.",
            [
                ("Ada starred in Cats.", "Ada starred in Cats."),
                ("Ada starred in Dogs.", ""),
                ("Ada starred in Owls.", "Ada starred in Owls."),
            ],
            [(", Dogs,", "", ("c1",))],
        ),
        (
            "She wrote Cats in 1950 and was paid by Bo, who then left.",
            "In 1951 she wrote Dogs, and Bo paid her.",
            [("Ada wrote Cats in 1950.", "Ada wrote Dogs in 1951."), ("Bo left.", "")],
            [
                (
                    "She wrote Cats in 1950 and was paid by Bo, who then left",
                    "In 1951 she wrote Dogs, and Bo paid her",
                    ("c0", "c1"),
                )
            ],
        ),
        (
            "He was born in 1950, and sang. He died in Rome.",
            "He was born in 1951, and sang. He died in Oslo.",
            [
                ("Bo was born in 1950.", "Bo was born in 1951."),
                ("Bo died in Rome.", "Bo died in Oslo."),
            ],
            [("1950", "1951", ("c0",)), ("Rome", "Oslo", ("c1",))],
        ),
        (
            "He was born in Rome. He sang.",
            "He was born in Rome. He sang. He won in 1950.",
            [("Bo sang.", "Bo sang and won in 1950.")],
            [("", " He won in 1950.", ("c0",))],
        ),
        (
            "He was born in 1950, and sang for many years of his life.",
            "He was born in 1951, and danced for many years of his life.",
            [("Bo was born in 1950.", "Bo was born in 1951.")],
            [("1950, and sang", "1951, and danced", ("c0",))],
        ),
    ],
)
def test_an_edit_is_one_change_and_rests_on_the_fixes_of_its_words(draft, revision, fixes, changes):
    edits = settle_revision(draft, revision, fixes)
    assert [(edit.before, edit.after, edit.claims) for edit in edits] == changes


def test_a_removal_does_not_rest_on_the_fixes_of_other_words():
    """In drop mode short edits carried the evidence of all the sentence's claims."""
    draft = "Ada was a poet and a baker, and was born in 1815."
    fixes = [
        ("Ada was a poet.", "Ada was a poet."),
        ("Ada was a baker.", ""),
        ("Ada was born in 1815.", "Ada was born in 1816."),
    ]
    edits = settle_revision(draft, "Ada was a poet, and was born in 1816.", fixes)
    assert [edit.claims for edit in edits] == [("c1",), ("c2",)]


_PARTS = [
    ("born in 1950", "born in 1951"),
    ("in Rome, Italy,", "in Oslo, Norway,"),
    ("a poet and a baker", "a poet"),
    ("(the Bard)", ""),
    (", who sang,", ""),
    ("Cats, Dogs, and Owls", "Cats and Owls"),
    ('"Cats" and "Dogs"', '"Owls"'),
    ("an actor", "a singer"),
    ("wrote plays", "was paid for plays"),
    ("which he left", ""),
    ("the same", "the same"),
    ("three sons", "one son"),
    ("from May 1, 1957, on", "in 1957"),
    ("Rome", "Oslo [Norway]"),
]
_FLAWS = ("  ", " ,", " .", ",,", "()", "( ", " )")


@given(st.lists(st.sampled_from(_PARTS), min_size=1, max_size=6))
def test_whichever_edits_are_made_the_sentence_reads_well(parts):
    """All make the model's sentence; any make no broken brackets, and no word too often."""
    draft, revision = _sentence(parts, 0), _sentence(parts, 1)
    edits = settle_revision(draft, revision)
    some = chain.from_iterable(combinations(edits, n) for n in range(len(edits)))
    for text in (apply_edits(draft, few) for few in some):
        assert text.count("(") == text.count(")")
        assert text.count("[") == text.count("]")
        assert text.count('"') % 2 == 0
        known = {flaw for flaw in _FLAWS if flaw in draft or flaw in revision}
        assert not [flaw for flaw in _FLAWS if flaw in text and flaw not in known]
        for word in set(text.split()):
            counts = [t.split().count(word) for t in (draft, revision)]
            assert text.split().count(word) <= sum(counts)


def _sentence(parts, side):
    words = " and then ".join(part[side] for part in parts)
    return f"He was {' '.join(words.split())} there.".replace(" ,", ",")
