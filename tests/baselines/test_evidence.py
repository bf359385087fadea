"""Evidence for many queries: which documents each has; the best window; of what a text speaks."""

import pytest

from errata.core.records import Document
from errata.evals.baselines.evidence import ReadingContext, best_window, find_evidence
from errata.evals.baselines.mend import claim_spoken_of
from example import claims_of

pytestmark = pytest.mark.anyio
QUERIES = ["Where is the Eiffel Tower?", "Where did Marie Curie discover polonium?"]
GIVEN = Document(id="d1", text="Nobody painted it green.")


async def test_each_query_has_the_given_documents_and_its_own(root):
    folder = root / "demo"
    corpora = {"corpus": str(folder / "corpus"), "search": f"corpus:{folder / 'web'}"}
    context = ReadingContext(**corpora, top_k=2)
    documents, each = await find_evidence(QUERIES, [GIVEN], context, "answer")
    ids = [document.id for document in documents]
    assert len(set(ids)) == len(ids) == len({document.text for document in documents})
    assert {document.source for document in documents} == {"given", "corpus", "web"}
    for own in each:
        assert own[0] == GIVEN
        assert {document.id for document in own} <= set(ids)
    assert "Eiffel" in each[0][1].text
    assert "Curie" in each[1][1].text


async def test_what_two_sources_have_comes_once_and_is_the_first_ones(demo, root):
    context = ReadingContext(corpus=str(root / "demo" / "corpus"), search=demo, top_k=1)
    documents, [own] = await find_evidence(QUERIES[:1], [], context, "answer")
    texts = [document.text for document in own]
    assert len(set(texts)) == len(texts)
    assert (documents[0].source, own[0]) == ("corpus", documents[0])


async def test_what_was_given_is_not_found_again(root):
    folder = root / "demo" / "corpus"
    context = ReadingContext(corpus=str(folder), top_k=100)
    found, _ = await find_evidence(QUERIES[:1], [], context, "answer")
    given = [Document(id="mine", text=found[0].text)]
    documents, [own] = await find_evidence(QUERIES[:1], given, context, "answer")
    assert [document.id for document in documents if document.text == given[0].text] == ["mine"]
    assert len(documents) == len(found) == len(own)


async def test_without_a_corpus_and_a_search_there_is_what_was_given():
    documents, each = await find_evidence(QUERIES, [GIVEN], ReadingContext(), "answer")
    assert (documents, each) == ([GIVEN], [[GIVEN], [GIVEN]])


PAGE = Document(
    id="page",
    title="Ada Byron",
    text="The town has a market. Its mill burned down in 1902. Ada Byron was born in London in "
    "1815. She wrote notes on an engine. The river floods in spring. A bridge crosses it.",
)
MILLS = Document(id="other", title="Mills", text="Windmills grind grain.")


@pytest.mark.parametrize(
    ("query", "documents", "found"),
    [
        ("When was Ada Byron born?", [MILLS, PAGE], "born in London in 1815"),
        ("What do windmills grind?", [MILLS], MILLS.text),
        ("xyzzy", [PAGE, MILLS], None),
        ("When was Ada born?", [], None),
    ],
)
def test_the_best_window_holds_the_answer(query, documents, found):
    windows = best_window(query, documents)
    assert [found in window.text for window in windows] == [True] * bool(found)
    texts = {document.id: document.text for document in documents}
    assert all(texts[w.document][w.start : w.end] == w.text for w in windows)


BORN, WAS, BEES = claims_of("Ada was born in 1865.", "Ada was a physicist.", "Ada kept bees.")


@pytest.mark.parametrize(
    ("claims", "text", "claim"),
    [
        ([BORN, WAS, BEES], "When was Ada born? The text says 1865.", BORN),
        ([BORN, WAS, BEES], "Did Ada have bees?", BEES),
        ([BORN, WAS, BEES], "Did Ada sing?", None),
        ([BORN, WAS, BEES], "xyzzy", None),
        ([BEES], "Did Ada sing?", BEES),
        ([], "Did Ada sing?", None),
    ],
)
def test_a_text_speaks_of_the_claim_that_has_its_rare_words_or_of_the_only_one(claims, text, claim):
    assert claim_spoken_of(claims, text) == claim
