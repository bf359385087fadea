"""What the pronouns of a text stand for."""

import pytest

from errata.tools.text.coreference import name_subject, resolve_pronouns
from errata.tools.text.genders import find_gender
from errata.tools.text.sentences import split_sentences


def read(text, about=""):
    """The antecedents of the last sentence."""
    sentences = [text[a:b] for a, b in split_sentences(text)]
    return list(resolve_pronouns(sentences, about))[-1]


@pytest.mark.parametrize(
    ("text", "he", "she"),
    [
        ("Greta Holm met Jonas Berg. She left.", "Jonas Berg", "Greta Holm"),
        ("Greta Holm succeeded Jonas Berg. She won. He left.", "Jonas Berg", "Greta Holm"),
        ("Greta Holm and her husband Jonas kept bees. They left.", "Jonas", "Greta Holm"),
        ("Mr Adeyemi hired Mrs Okoro. She left.", "Mr Adeyemi", "Mrs Okoro"),
        ("Okonkwo was a chemist. He won.", "Okonkwo", "Okonkwo"),
        ("Okonkwo was a chemist. He won. She left.", "Okonkwo", ""),
        ("Jonas Berg was a painter. His uncle Peter was a smith. He left.", "", ""),
        ("Greta and Maja Holm kept bees. She left.", "", ""),
        ("Greta Holm was a nurse. Nurses were rare. She left.", "", "Greta Holm"),
        ("Jonas Berg moved to Victoria. He left.", "Jonas Berg", ""),
    ],
)
def test_people_are_told_apart_by_gender_and_newest_mention(text, he, she):
    found = read(text)
    assert (found.he, found.she) == (he, she)


@pytest.mark.parametrize(
    ("text", "it"),
    [
        ("The mill stands by the river. Geese are kept there. It burned.", "The mill"),
        ("Greta Holm was a nurse. It burned.", ""),
        ("The mill burned. The barn was saved. It is red.", "The barn"),
        ("With four horses missing, the farm closed. It is red.", ""),
    ],
)
def test_it_is_the_last_thing_and_nobody(text, it):
    assert read(text).it == it


@pytest.mark.parametrize(
    ("text", "about", "it"),
    [
        ("Peru's coast is dry. It burned.", "", ""),
        ("Peru's coast is dry. Its rivers are short. It burned.", "", ""),
        ("The lid of the kettle is blue. It burned.", "", ""),
        ("The engineers' report is long. It burned.", "", ""),
        ("Peru's coast is dry. It burned.", "Peru", "Peru"),
        ("Peru's coast is dry. Its rivers are short. It burned.", "Peru", "Peru"),
        ("The lid of the kettle is blue. It burned.", "Lid", "lid"),
        ("The lid of the kettle is blue. It burned.", "kettle", "the kettle"),
        ("The kettle is old. The lid of the kettle is blue. It burned.", "", "the kettle"),
        ("Peru's coast is dry. It burned.", "Chile", ""),
        ("The lamp of Greta Holm is blue. It burned.", "", "The lamp of Greta Holm"),
        ("The city of Lima is dry. It burned.", "", "The city of Lima"),
        ("The Museum of Lima is dry. It burned.", "", "The Museum of Lima"),
        ("King's College is old. It burned.", "", "King's College"),
        ("Peru's coast is dry. The mill is old. It burned.", "", "The mill"),
    ],
)
def test_it_is_neither_a_thing_nor_its_owner_unless_one_was_named(text, about, it):
    assert read(text, about).it == it


def test_two_people_of_a_title_are_two_people():
    found = read("They worked together. She won.", "Jonas and Greta Holm")
    assert (found.he, found.she) == ("Jonas Holm", "Greta Holm")


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("She drew maps.", "Greta Holm drew maps."),
        ("In 1952 she drew maps.", "In 1952 Greta Holm drew maps."),
        ("Her maps are lost.", "Greta Holm's maps are lost."),
        ("It is possible to leave.", "It is possible to leave."),
        ("Maps that she drew are lost.", "Maps that she drew are lost."),
    ],
)
def test_only_a_pronoun_that_is_the_subject_is_replaced(sentence, named):
    antecedents = read("Greta Holm was a surveyor. The office closed. She left.")
    assert name_subject(sentence, antecedents) == named


@pytest.mark.parametrize(
    ("name", "before", "gender"),
    [
        ("Greta Holm", "", "female"),
        ("Lindqvist", "", ""),
        ("Lindqvist", "her husband ", "male"),
        ("Sir Lindqvist", "", "male"),
        ("Robin Holm", "the actress ", "female"),
    ],
)
def test_a_title_or_a_relative_tells_more_than_the_name(name, before, gender):
    assert find_gender(name, before) == gender
