from types import SimpleNamespace

import pytest

from errata.methods import METHODS

TEXTS = SimpleNamespace(
    question="Who was Marie Curie?",
    draft="Marie Curie was born in 1865. She was a physicist.",
    fixed="Marie Curie was born in 1867. She was a physicist.",
    page="Marie Curie (born 7 November 1867) was a Polish and French physicist.",
)
REPLIES = {
    "rac": {
        "extract": "1. Marie Curie was born in 1865.\n2. Marie Curie was a physicist.",
        "verify": "1: False\n2: True",
        "correct": "Marie Curie was born in 1867.",
        "revise.sentence": "Marie Curie was born in 1867.",
    },
    "reex": {
        "ask": "1. When was Marie Curie born?",
        "explain": '1. "1865" is wrong: she was born in 1867.',
        "revise": TEXTS.fixed,
    },
    "crag": {"generate": "She was born in 1867."},
}
"""The replies, by prompt, with which a model mends the draft or answers the question."""


@pytest.fixture
def texts():
    return TEXTS


@pytest.fixture(params=METHODS)
def method(request):
    """Each registered method."""
    return METHODS[request.param]


@pytest.fixture(params=[name for name, method in METHODS.items() if method.corrects])
def corrector(request):
    """Each registered method that corrects a draft."""
    return METHODS[request.param]


@pytest.fixture
def mending(scripted):
    """A method's settings with a model that mends the draft."""

    def settings(method):
        replies = {f"{method.name}/{name}": text for name, text in REPLIES[method.name].items()}
        return {"model": scripted(replies)}

    return settings


@pytest.fixture(params=["local", "model"])
def settings(request, mending):
    """A method's settings by which local code, or a model, mends the draft."""
    return mending if request.param == "model" else lambda _: {}


@pytest.fixture
def failing(scripted):
    """A model that answers nothing."""
    return scripted({})


@pytest.fixture
def request_for():
    """A graph's input that suits a method."""

    def request(method):
        draft = {"draft": TEXTS.draft} if method.corrects else {}
        return {"question": TEXTS.question, "documents": [{"text": TEXTS.page}], **draft}

    return request
