"""Whatever a model replies, the readers of replies take no label from it that it does not give."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Claim
from errata.nodes.answer import FORMS, read_origin
from errata.nodes.answer import read_verdict as read_closed
from errata.nodes.ask import read_claims, read_questions
from errata.nodes.crag.knowledge import read_judgement
from errata.nodes.rac.correct import read_correction, read_corrections
from errata.nodes.rac.judgements import read_judgements
from errata.nodes.reex.explain import read_explanations, read_not_shown
from errata.nodes.reex.revise import read_both
from errata.nodes.rewrite import holds_text, read_lines, read_revision
from strategies import EXAMPLES, REPLIES

CLAIM = "Ada Byron was born in 1816 in Paris."
CLAIMS = [Claim(id=f"c{n}", text=CLAIM, start=0, end=len(CLAIM)) for n in (1, 2)]


def is_supported(reply):
    """Whether RAC's reader takes a reply on one claim for support."""
    return read_judgements(reply, [CLAIM])[0].label == "supported"


SUPPORTS = {
    "rac": (is_supported, "true|supported"),
    "crag": (lambda reply: read_judgement(reply) == 1, "yes"),
    "true or false": (lambda reply: read_closed(reply) == "true", "true|yes|correct"),
}
"""Whether a reader takes a reply for support, and the words without which it must not."""
BEFORE = ("", "1: ", "Decision: ", "Factuality: ", "The documents were read.\n", "Answer: ", "So: ")
TAKEN_BACK = (
    *("not {0}", "It is not {0}.", "isn't {0}", "isn’t {0}", "neither {0} nor {1}", "{0} or {1}"),
    *("{1} or {0}", "{0}/{1}", "{0}? No, {1}.", "{0} | {1}", "{0}, or {1}", "nor {0}", "{0}?"),
    *("{0}, not.", "{0} {1}", "{1}, {0}", "never {0}", "hardly {0}", "{0} and {1}"),
)
READERS = (
    *(read_claims, read_questions, read_revision, holds_text, read_origin),
    *(read_explanations, read_not_shown, read_both, read_correction),
    lambda reply: read_corrections(reply, CLAIMS),
    lambda reply: read_judgements(reply, [CLAIM, CLAIM]),
    lambda reply: read_lines(reply, 3),
    lambda reply: [form.read(reply) for form in FORMS.values()],
)
"""The readers that give no label."""


def without(words, reply):
    """The reply without some words, also where removing them makes them anew."""
    while (rest := re.sub(words, "", reply, flags=re.IGNORECASE)) != reply:
        reply = rest
    return reply


@EXAMPLES
@given(REPLIES)
def test_no_reply_breaks_a_reader(reply):
    for read in READERS:
        read(reply)
    for supports, _ in SUPPORTS.values():
        supports(reply)


@pytest.mark.parametrize("method", SUPPORTS)
@EXAMPLES
@given(reply=REPLIES)
def test_a_reply_without_the_word_for_it_supports_nothing(method, reply):
    supports, words = SUPPORTS[method]
    assert not supports(without(words, reply))


@EXAMPLES
@given(
    before=st.sampled_from(BEFORE),
    form=st.sampled_from(TAKEN_BACK),
    write=st.sampled_from([str.lower, str.upper, str.title]),
    end=st.sampled_from(["", ".", "**", " \n", "\n\nThat is all."]),
)
def test_a_label_that_is_taken_back_supports_nothing(before, form, write, end):
    assert not is_supported(before + form.format(write("true"), write("false")) + end)


@EXAMPLES
@given(REPLIES, st.sampled_from(["1: false", "false", "inconsistent", "disagree"]))
def test_a_reply_that_ends_in_the_other_label_supports_nothing(before, other):
    clean = without("true|supported", before)
    assert not is_supported(f"{clean}\n{other}")


@EXAMPLES
@given(st.sampled_from("True true CONSISTENT Consistent".split()), st.text("abc .,1", min_size=2))
def test_a_claim_that_begins_as_a_label_and_is_only_repeated_has_none(word, rest):
    claim = f"{word} winds{rest}".strip()
    assert read_judgements(f"1. {claim}", [claim])[0].label == "unreadable"


@EXAMPLES
@given(REPLIES)
def test_corrected_and_revised_texts_are_the_replys_own_words(reply):
    said = "".join(reply.split())
    assert "".join(read_revision(reply).split()) in said
    assert all("".join(text.split()) in said for text in read_corrections(reply, CLAIMS).values())
    assert all("".join(text.split()) in said for text in read_lines(reply, 3).values())
