"""A draft revised by local code: sentences removed, words replaced."""

import pytest
from hypothesis import given

from errata.core.edits import apply_edits
from errata.core.records import Claim, Fix, Verdict
from errata.tools.local.extract import extract
from errata.tools.local.revise import UNCLEAN, revise
from strategies import DRAFTS

ADA = "Who was Ada Lovelace?"


def drop(draft, *numbers):
    claims = extract(ADA, draft)
    fixes = [Fix(claim=f"c{n}", text="") for n in numbers]
    edits, notes = revise(ADA, draft, claims, fixes)
    return apply_edits(draft, edits), notes


@pytest.mark.parametrize(
    ("draft", "numbers", "response"),
    [
        ("Ada wrote. She sang. She died.", [2], "Ada wrote. She died."),
        ("Ada wrote. She sang. She died.", [1], "Ada Lovelace sang. She died."),
        ("Ada wrote. She sang. She died.", [2, 3], "Ada wrote."),
        ("Ada wrote.\n\nShe sang.\n\nShe died.", [2], "Ada wrote.\n\nShe died."),
        ("Ada wrote.\n\nShe sang.\n\nShe died.", [2, 3], "Ada wrote."),
        ("Ada wrote. She sang.\n\nShe died.", [2], "Ada wrote.\n\nShe died."),
    ],
)
def test_a_sentence_is_removed_cleanly(draft, numbers, response):
    assert drop(draft, *numbers) == (response, [])


@pytest.mark.parametrize(
    ("draft", "numbers", "befores"),
    [
        ("Ada won. She sang. She ran.", [2, 3], [" She sang.", " She ran."]),
        ("Ada sang. Ada ran. Ada won.", [1, 2], ["Ada sang. ", "Ada ran. "]),
        ("Ada won.\n\nAda sang. Ada ran.", [2, 3], ["\n\nAda sang. Ada ran."]),
        ("Ada won.\n\nAda sang.\n\nAda ran.", [2, 3], ["\n\nAda sang.", "\n\nAda ran."]),
        ("- Ada sang.\n- Ada ran.\n- Ada won.", [1, 2], ["- Ada sang.\n", "- Ada ran.\n"]),
        ("- Ada won.\n- Ada sang.\n- Ada ran.", [2, 3], ["\n- Ada sang.", "\n- Ada ran."]),
    ],
)
def test_each_sentence_or_paragraph_that_goes_is_an_edit_of_its_own(draft, numbers, befores):
    fixes = [Fix(claim=f"c{n}", text="") for n in numbers]
    edits, _ = revise(ADA, draft, extract(ADA, draft), fixes)
    assert [edit.before for edit in edits] == befores
    for edit in edits:
        text = apply_edits(draft, [edit])
        assert "  " not in text
        assert "\n\n\n" not in text
        assert text == text.strip()


def test_a_sentence_goes_in_one_edit_for_all_its_claims():
    draft = "Bo ran. Ada was born in Rome and starred in Cats."
    fixes = [Fix(claim=c, text="", explanation=f"no {c}") for c in ("c2", "c3")]
    edits, _ = revise(ADA, draft, extract(ADA, draft), fixes)
    assert [(e.before, e.claims, e.explanation) for e in edits] == [
        (" Ada was born in Rome and starred in Cats.", ("c2", "c3"), "no c2; no c3"),
    ]


@pytest.mark.parametrize(
    ("draft", "number"),
    [
        ("Ada moved to Rome and she died in 1852.", 1),
        ("Ada wrote notes, but she sang.", 2),
    ],
)
@pytest.mark.parametrize("label", ["supported", "not_mentioned", "refuted"])
def test_a_sentence_stays_for_what_is_not_refuted_in_it(draft, number, label):
    claims = extract(ADA, f"{draft} Bo ran.")
    kept = [Verdict(claim=claims[2 - number].id, label=label)]
    fixes = [Fix(claim=f"c{number}", text="")]
    edits, notes = revise(ADA, f"{draft} Bo ran.", claims, fixes, kept)
    stays = label != "refuted"
    assert apply_edits(f"{draft} Bo ran.", edits) == (f"{draft} Bo ran." if stays else "Bo ran.")
    assert [note.endswith(UNCLEAN) for note in notes] == [True] * stays


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


@pytest.mark.parametrize("other", ["Ada was born in 1817.", "Ada was born on 1815-12-10."])
def test_fixes_that_disagree_change_nothing(other):
    draft = "Ada was born in May 1816."
    claims = [Claim(id=i, text=draft, start=0, end=len(draft)) for i in ("c1", "c2")]
    fixes = [Fix(claim="c1", text="Ada was born in May 1815."), Fix(claim="c2", text=other)]
    assert revise(ADA, draft, claims, fixes)[0] == []


def test_an_insertion_finds_its_place():
    draft = "Ada was born in London."
    claim = Claim(id="c1", text=draft, start=0, end=len(draft))
    edits, _ = revise(
        ADA, draft, [claim], [Fix(claim="c1", text="Ada was born in central London.")]
    )
    assert apply_edits(draft, edits) == "Ada was born in central London."


@given(DRAFTS)
def test_edits_are_exact_whatever_is_removed(draft):
    claims = extract(ADA, draft)
    edits, _ = revise(ADA, draft, claims, [Fix(claim=c.id, text="") for c in claims[::2]])
    apply_edits(draft, edits)


@pytest.mark.parametrize(
    ("draft", "text", "fixed", "edits"),
    [
        ("It is 16.8 km on day 8.", "It was day 8.", "It was day 3.", [("8", "3")]),
        ("It is 16.8 km long.", "It was day 8.", "It was day 3.", []),
        ("The Austrian wrote it.", "Ada is from Austria.", "Ada is from Australia.", []),
    ],
)
def test_a_substitution_never_parts_a_word_or_number(draft, text, fixed, edits):
    claim = Claim(id="c1", text=text, start=0, end=len(draft))
    made, _ = revise(ADA, draft, [claim], [Fix(claim="c1", text=fixed)])
    assert [(edit.before, edit.after) for edit in made] == edits
