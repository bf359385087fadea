"""What of a draft claims nothing, and why."""

import pytest

from errata.tools.text.unclaimed import find_unclaimed, is_small_talk, why_unclaimed

UNCLAIMED = [
    ("Hi there!", "a courtesy"),
    ("Good luck!", "a courtesy"),
    ("I hope this helps.", "a courtesy"),
    ("Hope this helps!", "a courtesy"),
    ("Let me know if you want more on Paris.", "a courtesy"),
    ("If you have questions on Paris, feel free to ask.", "a courtesy"),
    ("What a view!", "an exclamation"),
    ("I really love it.", "an opinion"),
    ("Personally, I would recommend the harbour.", "an opinion"),
    ("In my opinion it is the best one in Asia.", "an opinion"),
    ("If only we had known!", "an opinion"),
    ("You should visit Lake Como first.", "an instruction"),
    ("You can then open the file.", "an instruction"),
    ("Then click Save.", "an instruction"),
    ("Click Save.", "an instruction"),
    ("Step 3: press Enter.", "an instruction"),
    ("Add the flour until it is smooth.", "an instruction"),
    ("To store the file, click Save.", "an instruction"),
    ("Please open the door.", "an instruction"),
    ("Do not remove the lid.", "an instruction"),
    ("When do you leave?", "a question"),
    ("The members are:", "a lead-in"),
    ("Here are some facts:", "a lead-in"),
    ("Here is what I found:", "a lead-in"),
    ("Run it like this:", "a lead-in"),
    ("Key facts:", "a lead-in"),
    ("I could not find this in the documents.", "a remark on the answer"),
    ("Unfortunately, I don't have access to the archive.", "a remark on the answer"),
    ("As an AI language model, I have no opinion on Paris.", "a remark on the answer"),
    ("The provided documents do not mention the price.", "a remark on the answer"),
    ("There is no information on the price in the sources.", "a remark on the answer"),
    ("This answer is based on the documents.", "a remark on the answer"),
]

CLAIMED = [
    "The tower is tall.",
    "It won!",
    "I think it was built in 1357.",
    "Did you know that whales sing?",
    "Please hand in your keys by noon.",
    "You should take 5 mg with food.",
    "You must wear a helmet.",
    "Take two tablets with water.",
    "She wrote two works:",
    "The tower is the best known in Paris.",
    "Open source software is free.",
    "Set in Paris, the film won a prize.",
    "Use of the tower was limited.",
    "Light from the star reached the Earth.",
    "Thanks to the tower, Paris is known.",
    "Then came the war.",
    "Bill Gates founded Microsoft.",
    "Note that the tower is closed.",
    "I found that the tower is in Paris.",
    "The report does not mention Rome.",
    "Sure, the tower is in Paris.",
    "Born in Warsaw",
]


@pytest.mark.parametrize(("sentence", "reason"), UNCLAIMED)
def test_what_claims_nothing_has_a_reason(sentence, reason):
    assert why_unclaimed(sentence) == reason


@pytest.mark.parametrize("sentence", CLAIMED)
def test_statements_claim_something(sentence):
    assert why_unclaimed(sentence) == ""


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
            "It is tall [1].\n\n## References\n\n[1] Lee, J. (2019). How towers were built.",
            {
                "## References": "a heading",
                "[1] Lee, J. (2019). How towers were built.": "a link or a source",
            },
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
