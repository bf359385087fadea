"""Spans and events of OpenTelemetry, by its conventions for generative AI.

There are none unless the application has imported OpenTelemetry; we never import it.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.core.records import Verdict

Attributes = Mapping[str, Any]
Tell = Callable[[Attributes], object]
"""Adds attributes to a span."""
_CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_CAPTURES = ("true", "span_only", "span_and_event")
_EVALUATION = "gen_ai.evaluation.result"


@contextmanager
def traced(
    name: str,
    attributes: Attributes,
    *,
    calls: bool = False,
    signals: tuple[type[BaseException], ...] = (),
) -> Iterator[Tell]:
    """A span around the block; it `calls` another server, or works here.

    Of an error only the class is recorded, since its message may hold the caller's text;
    `signals` are exceptions that are no errors.
    """
    tracing: Any = sys.modules.get("opentelemetry.trace")
    if tracing is None:
        yield dict
        return
    kind = tracing.SpanKind.CLIENT if calls else tracing.SpanKind.INTERNAL
    quiet = {"record_exception": False, "set_status_on_exception": False}
    tracer = tracing.get_tracer("errata")
    with tracer.start_as_current_span(name, kind=kind, attributes=attributes, **quiet) as span:
        try:
            yield span.set_attributes
        except signals:
            raise
        except Exception as error:
            span.set_attribute("error.type", type(error).__qualname__)
            span.set_status(tracing.StatusCode.ERROR)
            raise


def tell_verdicts(verdicts: "Iterable[Verdict]", before: "Iterable[Verdict]" = ()) -> None:
    """An event for each verdict that is new, or changes the one of its claim from before.

    It is a log record if somebody reads these, else an event of the span.
    """
    tracing: Any = sys.modules.get("opentelemetry.trace")
    logs: Any = sys.modules.get("opentelemetry._logs")
    logger = logs and logs.get_logger("errata")
    is_read = logger and hasattr(logger, "enabled") and logger.enabled(event_name=_EVALUATION)
    span = tracing and tracing.get_current_span()
    if not (is_read or (span and span.is_recording())):
        return
    known = {verdict.claim: _evaluation(verdict) for verdict in before}
    for verdict in verdicts:
        attributes = _evaluation(verdict)
        if attributes == known.get(verdict.claim):
            continue
        if is_read:
            logger.emit(event_name=_EVALUATION, attributes=attributes)
        else:
            span.add_event(_EVALUATION, attributes)


def _evaluation(verdict: "Verdict") -> Attributes:
    told = {"gen_ai.evaluation.name": "factuality", "errata.claim": verdict.claim}
    told["gen_ai.evaluation.score.label"] = verdict.label
    score = {"gen_ai.evaluation.score.value": verdict.score}
    texts = {"gen_ai.evaluation.explanation": verdict.explanation}
    return {
        **told,
        **(score if verdict.score is not None else {}),
        **(texts if verdict.explanation and captures_texts() else {}),
    }


def captures_texts() -> bool:
    """Whether spans may hold what models were sent and what they said."""
    return os.environ.get(_CAPTURE, "").lower() in _CAPTURES


def as_messages(role: str, text: str, **about: str) -> str:
    """One message in the form that the conventions give it."""
    parts = [{"type": "text", "content": text}]
    return json.dumps([{"role": role, "parts": parts, **about}], ensure_ascii=False)
