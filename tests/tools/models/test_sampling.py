"""How a model chooses its words: told to each provider in its own way, and recorded."""

import json
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from errata import check, correct
from errata.core.errors import SettingError
from errata.nodes.rac.state import RacContext
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

ALL = {"temperature": 0.5, "top_p": 0.3, "seed": 7, "max_tokens": 900}
NAMES = (*ALL, "max_completion_tokens")
MODEL = {"documents": [PAGE], "model": "openai:m"}


def sent(server):
    """The sampling in each request, by prompt."""
    return {
        headers["x-errata-prompt"].partition(".v")[0]: {n: body[n] for n in NAMES if n in body}
        for headers, body in server.requests
    }


def test_sampling_is_sent_for_all_roles_or_one(openai_server):
    openai_server.replies = REPLIES
    sampling = {"temperature": 0, "verify": {"top_p": 0.3, "seed": 7}, "correct.temperature": 1}
    correction = correct(QUESTION, DRAFT, **MODEL, sampling=sampling)
    assert correction.response == RESPONSE
    assert sent(openai_server) == {
        "rac/verify": {"temperature": 0, "top_p": 0.3, "seed": 7},
        "rac/correct": {"temperature": 1},
        "rac/revise.sentence": {"temperature": 0},
    }


def test_what_a_server_refuses_is_left_out_and_noted(openai_server):
    """Models that reason take no temperature."""
    openai_server.replies, openai_server.refuses = REPLIES, ("temperature", "top_p")
    correction = correct(QUESTION, DRAFT, **MODEL, sampling=ALL)
    assert correction.response == RESPONSE
    last = sent(openai_server)["rac/verify"]
    assert last == {"seed": 7, "max_completion_tokens": 900}
    refused = "the model of verify takes no temperature and top_p; it chose without"
    assert correction.notes.count(refused) == 1


class Plain(BaseChatModel):
    """A chat model that knows a seed, by another name, and nothing else."""

    random_seed: int | None = None

    @property
    def _llm_type(self):
        return "plain"

    def _generate(self, *_: Any, **__: Any):
        label = "True" if self.random_seed == 7 else "False"
        message = AIMessage("\n".join(f"{n}: {label}" for n in (1, 2, 3)))
        return ChatResult(generations=[ChatGeneration(message=message)])


def test_what_a_model_has_no_field_for_is_noted():
    settings = {"documents": [PAGE], "roles": {"verify": Plain()}, "sampling": ALL}
    correction = check(QUESTION, DRAFT, **settings)
    assert {verdict.label for verdict in correction.verdicts} == {"supported"}
    fault = "the model of verify takes no temperature and top_p and max_tokens; it chose without"
    assert list(correction.notes) == [fault]


@pytest.mark.parametrize(
    ("sampling", "fault"),
    [
        ({"temprature": 0}, "sampling has no 'temprature'; it has temperature"),
        ({"verify.top": 0}, "sampling of verify has no 'top'"),
        ({"verfy.top_p": 0.3}, "no role 'verfy'; did you mean 'verify'"),
        ({"temperature": -1}, "greater than or equal to 0"),
        ("temperature=0", "valid dictionary"),
    ],
)
def test_what_is_no_sampling_is_refused(sampling, fault):
    with pytest.raises(SettingError, match=fault):
        RacContext(sampling=sampling)


def test_the_form_that_is_kept_is_read_again():
    context = RacContext(sampling={"seed": 1, "verify.top_p": 0.3})
    dumped = json.loads(context.model_dump_json())["sampling"]
    assert RacContext(sampling=dumped).sampling == context.sampling
