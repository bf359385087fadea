"""Readers of replies take time linear in the reply, also where a model loops."""

from itertools import pairwise
from time import process_time

import pytest

from errata.core.records import Claim
from errata.evals.baselines.cove import read_check, read_plan
from errata.evals.baselines.critic import read_list, read_query
from errata.evals.baselines.ever import read_concepts, read_decision, read_sentence
from errata.evals.baselines.factool import read_verdict as read_factuality
from errata.evals.baselines.mend import split_at
from errata.evals.baselines.rarr import read_label
from errata.evals.baselines.verdicts import read_numbers
from errata.nodes.answer import read_conclusion, read_origin, read_verdict
from errata.nodes.rac.correct import read_corrections
from errata.nodes.rac.verify import read_judgements
from errata.nodes.reex.explain import read_explanations, read_not_shown
from errata.nodes.reex.revise import read_both
from errata.nodes.replies import read_claims, read_questions, read_revision
from errata.nodes.rewrite import read_lines
from errata.tools.local.explain import place_explanations
from errata.tools.models.reflection import read_reflection

CLAIM = Claim(id="c1", text="Ada was born in 1865.", start=0, end=21)
READERS = {
    "verify": lambda reply: read_judgements(reply, [CLAIM.text]),
    "correct": lambda reply: read_corrections(reply, [CLAIM]),
    "extract": read_claims,
    "revise": lambda reply: read_lines(reply, 3),
    "ask": read_questions,
    "plan": read_plan,
    "concepts": read_concepts,
    "cross-check": lambda reply: read_check(reply, {"question": "", "answers": ""}),
    "numbers": lambda reply: read_numbers(reply, 3),
    "factuality": lambda reply: read_factuality(reply, {}),
    "explain": read_explanations,
    "not shown": read_not_shown,
    "explain and revise": read_both,
    "place": lambda reply: place_explanations(CLAIM.text, [reply], []),
    "conclusion": read_conclusion,
    "reflection": read_reflection,
    "origin": read_origin,
    "label": lambda reply: read_label(reply, ["agree", "disagree"]),
    "answer": lambda reply: split_at(reply, "answer"),
    "problems": lambda reply: read_list(f"Problems: {reply}", "problems"),
    "decision": read_decision,
    "sentence": read_sentence,
    "revision": lambda reply: read_revision(f"<draft>{reply}"),
    "query": lambda reply: read_query(f"Search: {reply}"),
    "verdict": lambda reply: read_verdict("", reply),
}
PIECES = [
    "\n",
    " ",
    "“",
    '"',
    "*",
    "1: ",
    "1: False [1] | ",
    "- ",
    "From: ",
    "Answer: ",
    "not ",
    "(",
    "true ",
    ":",
]
SIZES = (1_000, 10_000, 100_000)
GROWTH, LEAST_SECONDS = 12, 0.2


@pytest.mark.growth
@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_reply_that_repeats_itself_is_read_in_linear_time(read, piece):
    seconds = []
    for size in SIZES:
        began = process_time()
        read((piece * size)[:size])
        seconds.append(process_time() - began)
    for short, long in pairwise(seconds):
        assert long <= GROWTH * max(short, LEAST_SECONDS)
