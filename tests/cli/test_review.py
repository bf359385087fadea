"""What a review keeps of decisions, what the result makes of them, and who may decide."""

from dataclasses import replace

import httpx
import pytest

from errata import correct
from errata.cli.review_page import Review
from errata.core.errors import InputError
from example import DRAFT, PAGE, QUESTION


@pytest.fixture(scope="module")
def correction():
    return correct(QUESTION, f"{DRAFT} She died in 1936.", documents=[f"{PAGE} She died in 1934."])


def reopened(review):
    path = review.path
    review._file.release()
    return Review(review.correction, path)


def test_decisions_are_on_the_disk_at_once_and_make_the_result(correction, tmp_path):
    review = Review(correction, tmp_path / "r.decisions.jsonl")
    assert review.result().response == correction.draft
    review.decide("e1", "accept")
    review.decide("e2", {"replace": "July 1934"})
    again = reopened(review)
    assert again.decisions == review.decisions
    result = again.result()
    assert result.response == correction.draft.replace("1865", "1867").replace("1936", "July 1934")
    assert result.notes[-1].endswith("was replaced in review")
    again.decide("e2", None)
    assert list(reopened(again).decisions) == ["e1"]


@pytest.mark.parametrize(
    "text", ["{", "[]\n", '{"edit": "e9"}\n', '{"edit": "e1", "start": 0, "end": 1}\n', "\xff"]
)
def test_other_decisions_are_refused_and_left_alone(correction, tmp_path, text):
    path = tmp_path / "r.decisions.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match="decisions"):
        Review(correction, path)
    assert path.read_bytes() == text.encode("latin-1")


def test_what_cannot_be_decided_is_refused(correction, tmp_path):
    review = Review(correction, tmp_path / "r.jsonl")
    for name, decision in [("e9", "accept"), ("e1", "perhaps"), ("e1", {"replace": 1})]:
        with pytest.raises(InputError):
            review.decide(name, decision)
    assert not review.decisions
    with pytest.raises(InputError, match="the draft has"):
        Review(replace(correction, draft="Another."), tmp_path / "other.jsonl")
    with pytest.raises(InputError, match="open in another review"):
        Review(correction, tmp_path / "r.jsonl")


def test_the_command_says_what_it_needs(run, write):
    write("bad.json", '{"draft": 1, "edits": []}')
    for words, fault in (
        ((), "Missing argument"),
        (("gone.json",), "cannot read 'gone.json'"),
        (("bad.json",), "not a Correction"),
        (("draft.txt",), "errata correct --draft draft.txt --json"),
    ):
        result = run("review", *words)
        assert (result.exit_code, fault in result.stderr) == (2, True)


def test_only_who_has_the_address_is_answered(start_review, correction, tmp_path):
    server = start_review(Review(correction, tmp_path / "r.jsonl"))
    body = {"id": "e1", "decision": "accept"}

    def post(url=server.url, **headers):
        return httpx.post(f"{url}decisions", json=body, headers=headers).status_code

    assert post(origin="https://evil.example") == post(host="evil.example") == 422
    assert post(f"{server.origin}/guess/") == 422
    assert httpx.get(f"{server.origin}/guess/").status_code == 404
    assert not server.review.decisions
    assert post(origin=server.origin) == 200
    finished = httpx.post(f"{server.url}finish", json={}).json()
    assert finished == {"detail": "decide on all edits first"}
