"""Drafts as people have them: cited, instructing, in other languages, or a bare answer."""

import pytest

from errata import correct
from errata.core.jsonable import to_json
from errata.core.records import Edit
from errata.render.findings import verdicts_as_text
from errata.tools.local.tidy import tidy

PAGE = (
    "The Eiffel Tower stands in Paris. It opened in 1889. It is 330 metres tall. "
    "It was designed by Stephen Sauvestre."
)
MARKS = (" [1].", "[1].", ".[1]", ". [1]", " (1).", "【1】.", " [doc1].", ".[^1]", ".¹")
MARKS += (" (Smith, 2019).", " ([source](https://a.org/b)).", "<sup>1</sup>.", " [1][2].")
LAST = "The Eiffel Tower is 330 metres tall"
TRUE = ("The Eiffel Tower stands in Paris", "It is 330 metres tall")


@pytest.mark.parametrize("mark", MARKS)
def test_marks_of_citations_stay_and_are_no_part_of_claims(mark):
    draft = f"{TRUE[0]}{mark} It opened in 1887{mark} {TRUE[1]}{mark}"
    result = correct(draft=draft, documents=[PAGE], unsupported="drop")
    assert result.response == draft.replace("1887", "1889")
    texts = [f"{TRUE[0]}.", "The Eiffel Tower opened in 1887.", f"{LAST}."]
    assert [claim.text for claim in result.claims] == texts
    assert all("".join(claim.citations) == mark.strip(" .") for claim in result.claims)


@pytest.mark.parametrize("mark", [" [1].", ".[1]", ". [1]"])
def test_the_mark_of_a_sentence_that_goes_goes_with_it(mark):
    draft = f"{TRUE[0]}{mark} Monks sang in Lent{mark} {LAST}{mark}"
    result = correct(draft=draft, documents=[PAGE], unsupported="drop", drop_below=0.1)
    assert result.response == f"{TRUE[0]}{mark} {LAST}{mark}"


def test_a_mark_that_a_model_left_out_stays():
    draft = "The Eiffel Tower opened in 1887 [1]."
    year = Edit(start=27, end=31, before="1887", after="1889")
    mark = Edit(start=31, end=35, before=" [1]", after="")
    assert tidy("", draft, [year, mark]) == ([year], [])


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_what_claims_nothing_stays_and_is_told(method):
    draft = (
        "# The tower\n\nHere is what I found:\n\nThe Eiffel Tower stands in Paris. "
        "Then click Save. "
        "I could not find its price in the documents.\n\nSources: Smith, Towers of Paris.\n\n"
        "Let me know if you need more on Paris!"
    )
    settings = {"unsupported": "drop"} if method == "rac" else {}
    result = correct(draft=draft, documents=[PAGE], method=method, **settings)
    assert result.response == draft
    reasons = "a heading, a lead-in, a remark on the answer, a link or a source, a courtesy"
    assert ", ".join(skipped.reason for skipped in result.skipped) == reasons
    assert all(draft[each.start : each.end] == each.text for each in result.skipped)
    assert to_json(result)["skipped"][1]["text"] == "Here is what I found:"
    assert "Not checked: 5 sentences (a courtesy, a heading," in verdicts_as_text(result)


@pytest.mark.parametrize(
    ("question", "draft", "label", "response"),
    [
        ("When did the Eiffel Tower open?", "2016.", "refuted", "1889."),
        ("When did the Eiffel Tower open?", "1889 [1].", "supported", "1889 [1]."),
        ("Where does the Eiffel Tower stand?", "Paris", "supported", "Paris"),
        ("By whom was the Eiffel Tower designed?", "Stephen Sauvestre", "supported", ""),
    ],
)
def test_a_bare_answer_is_judged_with_its_question(question, draft, label, response):
    result = correct(question=question, draft=draft, documents=[PAGE])
    assert (result.label, result.response) == (label, response or draft)


def test_a_draft_that_claims_nothing_says_so_in_a_note():
    result = correct(draft="Hello! Is it done?", documents=[PAGE])
    said = "nothing in the draft could be checked: 2 sentences (a courtesy, a question)"
    assert said in result.notes
