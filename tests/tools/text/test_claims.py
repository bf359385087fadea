"""What a sentence claims: its clauses, what it denies, whom it means, and what claims nothing."""

import pytest

from errata.tools.text.unclaimed import is_small_talk, why_unclaimed

UNCLAIMED = """
a courtesy: Hi there! | Good luck! | I hope this helps. | Hope this helps!
a courtesy: Let me know if you want more on Paris.
a courtesy: If you have questions on Paris, feel free to ask.
an exclamation: What a view!
an opinion: I really love it. | Personally, I would recommend the harbour.
an opinion: In my opinion it is the best one in Asia. | If only we had known!
a heading: What it cost. | How the pump works.
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


def test_a_greeting_alone_is_small_talk():
    assert is_small_talk("Hello! Thank you.")
    assert not is_small_talk("Hello! The tower is tall.")
