"""Methods as runnables in chains."""

import asyncio

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from errata import Answer, Correction, answerer, corrector
from errata.errors import InputError, SettingError
from example import BIRTH_QUESTION, DRAFT, PAGE, QUESTION, RESPONSE

PAGES = [Document(PAGE, metadata={"title": "Marie Curie", "source": "https://x.org/curie"})]
INPUTS = {
    "our own names": {"question": QUESTION, "draft": DRAFT, "documents": [PAGE]},
    "a retrieval chain": {"input": QUESTION, "answer": DRAFT, "context": PAGES},
    "RetrievalQA": {"query": QUESTION, "result": AIMessage(DRAFT), "source_documents": PAGES},
    "an agent": {
        "messages": [HumanMessage(QUESTION), ToolMessage(PAGE, tool_call_id="1"), AIMessage(DRAFT)]
    },
}


@pytest.mark.parametrize("value", INPUTS.values(), ids=INPUTS)
def test_a_corrector_reads_the_output_of_chains_and_agents(value):
    correction = corrector().invoke(value)
    assert isinstance(correction, Correction)
    assert (correction.response, correction.draft) == (RESPONSE, DRAFT)
    assert asyncio.run(corrector().ainvoke(value)).response == RESPONSE


@pytest.mark.parametrize("value", [DRAFT, AIMessage(DRAFT)])
@pytest.mark.parametrize("method", ["rac", "reex"])
def test_bound_documents_correct_a_text(value, method):
    bound = corrector(method, documents=PAGES)
    assert bound.invoke(value).response == RESPONSE
    assert [each.response for each in bound.batch([value] * 2)] == [RESPONSE] * 2


class Trace(BaseCallbackHandler):
    """The name of every run, with that of the run it is part of."""

    def __init__(self):
        self.names, self.parents = {}, {}

    def on_chain_start(self, _, __, *, run_id, parent_run_id=None, name=None, **___):
        self.names[run_id] = name
        self.parents[name] = self.names.get(parent_run_id)


def test_a_correctors_runs_are_named_in_a_chain():
    chain = (
        RunnablePassthrough.assign(context=RunnableLambda(lambda _: PAGES))
        | RunnablePassthrough.assign(answer=RunnableLambda(lambda _: DRAFT))
        | corrector()
        | RunnableLambda(lambda correction: correction.response)
    )
    trace = Trace()
    assert chain.invoke({"input": QUESTION}, {"callbacks": [trace]}) == RESPONSE
    assert trace.parents["RAC"] == "errata.rac"
    steps = [name for name, parent in trace.parents.items() if parent == "RAC"]
    assert steps[:4] == ["receive", "retrieve", "extract", "verify"]


def test_an_answerer_answers():
    answer = answerer(documents=PAGES).invoke(BIRTH_QUESTION)
    assert isinstance(answer, Answer)
    assert answer.response == PAGE
    assert answer.documents[0].url == "https://x.org/curie"
    request = {"question": BIRTH_QUESTION, "documents": [PAGE]}
    assert asyncio.run(answerer().ainvoke(request)).action == "correct"


@pytest.mark.parametrize("value", [7, {}, {"context": PAGES}, {"draft": ""}])
def test_an_input_without_text_is_an_error(value):
    with pytest.raises(InputError):
        corrector().invoke(value)


@pytest.mark.parametrize("make", [corrector, answerer])
def test_wrong_settings_are_an_error_at_once(make):
    with pytest.raises(SettingError):
        make(speed=1)
