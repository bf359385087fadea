"""Traces: spans and events of OpenTelemetry, read from memory; LangChain's callbacks."""

import asyncio
import json

import pytest
from langchain_core.callbacks import BaseCallbackHandler

from errata import Session
from errata.core.errors import ChatError
from errata.core.records import Verdict
from errata.core.traces import tell_verdicts, traced
from errata.graphs.rac import graph
from example import CLAIMS, DRAFT, PAGE, REPLIES

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
WITHOUT = """
import sys
sys.modules["opentelemetry"] = None
from errata import correct
print(correct(draft="Marie Curie was born in 1865.", documents=["She was born in 1867."]).label)
"""
STEPS = ["receive", "retrieve", "extract", "verify", "correct", "revise", "propose", "report"]


@pytest.fixture(scope="module")
def exporter():
    """All spans that ended, in memory; a process takes one provider only."""
    trace = pytest.importorskip("opentelemetry.trace")
    pytest.importorskip("opentelemetry.sdk", reason="needs opentelemetry-sdk")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    memory, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    trace.set_tracer_provider(provider)
    return memory


@pytest.fixture
def spans(exporter):
    """The spans of one test, by name, the last of each name."""

    def read():
        return {span.name: span for span in exporter.get_finished_spans()}

    exporter.clear()
    return read


def parents(spans):
    names = {span.context.span_id: name for name, span in spans.items()}
    return {name: span.parent and names.get(span.parent.span_id) for name, span in spans.items()}


def test_a_run_is_a_span_with_its_steps_and_their_calls_under_it(spans, scripted):
    spec = scripted(REPLIES)
    Session("rac", model=spec, sampling={"temperature": 0}).correct("", DRAFT, [PAGE])
    found, above = spans(), parents(spans())
    assert above["invoke_workflow rac"] is None
    assert {above[name] for name in STEPS} == {"invoke_workflow rac"}
    attributes = dict(found[f"chat {spec}"].attributes)
    assert attributes["gen_ai.usage.input_tokens"] > attributes["gen_ai.usage.output_tokens"] > 0
    assert above[f"chat {spec}"] in STEPS
    assert attributes["gen_ai.operation.name"] == "chat"
    assert attributes["gen_ai.request.model"] == spec
    assert attributes["gen_ai.request.temperature"] == 0
    assert attributes["gen_ai.prompt.name"].startswith("rac/")
    assert not any("messages" in name for name in attributes)
    assert not any("Curie" in span.to_json() for span in found.values())


def test_a_servers_reply_tells_who_made_it_and_why_it_ended(spans, openai_server):
    openai_server.replies = {"rac/verify": "1: True\n2: True\n3: True"}
    Session("rac", roles={"verify": "openai:m"}).check("", DRAFT, [PAGE])
    attributes = spans()["chat openai:m"].attributes
    assert attributes["gen_ai.provider.name"] == "openai"
    assert attributes["gen_ai.response.finish_reasons"] == ("stop",)
    assert spans()["chat openai:m"].kind.name == "CLIENT"


def test_a_failed_call_is_an_error_without_its_words(spans, openai_server):
    openai_server.plan = [400] * 9
    Session("rac", roles={"verify": "openai:m"}, retries=0).check("", DRAFT, [PAGE])
    span = spans()["chat openai:m"]
    assert (span.status.status_code.name, span.attributes["error.type"]) == ("ERROR", "ChatError")
    assert not span.status.description
    assert not span.events


def evaluations(spans):
    every = [event for span in spans.values() for event in span.events]
    return [dict(event.attributes) for event in every if event.name == "gen_ai.evaluation.result"]


@pytest.mark.parametrize("captured", ["", "SPAN_ONLY"])
def test_each_verdict_is_an_evaluation_and_texts_are_told_only_if_asked(
    spans, scripted, monkeypatch, captured
):
    monkeypatch.setenv(CAPTURE, captured)
    spec = scripted({"rac/extract": "\n".join(CLAIMS)})
    result = Session("rac", roles={"extract": spec}).check("", DRAFT, [PAGE])
    told = evaluations(spans())
    assert [each["errata.claim"] for each in told] == [v.claim for v in result.verdicts]
    for each, verdict in zip(told, result.verdicts, strict=True):
        assert each["gen_ai.evaluation.name"] == "factuality"
        assert each["gen_ai.evaluation.score.label"] == verdict.label
        assert each["gen_ai.evaluation.score.value"] == verdict.score
        assert each.get("gen_ai.evaluation.explanation", "") == (
            verdict.explanation if captured else ""
        )
    attributes = spans()[f"chat {spec}"].attributes
    assert ("gen_ai.input.messages" in attributes) is bool(captured)
    if captured:
        [asked] = json.loads(attributes["gen_ai.input.messages"])
        assert DRAFT.split(". ")[0] in asked["parts"][0]["content"]
        [said] = json.loads(attributes["gen_ai.output.messages"])
        assert (said["role"], said["parts"][0]["content"]) == ("assistant", "\n".join(CLAIMS))


def test_verdicts_are_log_records_where_somebody_reads_these(spans):
    logs = pytest.importorskip("opentelemetry.sdk._logs")
    from opentelemetry._logs import set_logger_provider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor

    memory, provider = InMemoryLogRecordExporter(), logs.LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(memory))
    set_logger_provider(provider)
    with traced("verify", {}):
        tell_verdicts([Verdict(claim="c1", label="refuted", score=0.1)])
    [record] = memory.get_finished_logs()
    assert record.log_record.event_name == "gen_ai.evaluation.result"
    assert record.log_record.span_id == spans()["verify"].context.span_id
    assert not spans()["verify"].events
    provider.shutdown()


def test_what_stops_for_a_person_is_no_error(spans):
    class Stop(Exception):  # noqa: N818  as LangGraph's
        pass

    with pytest.raises(Stop), traced("review", {}, signals=(Stop,)):
        raise Stop
    assert spans()["review"].status.status_code.name == "UNSET"
    with pytest.raises(ChatError), traced("verify", {}):
        raise ChatError("secret")
    assert spans()["verify"].attributes == {"error.type": "ChatError"}


def test_it_need_not_be_installed(run_python):
    assert run_python(WITHOUT) == "refuted\n"


class Seen(BaseCallbackHandler):
    """As those of LangSmith and Langfuse: told of every step and of every call."""

    def __init__(self):
        self.steps, self.calls = [], []

    def on_chain_start(self, _, __, *, name="", **_kwargs):
        self.steps.append(name)

    def on_chat_model_start(self, _, messages, *, metadata=None, **_kwargs):
        self.calls.append((metadata["prompt"], messages[0][0].content))


def test_a_callback_handler_sees_steps_and_calls(scripted):
    seen, context = Seen(), {"model": scripted(REPLIES)}
    request = {"draft": DRAFT, "documents": [{"text": PAGE}]}
    asyncio.run(graph.ainvoke(request, {"callbacks": [seen]}, context=context))
    assert [name for name in seen.steps if name in STEPS] == STEPS
    prompts = [prompt.partition(".")[0] for prompt, _ in seen.calls]
    assert prompts == ["rac/extract", "rac/verify", "rac/correct", "rac/revise"]
    assert DRAFT.split(". ")[0] in seen.calls[0][1]
