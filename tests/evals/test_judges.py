"""Judges by name, and what each makes of a text."""

import pytest

from errata.core.errors import AccessError, SettingError
from errata.core.records import Document
from errata.evals.judges import judge_named, read_relations, relate, relate_to_text
from example import CLAIMS, PAGE, QUESTION

pytestmark = pytest.mark.anyio
EXPECTED = ("refuted", "supported", "not_mentioned")


async def test_the_local_judge_tells_three_relations():
    assert await relate_to_text(judge_named("local"), QUESTION, CLAIMS, PAGE) == EXPECTED


async def test_a_model_judges_by_the_whole_text_and_is_played_back(scripted, tmp_path):
    record = str(tmp_path / "exchanges.sqlite")
    spec = scripted({"evals/entail": "1: contradicts\n2: entails\n3: neutral"})
    for name, kept in ((spec, {"record": record}), ("openai:gone", {"replay": record})):
        judge = judge_named(name, **kept)
        assert await relate_to_text(judge, QUESTION, CLAIMS, PAGE) == EXPECTED


async def test_the_word_of_a_model_that_fails_is_unread(scripted):
    relations = await relate_to_text(judge_named(scripted({})), QUESTION, CLAIMS, PAGE)
    assert relations == (None, None, None)


async def test_a_server_that_refuses_the_key_ends_the_scoring(openai_server):
    openai_server.plan = [401]
    with pytest.raises(AccessError):
        await relate_to_text(judge_named("openai:m"), QUESTION, CLAIMS, PAGE)


@pytest.mark.parametrize(
    ("reply", "relations"),
    [
        ("1: entails\n2: contradicts\n3: neutral", ("supported", "refuted", "not_mentioned")),
        ("**1. Entailment**\n- 2) CONTRADICTION", ("supported", "refuted", None)),
        ("1: entails\n1: contradicts\n2: entails", (None, "supported", None)),
        ("1: not entails\n2: maybe\n12: entails", (None, None, None)),
        ("", (None, None, None)),
    ],
)
def test_replies_are_read_a_line_a_statement(reply, relations):
    assert read_relations(reply, 3) == relations


async def test_nothing_is_asked_of_a_text_without_a_word_or_without_documents():
    judge = judge_named("openai:nowhere")
    assert await relate_to_text(judge, "", ["Bees hum."], " … ") == ("not_mentioned",)
    assert await relate(judge, "", ["Bees hum."], []) == (None,)
    assert await relate(judge, "", [], [Document(text="Bees hum.")]) == ()


@pytest.mark.parametrize("spec", ["", "gpt-4o", "hub:x", "openai:"])
def test_a_judge_that_is_none_is_named(spec):
    with pytest.raises(SettingError, match="say local, local:FILE or PROVIDER:MODEL"):
        judge_named(spec)
