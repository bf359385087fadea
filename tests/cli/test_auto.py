"""The best judge at hand: on loopback, in a cache, agreed to before it spends, and named."""

import json
import socket

import pytest

from errata import check
from errata.batch.rows import RowWork
from errata.core.errors import SettingError
from errata.settings_file import SettingsFile
from exported import files_of
from hub_server import SHA, serve_hub
from openai_server import OpenAIServer

DRAFT, PAGE = "The tower opened in 1887.", "The tower opened in 1889."


@pytest.fixture
def ollama(serving, monkeypatch):
    """A server that lists its models as Ollama does, where Ollama's variable says it is."""
    server = OpenAIServer()
    server.replies = {"rac/extract": f"1. {DRAFT}", "rac/verify": "1: False [1] | 1887 -> 1889"}
    server.models = [{"id": "nomic-embed-text"}, {"id": "llama3.2"}, {"id": "qwen3"}]
    server.url = serving(server.app)
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    return server


@pytest.mark.parametrize("server", ["Ollama", "LM Studio"])
def test_a_running_server_judges_and_is_named(ollama, serving, monkeypatch, server):
    if server == "LM Studio":
        monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
        with socket.socket() as taken:
            if not taken.connect_ex(("127.0.0.1", 1234)):
                pytest.skip("something else answers on LM Studio's port")
        serving(ollama.app, port=1234)
    result = check(draft=DRAFT, documents=[PAGE], model="auto")
    assert (result.label, result.usage.model_calls) == ("refuted", len(ollama.requests))
    assert {body["model"] for _, body in ollama.requests} == {"llama3.2"}
    assert result.notes[-1].startswith(f"judged by llama3.2, which {server} has on this machine")
    assert check(draft=DRAFT, documents=[PAGE], model="auto", roles={"extract": "local"}).notes


def test_behind_a_proxy_no_server_of_this_machine_is_taken(ollama, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert check(draft=DRAFT, documents=[PAGE], model="auto").usage.model_calls == 0
    assert ollama.requests == []


def test_a_program_that_names_nothing_asks_nobody(ollama):
    assert check(draft=DRAFT, documents=[PAGE]).notes == ()
    assert ollama.requests == []
    with pytest.raises(SettingError, match="a batch guesses no judge"):
        RowWork("rac", {"model": "auto"}).open_session()


@pytest.mark.usefixtures("run")
def test_the_command_line_guesses_on_a_terminal_alone(ollama, on_terminal, write):
    write("a.txt", DRAFT)
    write("b.txt", PAGE)
    command = ("check", "-d", "a.txt", "--documents", "b.txt")
    for stream, model, calls in (("stdout", "", 0), ("stderr", "local", 0), ("stderr", "", 1)):
        before = len(ollama.requests)
        told, _ = on_terminal(stream, *command, ERRATA_MODEL=model, OLLAMA_HOST=ollama.url)
        assert len(ollama.requests) - before == calls
        assert (b"judged by llama3.2" in told) == bool(calls)
    _, shown = on_terminal("stdout", "doctor", ERRATA_MODEL="auto", OLLAMA_HOST=ollama.url)
    assert b"model auto: judged by llama3.2" in shown


ALONE = """
import sys
asked = []
sys.addaudithook(lambda event, args: event == "socket.connect" and asked.append(args[1]))
import errata
result = errata.check(draft=sys.argv[1], documents=[sys.argv[2]], model="auto")
assert {host for host, _ in asked} == {"127.0.0.1"}, asked
print(result.label, result.notes[-1])
"""


def test_alone_local_code_judges_and_a_key_spends_nothing(run_python, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.setenv("HF_HOME", "/nowhere")
    said = run_python(ALONE, DRAFT, PAGE)
    assert "judged by local code" in said
    assert "OPENAI_API_KEY is set: `errata config model openai:" in said


@pytest.mark.usefixtures("ollama")
def test_where_nothing_was_judged_no_judge_is_named():
    result = check(draft=DRAFT, model="auto")
    assert result.label == "unchecked"
    assert ["judged by" in note for note in result.notes] == [False]


HUB = """
import os, sys
os.environ |= {"HF_ENDPOINT": sys.argv[1], "HF_HOME": sys.argv[2], "HF_HUB_DISABLE_TELEMETRY": "1"}
import errata
result = errata.check(draft="Bees opened.", documents=["Paris."], **eval(sys.argv[3]))
print(result.verdicts[0].label, *result.notes)
"""


def test_a_cached_verifier_judges_and_asks_nobody(run_python, tmp_path, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    with serve_hub(files_of()) as (hub, asked):
        run_python(HUB, hub, str(tmp_path), "{'roles': {'verify': 'hub:org/judge'}}")
        before = len(asked)
        said = run_python(HUB, hub, str(tmp_path), "{'model': 'auto'}")
        assert len(asked) == before
    assert f"judged by hub:org/judge@{SHA}, a verifier in the Hugging Face cache" in said


@pytest.mark.parametrize("before", ["", "# mine\n\n[sampling]\ntemperature = 0\n", 'model = "x"'])
def test_config_writes_a_setting_and_keeps_the_others(run, write, tmp_path, before):
    if before:
        write("errata.toml", before)
    assert run("config", "model", "scripted:r.json").exit_code == 2  # there is no such script
    write("r.json", "{}")
    assert run("config", "model", "scripted:r.json").exit_code == 0
    assert SettingsFile.found(tmp_path).settings["model"] == "scripted:r.json"
    assert "model =" in before or before in (tmp_path / "errata.toml").read_text()


def test_the_list_of_judges_has_all_three_kinds(run):
    rows = json.loads(run("judges", "--json").stdout)
    assert rows[0]["judge"] == "local"
    assert all(row["licence"] for row in rows if row["where"].startswith("recommended"))
    assert "hub:cross-encoder/nli-deberta-v3-base" in run("judges").stdout
