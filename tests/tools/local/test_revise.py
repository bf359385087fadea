"""Words replaced in a draft, sentences kept or cut for their claims, and edits of a model."""

from dataclasses import replace

import pytest

from errata.core.edits import apply_edits
from errata.core.records import Fix, Verdict
from errata.tools.local.correct import correct
from errata.tools.local.extract import extract
from errata.tools.local.revise import UNCLEAN, revise
from example import before_and_after, claims_of, pages_of

ADA = "Who was Ada Lovelace?"


@pytest.mark.parametrize(
    ("draft", "number", "rest"),
    [
        ("Ada lived well and she died in 1852.", 1, "Ada died in 1852."),
        ("Ada wrote notes, but she sang for Bo.", 1, "Ada sang for Bo."),
    ],
)
@pytest.mark.parametrize("label", ["supported", "not_mentioned", "refuted"])
def test_what_is_not_refuted_in_a_sentence_stays_with_its_name(draft, number, rest, label):
    claims = extract(ADA, f"{draft} Bo ran.")
    other = [Verdict(claim=claims[2 - number].id, label=label)]
    fixes = [Fix(claim=f"c{number}", text="")]
    edits, notes = revise(ADA, f"{draft} Bo ran.", claims, fixes, other)
    stays = label != "refuted"
    assert apply_edits(f"{draft} Bo ran.", edits) == (f"{rest} Bo ran." if stays else "Bo ran.")
    assert notes == []


def test_what_cannot_be_cut_cleanly_stays_and_is_noted():
    draft = "Ada was born in Rome, studied in Ulm, and died in 1852. Bo ran."
    edits, [note] = revise(ADA, draft, extract(ADA, draft), [Fix(claim="c3", text="")])
    assert (edits, note.endswith(UNCLEAN)) == ([], True)


def test_a_clause_goes_where_the_rest_of_its_sentence_stays():
    draft, response = before_and_after("Ada wrote notes{, but she sang}.")
    edits, notes = revise(ADA, draft, extract(ADA, draft), [Fix(claim="c2", text="")])
    assert (apply_edits(draft, edits), notes) == (response, [])
    assert [edit.claims for edit in edits] == [("c2",)]


def test_a_fix_is_made_by_the_mends_that_its_verdict_carries():
    """The words that claim and fix do not share stand in the sentence twice."""
    draft, text = "Ada sang in 1849, and in 1849 in Rome.", "Ada sang in 1850, and in 1849 in Ulm."
    claims, fixes = claims_of(draft), [Fix(claim="c1", text=text)]
    mends = {"c1": [("1849, and", "1850, and"), ("Rome", "Ulm")]}
    edits, _ = revise(ADA, draft, claims, fixes, (), mends)
    assert apply_edits(draft, edits) == text


@pytest.mark.parametrize(
    ("marked", "fixes", "note"),
    [
        ("Ada (a countess) was born in {1816=>1815}.", ["Ada was born in {1816=>1815}."], ""),
        ("Ada was born in {1816=>1815} and wed in 1816.", ["Ada was born in {1816=>1815}."], ""),
        ("Born in 1816, wed in 1816.", ["Ada was born in {1816=>1815}."], "claim c1"),
        ("Ada was born in{=> central} London.", ["Ada was born in{=> central} London."], ""),
        ("Born in May 1816.", ["Born in May {1816=>1815}.", "in {1816=>1817}"], "c"),
        ("Born in May 1816.", ["In May {1816=>1815}.", "Born {in May 1816=>on 1815-12-10}."], "c"),
        ("It is 16.8 km on day {8=>3}.", ["It was day {8=>3}."], ""),
        ("It is 16.8 km long.", ["It was day {8=>3}."], "claim c1"),
        ("The Austrian wrote it.", ["Ada is from {Austria=>Australia}."], "claim c1"),
    ],
)
def test_only_the_words_that_a_fix_changes_are_replaced_where_their_place_is_sure(
    marked, fixes, note
):
    """Not where two fixes disagree, nor in a part of a word or number."""
    draft, response = before_and_after(marked)
    pairs = [before_and_after(fix) for fix in fixes]
    claims = [replace(claim, end=len(draft)) for claim in claims_of(*(old for old, _ in pairs))]
    made = [Fix(claim=f"c{n}", text=new) for n, (_, new) in enumerate(pairs, 1)]
    edits, notes = revise(ADA, draft, claims, made)
    assert apply_edits(draft, edits) == response
    assert [edit.claims for edit in edits] == [("c1",)] * (draft != response)
    assert bool(notes) == bool(note)
    assert all(note in each for each in notes)


def test_a_false_number_is_mended_in_its_cell():
    table = "| City | Height (m) | Lifts |\n|---|---|---|\n"
    marked = f"{table}| Ulm | 161 | {{12=>17}} |\n| Bonn | 66 | 14 |"
    draft, response = before_and_after(marked)
    claims = extract(ADA, draft)
    text = "Ulm is 161 m high and has 17 lifts. Bonn has a height of 66 m and 14 lifts."
    edits, notes = revise(ADA, draft, claims, correct(ADA, claims, pages_of(text)))
    assert (apply_edits(draft, edits), notes) == (response, [])
