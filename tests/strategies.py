"""Texts that Hypothesis draws."""

import os
from collections import defaultdict
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from errata.core.records import Edit
from errata.tools.models.replies import unpack

_WORDS = [*'He was born, and won "A" ; .', " and ", " who was ", "1900", "She ", "\n", "Ada"]
DRAFTS = st.lists(st.sampled_from(_WORDS), max_size=60).map("".join)
"""Words and marks in any order, as a parser of clauses may meet them."""

settings.register_profile("quick", max_examples=20, deadline=None, derandomize=True)
settings.register_profile(
    "long", max_examples=5_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
EXAMPLES = settings.get_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
"""How many examples a test of tests/fuzz draws: few and the same ones, or with `make fuzz` many."""

SHORT = st.text(max_size=6)


@st.composite
def edits_of(draw, draft, afters=SHORT):
    """Edits of a draft that do not overlap; some insert, some delete."""
    places = sorted(draw(st.lists(st.integers(0, len(draft)), max_size=10)))
    spans = zip(places[::2], places[1::2], strict=False)
    return [Edit(start=a, end=b, before=draft[a:b], after=draw(afters)) for a, b in spans]


_RECORDED = Path(__file__).parent.parent / "recordings"


@cache
def recorded_replies():
    """What a capable model replied to our prompts, a few replies of each."""
    by_prompt = defaultdict(list)
    for path in sorted(_RECORDED.glob("*.jsonl.gz")):
        for replies in unpack(path).values():
            first = replies[min(replies)]
            if len(by_prompt[first.prompt]) < 3:
                by_prompt[first.prompt].append(first.text)
    return [reply for replies in by_prompt.values() for reply in replies]


MARKS = (
    *("1: ", "2. ", "- ", "**", "\n", "\n\n", " | ", "[1]", ": ", "?", "…", '"', "“", "”", "```"),
    *("<draft>", "</draft>", "Fix:", "Answer:", "Search:", "Problems:", "Factual Errors:"),
    *("Not shown:", "Revised Response:", "Decision:", "Factuality:", "From: ", "None", "\u200b"),
    *"true|False|not |n't |agree|consistent|yes|fully|nor |{|}|é".split("|"),
)
"""What readers look for."""
FRAGMENTS = st.lists(st.sampled_from(MARKS) | st.text(max_size=6), max_size=25).map("".join)
"""Replies made of what readers look for, in any order."""


@st.composite
def mutated(draw):
    """A recorded reply with pieces of it cut out, doubled, or replaced by a mark."""
    text = draw(st.deferred(lambda: st.sampled_from(recorded_replies())))
    for _ in range(draw(st.integers(0, 4))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        piece = draw(st.sampled_from(["", text[start:end] * 2, *MARKS]))
        text = text[:start] + piece + text[end:]
    return text


REPLIES = st.text(max_size=200) | FRAGMENTS | mutated()
"""Any reply: any text, marks in any order, or a real one that was spoilt."""
