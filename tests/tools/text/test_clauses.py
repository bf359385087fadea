"""Extraction of claims, and removal of their clauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits import apply_edits
from errata.records import Claim, Fix
from errata.tools.local.extract import extract, place_claims
from errata.tools.local.revise import revise
from errata.tools.text.clause_removal import remove_clauses
from errata.tools.text.clauses import parse_clauses

ADA = "Who was Ada Lovelace?"


@pytest.mark.parametrize(
    ("draft", "claims"),
    [
        ("She was a writer.", ["Ada Lovelace was a writer."]),
        (
            "She was born on 10 December 1815 in London, and died in 1852.",
            [
                "Ada Lovelace was born on 10 December 1815.",
                "Ada Lovelace was born in London.",
                "Ada Lovelace died in 1852.",
            ],
        ),
        (
            "Ada was a writer who was born on 10 December 1815, in London.",
            ["Ada was a writer.", "Ada was born on 10 December 1815.", "Ada was born in London."],
        ),
        (
            "In 1843, she published notes and won praise.",
            ["In 1843, Ada Lovelace published notes.", "In 1843, Ada Lovelace won praise."],
        ),
        (
            'She appeared in "One," "Two," and "Three."',
            [
                'Ada Lovelace appeared in "One".',
                'Ada Lovelace appeared in "Two".',
                'Ada Lovelace appeared in "Three".',
            ],
        ),
        (
            "She moved to Ockham in 1835, where she wrote letters.",
            ["Ada Lovelace moved to Ockham in 1835.", "Ada Lovelace wrote letters."],
        ),
        (
            "Babbage built engines. It was late, but he was paid.",
            ["Babbage built engines.", "Babbage was late.", "Babbage was paid."],
        ),
        (
            "She was born on 1 May 1815 in Rome, Italy, to rich parents.",
            [
                "Ada Lovelace was born on 1 May 1815.",
                "Ada Lovelace was born in Rome, Italy.",
                "Ada Lovelace was born to rich parents.",
            ],
        ),
        ("A courageous and dedicated writer.", ["A courageous and dedicated writer."]),
        ("Her work was admired.", ["Ada Lovelace's work was admired."]),
    ],
)
def test_extract(draft, claims):
    assert [claim.text for claim in extract(ADA, draft)] == claims


def test_a_claim_has_its_sentences_place():
    draft = "Ada wrote notes. She died in 1852."
    assert [draft[c.start : c.end] for c in extract(ADA, draft)] == [
        "Ada wrote notes.",
        "She died in 1852.",
    ]


def test_other_languages_keep_their_sentences_whole():
    draft = "Elle est née à Londres et a écrit des notes. Elle est morte en 1852."
    claims = extract(ADA, draft, "fr")
    assert [c.text for c in claims] == [draft[c.start : c.end] for c in claims]
    assert len(claims) == 2


def test_a_models_claims_are_placed_in_their_sentences():
    draft = "Ada wrote notes. She died in London in 1852."
    claims = place_claims(draft, ["Ada Lovelace died in 1852.", "Nothing alike xyz."])
    assert draft[claims[0].start : claims[0].end] == "She died in London in 1852."
    assert (claims[1].start, claims[1].end) == (0, len(draft))


WORDS = [*'He was born, and won "A" ; .', " and ", " who was ", "1900", "She ", "\n", "Ada"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=60).map("".join)


@given(TEXT)
def test_removing_nothing_keeps_the_sentence(sentence):
    tree = parse_clauses(sentence, "Ada")
    text = remove_clauses(sentence, tree, [])
    assert sentence[: tree.start] + str(text) + sentence[tree.end :] == sentence


@given(TEXT)
def test_removing_every_clause_leaves_nothing(sentence):
    tree = parse_clauses(sentence, "Ada")
    assert remove_clauses(sentence, tree, list(tree.leaves())) is None


def drop(draft, *numbers):
    claims = extract(ADA, draft)
    fixes = [Fix(claim=f"c{n}", text="") for n in numbers]
    edits, notes = revise(ADA, draft, claims, fixes)
    return apply_edits(draft, edits), notes


@pytest.mark.parametrize(
    ("draft", "numbers", "response"),
    [
        ("Ada wrote notes and sang songs.", [2], "Ada wrote notes."),
        ("Ada wrote notes and sang songs.", [1], "Ada sang songs."),
        ("Ada wrote. She sang. She died.", [2], "Ada wrote. She died."),
        ("Ada wrote. She sang. She died.", [1], "Ada Lovelace sang. She died."),
        ("Ada wrote. She sang. She died.", [2, 3], "Ada wrote."),
        ("Ada wrote.\n\nShe sang.\n\nShe died.", [2], "Ada wrote.\n\nShe died."),
        ("Ada wrote.\n\nShe sang.\n\nShe died.", [2, 3], "Ada wrote."),
        ("Ada wrote. She sang.\n\nShe died.", [2], "Ada wrote.\n\nShe died."),
        ('It had "One," "Two," and "Three."', [3], 'It had "One" and "Two."'),
        ('It had "One," "Two," and "Three."', [1], 'It had "Two" and "Three."'),
        ("She was born on 1 May 1815 in Rome.", [1], "She was born in Rome."),
        ("She was born on 1 May 1815 in Rome.", [2], "She was born on 1 May 1815."),
        (
            "She was born on 1 May 1815 in Rome to rich parents.",
            [2],
            "She was born on 1 May 1815 to rich parents.",
        ),
        ("She was born on 1 May 1815 in Rome to Al.", [3], "She was born on 1 May 1815 in Rome."),
        ("Ada won, but she lost a case.", [1], "She lost a case."),
    ],
)
def test_a_clause_is_removed_cleanly(draft, numbers, response):
    assert drop(draft, *numbers) == (response, [])


def test_a_draft_is_never_emptied():
    draft = "Ada wrote. She sang."
    response, notes = drop(draft, 1, 2)
    assert response == draft
    assert "returned as it was" in notes[0]


def test_a_substitution_touches_only_its_words():
    draft = "Ada (a countess) was born in 1816, in London."
    claim = Claim(id="c1", text="Ada Lovelace was born in 1816.", start=0, end=len(draft))
    fix = Fix(claim="c1", text="Ada Lovelace was born in 1815.")
    edits, notes = revise(ADA, draft, [claim], [fix])
    assert [(e.before, e.after, e.claims) for e in edits] == [("1816", "1815", ("c1",))]
    assert notes == []


def test_a_substitution_without_a_place_is_noted():
    draft = "Ada was born in 1816 and wed in 1816."
    claim = Claim(id="c1", text="Ada was born in 1816.", start=0, end=len(draft))
    edits, notes = revise(ADA, draft, [claim], [Fix(claim="c1", text="Ada was born in 1815.")])
    assert edits == []
    assert "claim c1" in notes[0]


def test_fixes_that_disagree_change_nothing():
    draft = "Ada was born in 1816."
    claims = [Claim(id=i, text=draft, start=0, end=len(draft)) for i in ("c1", "c2")]
    fixes = [
        Fix(claim="c1", text="Ada was born in 1815."),
        Fix(claim="c2", text="Ada was born in 1817."),
    ]
    assert revise(ADA, draft, claims, fixes)[0] == []


def test_an_insertion_finds_its_place():
    draft = "Ada was born in London."
    claim = Claim(id="c1", text=draft, start=0, end=len(draft))
    edits, _ = revise(
        ADA, draft, [claim], [Fix(claim="c1", text="Ada was born in central London.")]
    )
    assert apply_edits(draft, edits) == "Ada was born in central London."


@given(TEXT)
def test_edits_are_exact_whatever_is_removed(draft):
    claims = extract(ADA, draft)
    edits, _ = revise(ADA, draft, claims, [Fix(claim=c.id, text="") for c in claims[::2]])
    apply_edits(draft, edits)
