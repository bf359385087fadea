"""`errata correct` and `errata answer`: what they print, and what they say they did not do."""

import json
import shlex

import pytest

from example import ARGUMENTS, BIRTH_QUESTION, QUESTION, rows


def test_a_diff_and_verdicts_with_quotes_are_printed(run):
    result = run("correct", *ARGUMENTS, "--diff")
    judged = "judged by local code; --model auto takes the best judge at hand\n"
    assert (result.exit_code, result.stderr) == (0, f"{judged}read 1 document of 'page.txt'\n")
    for words in (
        "born in [-1865-]{+1867+}. She",
        "“Marie Curie (born 7 November 1867)",
        "[page.txt]",
        "refuted; 3 claims: 1 supported, 1 refuted, 1 not mentioned; 1 edit",
    ):
        assert words in result.stdout


INVENTED = "Her parrot spoke Greek. The parrot cost 900 francs. A zoo in Brazil bought it."


@pytest.mark.parametrize(
    ("draft", "response"),
    [
        (f"Marie Curie was a physicist. {INVENTED}", "Marie Curie was a physicist."),
        (f"# Parrots\n\n{INVENTED}\n\nAny questions?", ""),
    ],
)
def test_a_draft_most_of_which_has_no_support_exits_with_4(run, draft, response):
    options = ("--unsupported", "drop", "--set", "drop_below=0.2", "--json")
    given = ("-q", QUESTION, "-d", "-", "--documents", "page.txt")
    result = run("correct", *given, *options, stdin=draft)
    correction = json.loads(result.stdout)
    assert (result.exit_code, correction["response"]) == (4, response or draft)
    assert "most of the draft has no support" in result.stderr
    assert any("most of the draft has no support: 3 of" in note for note in correction["notes"])
    assert ("nothing in the draft is supported" in correction["notes"][-1]) != bool(response)


DEMO = """
correct -d demo/drafts/marie-curie.txt --diff | [-1865-]{+1867+}
correct -d demo/drafts/eiffel-tower.txt --diff | [-1887-]{+1889+}
correct -d demo/drafts/apollo-11.txt --diff | [-18-]{+16+}
answer 'When was the Eiffel Tower opened?' | correct;  | 31 March 1889
answer 'Who wrote Moby-Dick?' WEB | incorrect, searched for 'Moby-Dick, wrote';  | Herman Melville
answer 'What ore did Marie Curie extract polonium from?' WEB | ambiguous, searched | pitchblende
"""


@pytest.mark.parametrize("row", rows(DEMO), ids=str)
def test_every_demo_draft_and_question_has_its_result(run, root, monkeypatch, row):
    monkeypatch.chdir(root)
    words, *shown = row
    words = words.replace("WEB", "--search corpus:demo/web")
    result = run(*shlex.split(words), "--corpus", "demo/corpus")
    assert (result.exit_code, [each in result.stdout for each in shown]) == (0, [True] * len(shown))


@pytest.mark.parametrize("options", [(), ("--search", "none"), ("--set", "abstain=true")])
def test_without_anything_to_answer_from_it_says_so(run, scripted, options):
    model = ("--model", scripted({"crag/generate": "1867."})) if "abstain=true" in options else ()
    result = run("answer", BIRTH_QUESTION, *options, *model)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "errata: nothing was given to answer from; name --documents FILE…" in result.stderr


def test_what_was_not_searched_for_is_not_said_to_be(run):
    result = run("answer", "Who wrote Moby-Dick?", "--documents", "page.txt")
    assert "note: nothing was searched for: search is none" in result.stdout
    assert "searched for '" not in result.stdout
    reply = json.loads(run("answer", "Hello", "--documents", "page.txt", "--json").stdout)
    assert reply["queries"] == []
