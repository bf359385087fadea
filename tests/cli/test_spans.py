"""`errata correct --spans`: only what another program marked is changed."""

import json

import pytest

DRAFT = "Marie Curie was born in 1865. Marie Curie died in 1935. She was a physicist.\n"
SOURCE = "Marie Curie was born in 1867. Marie Curie died in 1934. She was a physicist."
FIRST = {"start": 24, "end": 28, "text": "1865", "confidence": 0.97}
"""As LettuceDetect's `predict(…, output_format="spans")` gives them."""
GUARDRAILS = {
    "validation_passed": False,
    "validation_summaries": [
        {"validator_name": "provenance", "error_spans": [{"start": 24, "end": 29, "reason": "x"}]}
    ],
}


@pytest.fixture
def correct(run, tmp_path):
    """Corrects the draft, as far as a file of spans marks it."""

    def use(spans, *options):
        (tmp_path / "draft.txt").write_text(DRAFT)
        (tmp_path / "source.txt").write_text(SOURCE)
        (tmp_path / "spans.json").write_text(spans if isinstance(spans, str) else json.dumps(spans))
        arguments = ("--draft", "draft.txt", "--documents", "source.txt", "--spans", "spans.json")
        return run("correct", *arguments, *options)

    return use


@pytest.mark.parametrize("spans", [[FIRST], GUARDRAILS, {"spans": [[FIRST]]}])
def test_only_marked_sentences_change_and_what_else_is_wrong_is_noted(correct, spans):
    result = correct(spans)
    assert result.exit_code == 0
    assert result.stdout == DRAFT.replace("1865", "1867")
    assert "the edit of '1935' to '1934' was refused" in result.stderr
    streamed = correct(spans, "--json")
    assert len(json.loads(streamed.stdout)["edits"]) == 1


@pytest.mark.parametrize("spans", [[], {}, None, 3, "[]"])
def test_without_a_mark_nothing_changes(correct, spans):
    assert correct(spans).stdout == DRAFT


@pytest.mark.parametrize(
    ("spans", "options", "fault"),
    [
        ("{", (), "'spans.json' is no JSON"),
        ([FIRST | {"text": "1866"}], (), "marks characters 24 to 28 of another text"),
        ([{"start": 0, "end": 900}], (), "marks characters 0 to 900 of another text"),
        ([FIRST], ("--draft", "source.txt"), "--spans marks one draft"),
    ],
)
def test_marks_of_another_text_are_refused(correct, spans, options, fault):
    result = correct(spans, *options)
    assert result.exit_code == 2
    assert fault in result.stderr
