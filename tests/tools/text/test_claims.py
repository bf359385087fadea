"""What a sentence claims: its clauses, what it denies, whom it means, and what claims nothing."""

import pytest
from hypothesis import given

from errata.tools.text.clauses import parse_clauses
from errata.tools.text.unclaimed import find_unclaimed, is_small_talk, why_unclaimed
from strategies import DRAFTS


@given(DRAFTS)
def test_every_sentence_claims_something(sentence):
    assert parse_clauses(sentence, "Ada") or not sentence.strip()


@pytest.mark.parametrize(
    ("sentence", "ends"),
    [
        ("Anna Berg drew maps, sang in Oslo and died in 1990.", ["maps.", "Oslo.", "in 1990."]),
        ('Lee "Scratch" Perry produced dub records.', ["produced dub records."]),
        ("The tower, which Jon Ek designed, is high.", ["which Jon Ek designed, is high."]),
        ("The head of the bank, which was founded in 1950, left.", ["1950, left."]),
        ("She said that he left, took the car, and was gone.", ["and was gone."]),
        ("It had three members: Al Orr, Bo Ek and Cy Lee.", ["Al Orr, Bo Ek and Cy Lee."]),
    ],
)
def test_each_predicate_is_a_claim_of_the_subject(sentence, ends):
    claims = parse_clauses(sentence)
    assert all(claim.startswith(sentence[:3]) for claim in claims)
    assert all(claim.endswith(end) for claim, end in zip(claims, ends, strict=True))


UNCLAIMED = """
a courtesy: Hi there! | Good luck! | I hope this helps. | Hope this helps!
a courtesy: Let me know if you want more on Paris.
a courtesy: If you have questions on Paris, feel free to ask.
an exclamation: What a view!
an opinion: I really love it. | Personally, I would recommend the harbour.
an opinion: In my opinion it is the best one in Asia. | If only we had known!
an instruction: You should visit Lake Como first. | You can then open the file. | Then click Save.
an instruction: Click Save. | Step 3: press Enter. | Add the flour until it is smooth.
an instruction: To store the file, click Save. | Please open the door. | Do not remove the lid.
a question: When do you leave?
a lead-in: The members are: | Here are some facts: | Here is what I found: | Run it like this:
a lead-in: Key facts:
a remark on the answer: I could not find this in the documents.
a remark on the answer: Unfortunately, I don't have access to the archive.
a remark on the answer: As an AI language model, I have no opinion on Paris.
a remark on the answer: The provided documents do not mention the price.
a remark on the answer: There is no information on the price in the sources.
a remark on the answer: This answer is based on the documents.
: The tower is tall. | It won! | I think it was built in 1357. | Did you know that whales sing?
: Please hand in your keys by noon. | You should take 5 mg with food. | You must wear a helmet.
: Take two tablets with water. | She wrote two works: | The tower is the best known in Paris.
: Open source software is free. | Set in Paris, the film won a prize. | Then came the war.
: Use of the tower was limited. | Light from the star reached the Earth.
: Thanks to the tower, Paris is known. | Bill Gates founded Microsoft. | Born in Warsaw
: Note that the tower is closed. | I found that the tower is in Paris.
: The report does not mention Rome. | Sure, the tower is in Paris.
"""
"""Sentences with why they claim nothing; the last ones claim something."""


@pytest.mark.parametrize("line", UNCLAIMED.strip().split("\n"))
def test_what_claims_nothing_has_a_reason(line):
    reason, _, sentences = line.partition(": ")
    for sentence in sentences.split(" | "):
        assert (sentence, why_unclaimed(sentence)) == (sentence, reason)


@pytest.mark.parametrize(
    ("draft", "reasons"),
    [
        ("# The tower\n\nIt is tall.", {"# The tower": "a heading"}),
        ("It is tall.\n\nSources: Lee, Towers.", {"Sources: Lee, Towers.": "a link or a source"}),
        (
            "It is tall.\n\nSources:\n\n- [Towers](https://a.org)\n- Lee, Towers\n\nIt is old.",
            dict.fromkeys(
                ("Sources:", "[Towers](https://a.org)", "Lee, Towers"), "a link or a source"
            ),
        ),
        (
            "It is tall [1].\n\n## References\n\n[1] Lee, J. (2019). Of towers.",
            {"## References": "a heading", "[1] Lee, J. (2019). Of towers.": "a link or a source"},
        ),
        ("It is tall.\n\nhttps://a.org/b", {"https://a.org/b": "a link or a source"}),
        ("It is tall. Is it old? [1] It is.", {"Is it old? [1]": "a question"}),
    ],
)
def test_headings_and_sources_are_told_by_their_place(draft, reasons):
    found = find_unclaimed(draft)
    assert {each.text: each.reason for each in found} == reasons
    assert all(draft[each.start : each.end] == each.text for each in found)


def test_a_greeting_alone_is_small_talk():
    assert is_small_talk("Hello! Thank you.")
    assert not is_small_talk("Hello! The tower is tall.")
