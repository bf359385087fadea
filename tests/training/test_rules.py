"""Rules that make a true and a false claim of a sentence, and statements of questions."""

from random import Random

import pytest

from errata.training.pairs import NOT_MENTIONED, REFUTED, UNSUPPORTED
from errata.training.question_pairs import make_statement
from errata.training.rules import Source, draw_edits

LABELS = {"-": REFUTED, "?": NOT_MENTIONED, "-?": UNSUPPORTED}


def edits(text, **known):
    return {
        (edit.true, edit.false, edit.labels)
        for seed in range(200)
        for edit in draw_edits(Source(text, **known), Random(seed))
    }


@pytest.mark.parametrize(
    ("text", "true", "sign", "false"),
    [
        ("The bridge is open.", "", "-", "The bridge is not open."),
        ("She won twice.", "", "-", "She never won twice."),
        ("It does not rain.", "", "-", "It does rain."),
        ("It cannot fly.", "", "-", "It can fly."),
        ("He wasn't there.", "", "-", "He was there."),
        ("Prices rose.", "", "-", "Prices fell."),
        ("It is an early bird.", "", "-", "It is a late bird."),
        ("He managed to swim.", "", "-", "He failed to swim."),
        ("Every seat is taken.", "Each seat is taken.", "-", "No seat is taken."),
        ("Most cats sleep.", "Some cats sleep.", "-", "Few cats sleep."),
        ("Most cats sleep.", "Some cats sleep.", "-?", "All cats sleep."),
        ("You may enter.", "You can enter.", "-?", "You must enter."),
        ("You must pay.", "", "-", "You need not pay."),
        ("It has two doors.", "It has 2 doors.", "-", "It has 4 doors."),
        ("It has 3 doors.", "It has three doors.", "-", "It has six doors."),
        ("It has 4,321 m.", "It has over 4,300 m.", "-", "It has over 4,400 m."),
        ("It has 4,321 m.", "It has about 4,300 m.", "-", "It has about 8,600 m."),
        ("It cost 1.5 million.", "It cost 1,500,000.", "-", "It cost 15,000,000."),
        ("It cost 1.5 million.", "", "-", "It cost 1.5 billion."),
        ("50% agreed.", "Half agreed.", "-", "A fifth agreed."),
        ("It cost $5 million.", "It cost 5 million dollars.", "-", "It cost 5 million euros."),
        ("It cost $5 million.", "", "-", "It cost €5 million."),
        ("It lasted 2 hours.", "It lasted 120 minutes.", "-", "It lasted 12 minutes."),
        ("It lasted 2 hours.", "", "-", "It lasted 2 minutes."),
        ("It fell in 1989.", "", "-", "It fell in 1988."),
        ("It fell in 1989.", "It fell in the 1980s.", "-", "It fell in the 1970s."),
        ("It fell in 1989.", "It fell in the 20th century.", "-", "It fell in the 19th century."),
        ("It fell on 9 May 1989.", "It fell on 1989-05-09.", "-", "It fell on 1989-06-09."),
        ("It fell on 9 May 1989.", "It fell on May 9, 1989.", "-", "It fell on May 10, 1989."),
        ("It fell on 9 May 1989.", "It fell in May 1989.", "-", "It fell in June 1989."),
        ("Rome defeated Carthage.", "", "-", "Carthage defeated Rome."),
    ],
)
def test_an_edit_has_a_true_claim_and_a_false_one(text, true, sign, false):
    assert (true or text, false, LABELS[sign]) in edits(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ann and Bob left.", "Ann and Bob"),
        ("Ann met Bob.", "Ann"),
        ("It sold as many as five boats.", "as many as"),
        ("It has 8 rooms of 1989.", "rooms of"),
        ("The ship was a 12-year-old.", "-year-old"),
    ],
)
def test_rules_leave_alone_what_they_cannot_turn(text, kept):
    assert all(kept in claim for *both, _ in edits(text) for claim in both)


@pytest.mark.parametrize(
    ("text", "known", "sign", "false"),
    [
        ("It has 5 doors.", {"others": ("In 1950, it had 77 trams.",)}, "-", "It has 77 doors."),
        ("Ada was born in Rome.", {"others": ("It fell to Oslo.",)}, "-", "Ada was born in Oslo."),
        ("Ada liked Rome.", {"others": ("It fell to Oslo.",)}, "-?", "Ada liked Oslo."),
        ("Ada liked Rome.", {"foreign": ("He saw Oslo.",)}, "-?", "Ada liked Oslo."),
        ("Rome is old.", {"foreign": ("He saw Oslo.",)}, "?", "Oslo is old."),
    ],
)
def test_names_and_numbers_come_from_other_sentences(text, known, sign, false):
    assert (text, false, LABELS[sign]) in edits(text, **known)


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Who wrote Hamlet?", "Shakespeare", "Shakespeare wrote Hamlet."),
        ("How many ships were present ?", "200", "200 ships were present."),
        ("How many wars did Rome lose?", "two", "Rome lose two wars."),
        ("What is the capital of France?", "Paris", "Paris is the capital of France."),
        ("Which river did they cross?", "the Rhine", "they cross the Rhine, river."),
        ("When was the tower opened?", "1889", "the tower opened in 1889."),
        ("Where did he die?", "in Rome", "he die in Rome."),
        ("In what year was it built?", "1889", "In 1889, was it built."),
        ("From which army did they take arms?", "the Royal", "From the Royal, they take arms."),
        ("Is there a delegate?", "two", "Is there a delegate: two."),
    ],
)
def test_questions_become_statements(question, answer, statement):
    assert make_statement(question, answer) == statement
