import pytest

from errata.methods import METHODS
from example import DOCUMENTS, DRAFT, QUESTION, REPLIES


def pytest_generate_tests(metafunc):
    """Run a test on each registered method that does what the fixture's name says."""
    kinds = {
        "method": METHODS.values(),
        "corrector": [method for method in METHODS.values() if method.corrects],
        "reviser": [method for method in METHODS.values() if method.corrects and method.revises],
        "answerer": [method for method in METHODS.values() if not method.corrects],
    }
    for kind in kinds.keys() & set(metafunc.fixturenames):
        metafunc.parametrize(kind, kinds[kind], ids=lambda method: method.name)


@pytest.fixture
def by_model(scripted):
    """The settings by which a model fills every role that a model fills by default."""
    return {"model": scripted(REPLIES)}


@pytest.fixture(params=["local", "model"])
def settings(request, by_model):
    """The settings by which local code, or a model, does the work."""
    return by_model if request.param == "model" else {}


@pytest.fixture
def failing(scripted):
    """A model that answers nothing."""
    return scripted({})


@pytest.fixture
def request_for():
    """A graph's input that suits a method."""

    def request(method):
        draft = {"draft": DRAFT} if method.corrects else {}
        return {"question": QUESTION, "documents": DOCUMENTS, **draft}

    return request
