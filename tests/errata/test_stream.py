"""The stream of the composed method: order, overlap, what is held back, what survives a cut."""

import asyncio
import re
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import answer, astream_answer, astream_correct, correct
from errata.core.edits import apply_edits
from errata.core.errors import ChatError, CutError
from errata.core.events import Held, Judged, Patched, Shown, Text, closing_events
from errata.core.records import Answer, Correction
from errata.graphs.errata import graph
from example import CLAIMS, CORRECTED_CLAIM, DRAFT, LABELS, PAGE, QUESTION, RESPONSE
from strategies import edits_of

WRITER = {"roles": {"generate": "openai:m"}}


@pytest.fixture
def server(openai_server):
    """A model that writes the draft word by word."""
    openai_server.replies = {
        "rac/generate.rag": DRAFT,
        "rac/generate": DRAFT,
        "rac/verify": "1: False [1] | 1865 -> 1867\n2: Not Mentioned",
    }
    return openai_server


async def collect(stream):
    return [each async for each in stream]


def written(**settings):
    return asyncio.run(collect(astream_correct(QUESTION, documents=[PAGE], **WRITER, **settings)))


def shown(events):
    page = Shown()
    for event in events:
        page.add(event)
    return page


@pytest.mark.usefixtures("server")
def test_text_comes_in_order_then_patches_and_the_correction():
    *events, result = written()
    texts = [event for event in events if isinstance(event, Text)]
    assert len(texts) > 5
    assert "".join(event.text for event in texts) == result.draft == DRAFT
    assert [event.start for event in texts] == sorted(event.start for event in texts)
    assert [e.edit for e in events if isinstance(e, Patched)] == list(result.edits)
    assert shown(events).text() == shown(events).ready == result.response == RESPONSE
    assert [verdict.label for verdict in result.verdicts] == LABELS


@pytest.mark.usefixtures("server")
def test_of_a_refuted_sentence_only_its_patched_form_is_shown():
    page, seen = Shown(), list[str]()
    for event in written(hold="doubtful")[:-1]:
        page.add(event)
        seen.append(page.text(" … "))
    assert not any("1865" in text for text in seen)
    assert page.text() == page.ready == RESPONSE
    assert any(" … " in text and "physicist" in text for text in seen)


@pytest.mark.parametrize("cut", [0, 1, 20, 29, 35, 52, 64])
def test_a_cut_stream_keeps_whole_sentences(server, cut):
    server.cut = cut
    with pytest.raises(ChatError, match=r"asking|broke off|broken") as raised:
        correct(QUESTION, method="errata", documents=[PAGE], retries=0, **WRITER)
    whole = getattr(raised.value, "draft", "")
    assert whole in ("", *(DRAFT[: m.end()] for m in re.finditer(r"\.", DRAFT)))


@pytest.mark.parametrize("stalls", [False, True])
def test_the_error_of_a_stream_that_is_cut_or_stalls_carries_the_verdicts(server, stalls):
    server.cut, server.stalls = 60, stalls
    settings = {"timeout": 2.0, "retries": 0, **WRITER}
    with pytest.raises(CutError) as raised:
        correct(QUESTION, method="errata", documents=[PAGE], **settings)
    assert raised.value.draft == "Marie Curie was born in 1865. She was a physicist."
    assert [verdict.label for verdict in raised.value.verdicts] == LABELS[:2]


def test_one_more_call_judges_what_is_unsure_and_mends_what_is_refuted(server):
    result = correct(QUESTION, method="errata", documents=[PAGE], model="openai:m")
    assert result.response == RESPONSE
    names = [headers.get("x-errata-prompt", "") for headers, _ in server.requests]
    assert names == ["rac/generate.rag.v1", "rac/verify.v6"]
    assert "1. Marie Curie was born in 1865." in server.requests[1][1]["messages"][0]["content"]


LIFE = (
    "Marie Curie was a chess master in Lyon. Her sister painted trains at night. "
    "Her brother sold bees to the navy. Her aunt swam to Gdansk. Her uncle sang in Turin. "
    "Her cousin fished in Oslo."
)
"""Six claims of which the page says nothing that local code is sure of."""


def end_once_asked(server):
    """Have the model write the end of LIFE only once it was asked about claims."""

    async def wait(sent):
        for _ in range(3000 if sent > len(LIFE) * 0.95 else 0):
            if len(server.requests) > 1:
                break
            await asyncio.sleep(0.01)

    server.writing = wait


def claims_in(body):
    """The claims that a request asks about."""
    asked = body["messages"][0]["content"].partition("<claims")[2]
    return re.findall(r"(?m)^\d+\. (.+)$", asked)


def test_a_model_is_asked_before_the_text_ends_and_about_each_claim_once(server):
    """The model ends its text only once it was asked about the first claims."""
    server.replies |= dict.fromkeys(("rac/generate.rag", "rac/generate"), LIFE)
    first = "1: False [1] | all -> - | a Polish and French physicist"
    server.replies["rac/verify"] = lambda body: "\n".join(
        [first, *(f"{n}: Not Mentioned" for n in range(2, len(claims_in(body)) + 1))]
    )
    end_once_asked(server)
    stream = astream_correct(QUESTION, documents=[PAGE], model="openai:m")
    *events, result = asyncio.run(asyncio.wait_for(collect(stream), 60))
    first, rest = (claims_in(body) for _, body in server.requests[1:])
    assert len(first) >= 4
    assert sorted([*first, *rest]) == sorted(claim.text for claim in result.claims)
    assert [v.label for v in result.verdicts].count("refuted") == 2
    assert result.draft == LIFE
    assert shown(events).text() == result.response
    last_words = [claim.split()[-1] for claim in (first[0], rest[0])]
    assert not any(word in result.response for word in last_words)


def test_a_held_sentence_is_shown_as_soon_as_the_model_bears_it_out(server):
    server.replies |= dict.fromkeys(("rac/generate.rag", "rac/generate"), LIFE)
    server.replies["rac/verify"] = lambda body: "\n".join(
        f"{n}: True [1]" for n in range(1, len(claims_in(body)) + 1)
    )

    end_once_asked(server)
    stream = astream_correct(QUESTION, documents=[PAGE], model="openai:m", hold="doubtful")
    *events, result = asyncio.run(collect(stream))
    kinds = [type(each) for each in events]
    assert kinds.index(Held) < kinds.index(Text) < len(kinds) - kinds[::-1].index(Judged)
    assert shown(events).ready == result.response == LIFE


@pytest.mark.usefixtures("server")
def test_tokens_go_to_the_messages_stream_unless_held():
    async def tokens(hold):
        request = {"question": QUESTION, "documents": [{"text": PAGE}]}
        context = {**WRITER, "hold": hold}
        stream = graph.astream(request, context=context, stream_mode="messages")
        return [m.text async for m, _ in stream if type(m).__name__ == "AIMessageChunk"]

    assert "".join(asyncio.run(tokens("none"))) == DRAFT
    assert asyncio.run(tokens("doubtful")) == []


@pytest.mark.usefixtures("server")
def test_it_answers_too():
    result = answer(QUESTION, method="errata", documents=[PAGE], **WRITER)
    assert isinstance(result, Answer)
    assert (result.response, result.trail["label"]) == (RESPONSE, "refuted")
    assert result.action == "correct"
    assert result.knowledge
    *_, last = asyncio.run(collect(astream_answer(QUESTION, documents=[PAGE], **WRITER)))
    assert last.response == RESPONSE


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_other_methods_tell_all_at_their_end(method):
    *events, result = asyncio.run(collect(astream_correct(QUESTION, DRAFT, method, [PAGE])))
    assert isinstance(result, Correction)
    assert shown(events).text() == RESPONSE
    assert {e.claim.id for e in events if isinstance(e, Judged)} == {c.id for c in result.claims}


def test_the_whole_draft_and_its_sentences_have_the_same_verdicts():
    ours, theirs = (correct(QUESTION, DRAFT, name, [PAGE]) for name in ("errata", "rac"))
    for name in ("claims", "verdicts", "edits"):
        assert getattr(ours, name) == getattr(theirs, name)


@given(st.data())
def test_what_was_held_is_shown_once_patched_or_as_it_was(data):
    draft = "Ada sang. Bo won. Cy lost. Di ran."
    ends = [9, 17, 26, 34]
    pieces = list(zip([0, *ends], ends, strict=False))
    held = data.draw(st.lists(st.sampled_from(pieces), unique=True))
    edits = [edit for edit in data.draw(edits_of(draft)) if edit.before]
    events = [Text(start=a, text=draft[a:b]) for a, b in pieces if (a, b) not in held]
    events += [Held(start=a, end=b) for a, b in held]
    page = shown([*events, *closing_events(draft, edits, held)])
    assert page.text() == apply_edits(draft, edits)


def test_a_decision_model_judges_each_sentence_as_it_ends_and_chooses_mends(server, deciders, form):
    """The model ends its text only once the second sentence is shown, since that is supported."""
    server.replies["rac/generate.rag"] = text = f"{DRAFT} She lived in Paris with two daughters."
    is_shown = threading.Event()
    born = {"supported": 0.6, "refuted": 0.2, "not_mentioned": 0.2}
    deciders.says = {CLAIMS[0]: "refuted", CLAIMS[1]: born, "1865": "1867", CORRECTED_CLAIM: 0.95}

    async def wait(sent):
        if sent > len(text) * 0.9:
            await asyncio.to_thread(is_shown.wait)

    async def run():
        async for each in astream_correct(QUESTION, documents=[PAGE], roles=roles, hold="doubtful"):
            if isinstance(each, Text) and "physicist" in each.text:
                is_shown.set()
            yield each

    server.writing = wait
    roles = WRITER["roles"] | {"verify": f"{form}:jev@{deciders.url}"}
    *events, result = asyncio.run(asyncio.wait_for(collect(run()), 60))
    assert not any("1865" in event.text for event in events if isinstance(event, Text))
    assert (shown(events).text(), result.edits[0].by) == (text.replace("1865", "1867"), "choice")
    asked = [[*request["questions"]] for request in deciders.requests]
    assert sorted(asked[:4]) == [["c1"], ["c2"], ["c3"], ["c4"]]
    assert asked[4:] == [["c1_1", "c1_out"], ["c1"]]
