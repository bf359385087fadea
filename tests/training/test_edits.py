"""Rules that make true and false claims of a sentence."""

from random import Random

import pytest

from errata.training import date_edits, number_edits, role_edits, word_edits
from errata.training.edits import Edit, Source


def edits(rule, text, **known):
    return {
        (edit.text, edit.relation)
        for seed in range(40)
        for edit in rule(Source(text, **known), Random(seed))
    }


@pytest.mark.parametrize(
    ("rule", "text", "edited", "relation"),
    [
        (word_edits.negate, "The bridge is open.", "The bridge is not open.", "contradicts"),
        (word_edits.negate, "She won twice.", "She did not win twice.", "contradicts"),
        (word_edits.negate, "She won twice.", "She never won twice.", "contradicts"),
        (word_edits.affirm, "It does not rain.", "It does rain.", "contradicts"),
        (word_edits.affirm, "It cannot fly.", "It can fly.", "contradicts"),
        (word_edits.affirm, "He wasn't there.", "He was there.", "contradicts"),
        (word_edits.replace_opposite, "Prices rose.", "Prices fell.", "contradicts"),
        (word_edits.replace_opposite, "It is an early bird.", "It is a late bird.", "contradicts"),
        (word_edits.replace_opposite, "He managed to swim.", "He failed to swim.", "contradicts"),
        (word_edits.replace_synonym, "She wrote a novel.", "She wrote a book.", "follows"),
        (word_edits.replace_synonym, "It began late.", "It started late.", "follows"),
        (word_edits.requantify, "Every seat is taken.", "No seat is taken.", "contradicts"),
        (word_edits.requantify, "Most cats sleep.", "Some cats sleep.", "follows"),
        (word_edits.requantify, "Most cats sleep.", "All cats sleep.", "unsupported"),
        (word_edits.requantify, "You may enter.", "You must enter.", "unsupported"),
        (word_edits.requantify, "You must pay.", "You need not pay.", "contradicts"),
        (word_edits.hedge, "It is blue.", "It is perhaps blue.", "follows"),
        (word_edits.hedge, "It is perhaps blue.", "It is blue.", "unsupported"),
        (
            word_edits.reorder,
            "The king returned home before the battle had begun.",
            "Before the battle had begun, the king returned home.",
            "follows",
        ),
        (
            word_edits.shorten,
            "The tower (324 m) was built by Eiffel, who died in 1923.",
            "The tower was built by Eiffel.",
            "follows",
        ),
        (word_edits.contract, "It did not open.", "It didn't open.", "follows"),
        (number_edits.spell_number, "It has two doors.", "It has 2 doors.", "follows"),
        (number_edits.round_number, "It has 3 doors.", "It has three doors.", "follows"),
        (number_edits.round_number, "It has 4,321 m.", "It has more than 4,300 m.", "follows"),
        (number_edits.round_number, "It has 4,321 m.", "It has fewer than 4,300 m.", "contradicts"),
        (number_edits.change_ordinal, "He came third.", "He came 3rd.", "follows"),
        (number_edits.change_ordinal, "He came third.", "He came second.", "contradicts"),
        (number_edits.rescale, "It cost 1.5 million.", "It cost 1,500,000.", "follows"),
        (number_edits.rescale, "It cost 1.5 million.", "It cost 1.5 billion.", "contradicts"),
        (number_edits.change_percent, "50% agreed.", "Half agreed.", "follows"),
        (number_edits.change_percent, "50% agreed.", "A fifth agreed.", "contradicts"),
        (number_edits.change_money, "It cost $5 million.", "It cost 5 million dollars.", "follows"),
        (number_edits.change_money, "It cost $5 million.", "It cost €5 million.", "contradicts"),
        (number_edits.change_unit, "It lasted 2 hours.", "It lasted 120 minutes.", "follows"),
        (number_edits.change_unit, "It lasted 2 hours.", "It lasted 2 minutes.", "contradicts"),
        (date_edits.change_year, "It fell in 1989.", "It fell in the 1980s.", "follows"),
        (date_edits.change_year, "It fell in 1989.", "It fell in the 20th century.", "follows"),
        (date_edits.change_year, "It fell in 1989.", "It fell in 1988.", "contradicts"),
        (
            date_edits.change_span,
            "He led it from 1990 to 1995.",
            "He led it for 5 years.",
            "follows",
        ),
        (date_edits.change_date, "It fell on 9 May 1989.", "It fell on 1989-05-09.", "follows"),
        (date_edits.change_date, "It fell on 9 May 1989.", "It fell on May 9, 1989.", "follows"),
        (date_edits.change_date, "It fell on 9 May 1989.", "It fell in May 1989.", "follows"),
        (
            date_edits.change_date,
            "It fell on 9 May 1989.",
            "It fell in June 1989.",
            "contradicts",
        ),
        (role_edits.turn_passive, "Troy was built by Ann.", "Ann built Troy.", "follows"),
        (role_edits.turn_passive, "Troy was sold by Ann.", "Ann was sold by Troy.", "contradicts"),
        (role_edits.turn_passive, "Troy was sold by Ann.", "Troy sold Ann.", "contradicts"),
        (
            role_edits.swap_names,
            "Rome defeated Carthage.",
            "Carthage defeated Rome.",
            "contradicts",
        ),
        (
            role_edits.change_list,
            "He likes Rome, Oslo and Bonn.",
            "He likes Rome and Oslo.",
            "follows",
        ),
    ],
)
def test_an_edit_and_its_relation(rule, text, edited, relation):
    assert (edited, relation) in edits(rule, text)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (word_edits.negate, "The tunnel closed."),
        (word_edits.affirm, "It is open."),
        (role_edits.swap_names, "Ann and Bob left."),
        (role_edits.swap_names, "Ann met Bob."),
        (number_edits.change_number, "It fell in 1989 on 9 May 1989."),
    ],
)
def test_rules_leave_alone_what_they_cannot_turn(rule, text):
    assert not edits(rule, text)


def test_a_wider_term_does_not_follow_under_a_negation():
    assert not edits(word_edits.replace_synonym, "She wrote no novel.")


def test_numbers_and_names_come_from_the_same_paragraph():
    near = {"others": ("In 1950, Oslo had 77 trams.",)}
    assert ("It has 77 doors.", "contradicts") in edits(
        number_edits.neighbour, "It has 5 doors.", **near
    )
    moved = edits(role_edits.neighbour_name, "Ada was born in Rome.", others=("It fell to Oslo.",))
    assert moved == {("Ada was born in Oslo.", "contradicts")}


def test_a_claim_on_something_else_is_open():
    found = edits(role_edits.foreign_subject, "Rome is old.", foreign=("He saw Oslo.",))
    assert found == {("Oslo is old.", "open")}


def test_edits_in_both_directions_say_so():
    [edit] = word_edits.negate(Source("The bridge is open."), Random(0))
    assert edit == Edit("negation", edit.text, "contradicts", mutual=True)
