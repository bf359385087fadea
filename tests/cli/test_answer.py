"""`errata answer`."""

import json

import pytest

from errata.core.jsonable import from_json
from errata.core.records import Answer
from example import ANSWERING, BIRTH_QUESTION, PAGE, REPLIES

QUESTIONS = [
    ("When was the Eiffel Tower opened?", "correct; ", "31 March 1889"),
    ("Who wrote Moby-Dick?", "incorrect, searched for 'Moby-Dick, wrote'; ", "Herman Melville"),
    ("Where did Marie Curie discover polonium?", "ambiguous, searched for", "pitchblende"),
]


@pytest.mark.parametrize(("question", "action", "words"), QUESTIONS)
def test_every_demo_question_leads_to_its_action(run, root, question, action, words):
    corpus, web = root / "demo" / "corpus", root / "demo" / "web"
    result = run("answer", question, "--corpus", str(corpus), "--search", f"corpus:{web}")
    assert result.exit_code == 0
    assert action in result.stdout
    assert words in result.stdout


@pytest.mark.parametrize("method", [name for name in ANSWERING if name != "crag"])
def test_every_method_answers_and_only_crag_takes_an_action(run, scripted, method):
    options = ("--method", method, "--documents", "page.txt")
    result = run("answer", BIRTH_QUESTION, *options)
    assert result.exit_code == 0
    assert result.stdout.startswith(PAGE.partition(" and ")[0])
    by_model = run("answer", BIRTH_QUESTION, *options, "--model", scripted(REPLIES), "--json")
    answer = from_json(Answer, json.loads(by_model.stdout))
    assert answer.response == "She was born on 7 November 1867."
    assert answer.documents[0].text == PAGE
    assert answer.action == ("correct" if "crag" in method else "")


def test_where_no_action_was_taken_none_is_named(run, tmp_path):
    report = tmp_path / "report.html"
    options = ("--method", "plain", "--documents", "page.txt", "--html", str(report))
    result = run("answer", BIRTH_QUESTION, *options)
    assert "\n1 strip, 0 model calls, " in result.stdout
    assert "plain: 1 strip, 0 model calls" in report.read_text()


@pytest.mark.parametrize("options", [(), ("--set", "search=none"), ("--abstain",)])
def test_without_anything_to_answer_from_it_says_so(run, scripted, options):
    model = ("--model", scripted({"crag/generate": "1867."})) if "--abstain" in options else ()
    result = run("answer", BIRTH_QUESTION, *options, *model)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "errata: nothing was given to answer from; name --documents FILE…" in result.stderr


def test_a_model_may_answer_from_memory_and_says_so(run, scripted):
    replies = {"crag/generate": "1867.\nFrom: memory", "crag/rewrite": "Marie Curie"}
    result = run("answer", BIRTH_QUESTION, "--model", scripted(replies))
    assert result.exit_code == 0
    assert result.stdout.startswith("1867.")
    assert "the model gave it from memory" in result.stdout


def test_what_was_not_searched_for_is_not_said_to_be(run):
    result = run("answer", "Who wrote Moby-Dick?", "--documents", "page.txt")
    assert "note: nothing was searched for: search is none" in result.stdout
    assert "searched for '" not in result.stdout
    reply = json.loads(run("answer", "Hello", "--documents", "page.txt", "--json").stdout)
    assert reply["queries"] == []
