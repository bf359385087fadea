"""Protected text: whatever edits a method proposes, it stands in the response as it was."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import correct
from errata.core.edits import apply_edits
from errata.core.errors import InputError
from errata.graphs.rac import graph
from errata.nodes.claims import find_protected
from errata.nodes.ends import hand_out
from errata.nodes.rac.state import Rac, RacContext
from example import DRAFT, PAGE, QUESTION
from strategies import edits_of

TEXT = "Ada sang to Bo. Bo sang to Ada."


spans = st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(sorted).map(tuple)
protections = st.lists(spans | st.sampled_from(["sang to", "Ada", "Bo.", "nobody"]), max_size=4)


@given(edits_of(TEXT, st.sampled_from(["", "x", " more "])), protections)
def test_every_protected_stretch_stands_in_the_response(edits, protected):
    state = Rac(draft=TEXT, edits=edits, protected=protected)
    handed = hand_out(state, RacContext(), "refuted")
    response, kept = handed["response"], handed["edits"]
    assert response == apply_edits(TEXT, kept)
    for start, end in find_protected(TEXT, protected):
        moved = sum(len(e.after) - len(e.before) for e in kept if e.end <= start)
        assert response[start + moved : end + moved] == TEXT[start:end]


def test_what_is_not_protected_is_edited():
    protected = ["She was a physicist", (51, 65), "not in the draft"]
    assert correct(QUESTION, DRAFT, documents=[PAGE], protected=protected).changed


@pytest.mark.parametrize("place", [(0, 66), (5, 2), (-1, 3)])
def test_a_stretch_outside_the_draft_is_refused(place):
    with pytest.raises(InputError, match="is no stretch of the draft"):
        correct(QUESTION, DRAFT, documents=[PAGE], protected=[place])


def test_a_graph_takes_it_as_json():
    request = {"question": QUESTION, "draft": DRAFT, "documents": [{"text": PAGE}]}
    out = asyncio.run(graph.ainvoke({**request, "protected": [[24, 28]]}))
    assert out["response"] == DRAFT
