"""What the simulated model replies to our templates."""

import pytest

from errata.evals.endpoint.people import people, recall
from errata.evals.endpoint.replies import MAKERS, reply_to
from errata.prompts.library import load_prompt, prompt_names
from example import CLAIMS, CORRECTED_CLAIM, DRAFT, LONG_PAGE, OURS, PAGE, QUESTION, RESPONSE

NAMES = [name for name in prompt_names() if name.partition("/")[0] in OURS]
NUMBERED = "\n".join(f"{number}. {claim}" for number, claim in enumerate(CLAIMS, start=1))
VALUES = {
    "question": QUESTION,
    "documents": f"[1] Marie Curie\n{LONG_PAGE}",
    "document": PAGE,
    "knowledge": LONG_PAGE,
    "answers": f"[1] [Curie] {PAGE}\n- Is it so: she was born in 1865?",
    "draft": DRAFT,
    "claims": NUMBERED,
    "claim": CLAIMS[0],
    "errors": '1. "1865" -> 1867 (answer 1)',
}


def filled(name):
    """A template with texts of the worked example."""
    prompt = load_prompt(name)
    return prompt.fill(**{tag: VALUES.get(tag, NUMBERED) for tag in prompt.head.variables})


def test_people_are_told_apart_and_their_drafts_have_errors():
    assert len({person.name.split()[-1] for person in people()}) == len(people())
    for person in people():
        true = set(person.page.split(". "))
        wrong = [line for line in person.draft.split(". ") if line not in true]
        assert 4 <= len(wrong) <= 8
        assert recall(person.question) == person.page


@pytest.mark.parametrize("name", NAMES)
def test_every_template_gets_a_reply_that_is_always_the_same(name):
    text = filled(name)
    assert reply_to(name, text)
    assert reply_to(name, text) == reply_to(name, text)


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("rac/verify.v1", "1: False\n2: True\n3: Not Mentioned"),
        ("rac/correct.v1", PAGE),
        ("reex/explain.v1", '1. "born in 1865" -> a Polish and French physicist (answer 1)'),
        ("reex/explain.v3", '1. "born in 1865" -> "a Polish and French physicist" [1]'),
        ("reex/explain_and_revise.v3", f"Revised Response:\n{PAGE} She was"),
        ("reex/ask.v1", "Is it so: Marie Curie was born in 1865?"),
        ("crag/evaluate.direct.v1", "yes"),
        ("crag/evaluate.cot.v1", "The document was read.\nyes"),
        ("crag/rewrite.v1", "Marie Curie"),
        ("crag/generate.choice.v1", "Answer: A\nFrom: knowledge"),
        ("crag/generate.v3", PAGE),
    ],
)
def test_replies_have_the_form_that_the_template_asks_for(name, reply):
    assert reply in reply_to(name, filled(name))


# What a whole run of each method shows as well is tested there (test_endpoint.py).


def test_a_revision_says_what_the_corrected_claims_say():
    prompt = load_prompt("rac/revise.v1")
    text = prompt.fill(question=QUESTION, draft=DRAFT, claims=CORRECTED_CLAIM)
    assert reply_to(prompt.name, text) == RESPONSE


def test_makers_are_for_templates_or_steps_that_there_are():
    stems = {name.rpartition(".v")[0] for name in NAMES}
    methods = {stem.partition("/")[0] for stem in stems}
    named = [name for name in MAKERS if name.partition("/")[0] in methods]
    assert named
    assert all(any(stem.startswith(name) for stem in stems) for name in named)
