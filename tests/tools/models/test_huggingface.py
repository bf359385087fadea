"""Models in this process: tiny ones, trained here and read from their folders."""

import pytest
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata import check, correct
from errata.core.errors import AccessError
from example import CLAIMS, PAGE
from tiny_language_models import END, OTHER, tokenizer, train

pytest.importorskip("langchain_huggingface", reason="needs errata[huggingface]")
from huggingface_hub import InferenceClient
from langchain_huggingface import HuggingFaceEndpointEmbeddings

torch = pytest.importorskip("torch", reason="needs errata[huggingface]")

DRAFT = CLAIMS[1]
TEMPLATE = "{% for m in messages %}{{ m['content'] }}{% endfor %}<reply>"
WORDS = [END, "<reply>", OTHER, "1:", "True"]


def trained(folder, reply):
    """The spec of a model that gives one reply to everything."""
    words = tokenizer(WORDS, ["<reply>"], TEMPLATE)
    answer = torch.tensor(words.convert_tokens_to_ids(["<reply>", *reply]))

    def examples():
        for length in torch.randint(5, 300, (150,)).tolist():
            row = torch.cat([torch.randint(2, len(words), (length,)), answer])
            hidden = torch.cat([torch.full((length + 1,), -100), answer[1:]])
            yield row[None], hidden[None]

    return train(folder, words, examples)


def test_a_model_in_a_folder_verifies(tmp_path):
    model = trained(tmp_path, ["1:", "True", END])
    correction = check("", DRAFT, documents=[PAGE], roles={"verify": model})
    assert [verdict.label for verdict in correction.verdicts] == ["supported"]
    assert correction.usage.by_role["verify"].keys() >= {"completion_tokens", "prompt_tokens"}
    assert correction.usage.completion_tokens == 2
    assert "estimated_calls" not in correction.usage.by_role["verify"]


def test_an_endless_reply_is_cut_off_and_changes_nothing(tmp_path):
    model = trained(tmp_path, ["True"] * 40)
    correction = correct("", DRAFT, documents=[PAGE], roles={"verify": model})
    assert [verdict.label for verdict in correction.verdicts] == ["unchecked"]
    assert correction.response == DRAFT
    assert "was cut off" in correction.notes[0]


def test_a_folder_without_a_model_ends_the_run(tmp_path):
    with pytest.raises(AccessError, match="no model can be read from"):
        check("", DRAFT, documents=[PAGE], roles={"verify": f"huggingface:{tmp_path}"})


def test_sampling_is_told_to_the_model(tmp_path):
    model = trained(tmp_path, ["1:", "True", END])
    settings = {"documents": [PAGE], "roles": {"verify": model}}
    for sampling in ({"temperature": 0}, {"temperature": 0.1, "top_p": 0.5, "seed": 7}):
        correction = check("", DRAFT, **settings, sampling=sampling)
        assert [verdict.label for verdict in correction.verdicts] == ["supported"]
    cut = check("", DRAFT, **settings, sampling={"max_tokens": 1})
    assert "was cut off" in cut.notes[0]


def test_embeddings_of_a_hugging_face_server_rank_a_corpus(serving):
    async def embed(request):
        texts = (await request.json())["inputs"]
        return JSONResponse([[float("Curie" in text), 1.0] for text in texts])

    class Shelf(BaseRetriever):
        def _get_relevant_documents(self, query):
            return store.similarity_search(query, k=1)

    address = serving(Starlette(routes=[Route("/{path:path}", embed, methods=["POST"])]))
    embeddings = HuggingFaceEndpointEmbeddings(model="some/encoder", huggingfacehub_api_token="x")
    embeddings.client = InferenceClient(model=address)  # in place of the hub's own server
    store = InMemoryVectorStore.from_texts(["Bees make honey.", PAGE], embeddings)
    found = check("Who was Marie Curie?", DRAFT, corpus=Shelf())
    assert [document.text for document in found.documents] == [PAGE]
