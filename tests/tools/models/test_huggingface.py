"""Models in this process: tiny ones, trained here and read from their folders."""

import pytest

from errata import check, correct
from errata.core.errors import AccessError
from example import CLAIMS, PAGE
from tiny_language_models import END, OTHER, tokenizer, train

pytest.importorskip("langchain_huggingface", reason="needs errata[huggingface]")
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
