"""Retrievers of langchain-community as corpora, over loopback."""

import json

import pytest

from community_server import CommunityServer
from errata import check, correct
from errata.core.errors import InputError, SettingError
from errata.tools.retrieval.retrieve import retrieve


@pytest.fixture
def services(serving):
    server = CommunityServer()
    server.address = serving(server.app)
    return server


@pytest.mark.anyio
async def test_a_retriever_is_a_corpus(services):
    metadata = {"title": "Curie", "source": "https://a.example/"}
    row = {"page_content": "Marie Curie was born in 1867.", "metadata": metadata}
    services.reply = json.dumps({"response": [row] * 3})
    documents = await retrieve("Marie Curie", services.retriever, 2)
    assert [(d.text, d.title, d.url, d.source) for d in documents] == [
        ("Marie Curie was born in 1867.", "Curie", "https://a.example/", "corpus")
    ] * 2
    assert services.requests == [{"message": "Marie Curie"}]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("reply", "message"),
    [("{nope", "RemoteLangChainRetriever failed: JSONDecodeError"), ("[]", "failed: TypeError")],
)
async def test_a_failure_is_an_error(services, reply, message):
    services.reply = reply
    with pytest.raises(InputError, match=message):
        await retrieve("x", services.retriever, 2)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("community:searx", "is a search engine; give it to --search"),
        (
            "community:RemoteLangChainRetriever",
            "RemoteLangChainRetriever cannot be used: url Field",
        ),
        ("community:nothing", "has no retrievers or utilities called 'nothing'"),
    ],
)
async def test_what_is_no_corpus_is_refused(spec, message):
    with pytest.raises(SettingError, match=message):
        await retrieve("x", spec, 2)


def test_a_draft_is_corrected_by_a_retriever(services):
    draft = "Marie Curie discovered radium in 1895."
    correction = correct("Who was Marie Curie?", draft, corpus=services.pubmed)
    assert correction.response == "Marie Curie discovered radium in 1898."


def test_a_retriever_that_finds_nothing_supports_nothing(services):
    correction = check("Who was Ada?", "Ada wrote notes.", corpus=services.retriever)
    assert correction.label == "not_mentioned"
    assert "there is no document to judge by: no claim can be checked" in correction.notes
