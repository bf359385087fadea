"""How models are named: in order, after local code, on a server of their own."""

import pytest

from errata.core.errors import SettingError
from errata.nodes.rac.state import RacContext
from errata.tools.models.spec import server_options, split_address


@pytest.mark.parametrize("name", ["gpt-4o", "claude@20240229", "org/m"])
def test_a_server_of_its_own(name):
    url = "http://[::1]:8000/v1"
    assert split_address(name) == (name, "")
    assert split_address(f"{name}@{url}") == (name, url)


@pytest.mark.parametrize(
    ("home", "url", "key"),
    [
        (None, "https://api.openai.com/v1", "ours"),
        (None, "http://api.openai.com/v1", "other"),
        (None, "https://api.openai.com.example/v1", "other"),
        ("http://gpu:8000/v1", "http://gpu:8001/v1", "ours"),
        ("http://gpu:8000/v1", "https://api.openai.com/v1", "other"),
    ],
)
def test_which_key_a_server_gets(monkeypatch, home, url, key):
    monkeypatch.setenv("OPENAI_API_KEY", "ours")
    monkeypatch.setenv("ERRATA_MODEL_KEY", "other")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    if home:
        monkeypatch.setenv("OPENAI_BASE_URL", home)
    assert server_options(url) == {"base_url": url, "api_key": key}
    assert server_options("") == {}
    monkeypatch.setenv("OPENAI_BASE_URL", "gpu:8000/v1")
    with pytest.raises(SettingError, match=r"takes a whole address: http://"):
        server_options(url)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": ""}, "'local'.*'scripted:FILE'.*'openai:gpt-4o-mini'"),
        ({"model": "anthropic:claude"}, "pip install langchain-anthropic"),
        ({"model": "openai:a,b"}, "name each model with its provider"),
        ({"model": "openai:a,local"}, "stands alone"),
        ({"model": "openai:a,openai:b@http:///v1"}, "takes a base URL"),
        ({"model": "openai:a@http://u:secret@x.example/v1"}, "without a user or a password"),
        ({"model": "openai:q@10.0.0.1:80"}, "openai:MODEL@http://10.0.0.1:80$"),
        ({"model": "openai:gpu:8000/v1"}, "openai:MODEL@http://gpu:8000/v1$"),
        ({"roles": {"verify": ["openai:a", "gpt"]}}, "is called 'gpt'"),
        ({"roles": {"correct": "local>openai:a,openai:b"}}, "only verify"),
    ],
)
def test_what_is_no_model_is_refused(monkeypatch, settings, message):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with pytest.raises(SettingError, match=message) as error:
        RacContext(**settings)
    assert "secret" not in str(error.value)
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(SettingError, match="OPENAI_API_KEY"):
        RacContext(model="openai:gpt-4o")
