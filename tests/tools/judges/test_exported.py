"""Published verifiers as ONNX files: in a folder, and from a hub that speaks the real API."""

import pytest
from langchain_core.decisions import Choice

from errata import check
from errata.core.errors import AccessError, SettingError
from errata.judges import HubVerifier
from errata.tools.judges.hub_verifier import verify_by_hub
from example import claims_of, pages_of
from exported import files_of, model_of, pieces_of, unigrams_of
from hub_server import SHA, serve_hub

CLAIMS = claims_of("tower opened in 1889", "bees opened in Paris")
PAGES = pages_of("Paris .")
TWO = {0: "entailment", 1: "not_entailment"}
TYPES = ("input_ids", "attention_mask", "token_type_ids")


@pytest.fixture
def folder(tmp_path):
    def make(**how):
        for name, data in files_of(**how).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(data)
        return str(tmp_path)

    return make


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"model": model_of(inputs=TYPES)},
        {"model": model_of(shape=("texts", 24))},
        {"model": model_of(shape=(1, 24))},
        {"model": model_of(more=["hidden"])},
        {"tokenizer": unigrams_of()},
        {"name": "model_quantized.onnx"},
    ],
    ids="plain types fixed alone outputs unigrams quantized".split(),
)
def test_a_folder_with_an_exported_checkpoint_verifies_without_torch(folder, how):
    verdicts = verify_by_hub(folder(**how), CLAIMS, PAGES)
    assert [verdict.label for verdict in verdicts] == ["supported", "refuted"]


def test_byte_pairs_and_two_classes_are_read(folder):
    source = folder(model=model_of(2), tokenizer=pieces_of(), names=TWO)
    assert [v.label for v in verify_by_hub(source, CLAIMS, PAGES)] == ["supported"] * 2


def test_classes_without_a_meaning_are_named_in_a_file(folder, write):
    source = folder(names={0: "a", 1: "b", 2: "c"})
    with pytest.raises(SettingError, match="say what they mean in a YAML"):
        verify_by_hub(source, CLAIMS, PAGES)
    named = write("v.yaml", f"model: {source}\nlabels: [supported, not_mentioned, refuted]\n")
    verdicts = verify_by_hub(str(named), CLAIMS, PAGES)
    assert [verdict.label for verdict in verdicts] == ["supported", "refuted"]


def test_a_checkpoint_is_a_decision_model_and_judges_in_a_run(folder):
    verifier = HubVerifier(model=f"hub:{folder()}")
    labels = dict.fromkeys(("supported", "refuted", "not_mentioned"))
    asked = {claim.id: Choice(instructions=claim.text, criteria=labels) for claim in CLAIMS}
    answers = verifier.invoke({"state": "Paris .", "questions": asked}).choices
    assert [answer.choice for answer in answers.values()] == ["supported", "refuted"]
    assert all(sum(a.probabilities.values()) == pytest.approx(1) for a in answers.values())
    settings = {"documents": ["Paris ."], "roles": {"verify": verifier}}
    assert check("", CLAIMS[0].text, **settings).verdicts[0].label == "supported"


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json"])
def test_a_file_that_is_missing_is_named(folder, tmp_path, name):
    source = folder()
    (tmp_path / name).unlink()
    with pytest.raises(AccessError, match=name):
        verify_by_hub(source, CLAIMS, PAGES)


VERIFY = """
import json, os, sys
os.environ |= {"HF_ENDPOINT": sys.argv[1], "HF_HOME": sys.argv[2], "HF_HUB_DISABLE_TELEMETRY": "1"}
from errata.core.errors import AccessError
from errata.core.records import Claim, Document
from errata.tools.judges.hub_verifier import verify_by_hub
texts = "tower opened in 1889", "bees opened in Paris"
claims = [Claim(id=text, text=text, start=0, end=len(text)) for text in texts]
try:
    verdicts = verify_by_hub(sys.argv[3], claims, [Document(id="d1", text="Paris .")])
    print(json.dumps([verdict.label for verdict in verdicts]), "torch" in sys.modules)
except AccessError as error:
    print(error)
"""
LABELS = '["supported", "refuted"] False\n'


def test_an_id_is_fetched_from_the_hub_once_and_read_without_torch(run_python, tmp_path):
    exported, others = "onnx/model_quantized.onnx", ("model.safetensors", "onnx/model.onnx")
    files = files_of(name=exported) | dict.fromkeys(others, b"x")
    with serve_hub(files) as (hub, asked):
        assert run_python(VERIFY, hub, str(tmp_path), "org/judge") == LABELS
        fetched = [path for path in asked if path.startswith("GET /store/")]
        assert fetched == [f"GET /store/{exported}"]
        assert not any("safetensors" in path for path in asked)
        assert run_python(VERIFY, hub, str(tmp_path), f"org/judge@{SHA}") == LABELS
        assert [path for path in asked if path.startswith("GET /store/")] == fetched
    assert run_python(VERIFY, hub, str(tmp_path), "org/judge") == LABELS  # nobody answers


def test_a_fetch_that_breaks_off_goes_on_where_it_stopped(run_python, tmp_path):
    model = model_of()
    with serve_hub(files_of(model=model), breaks=1) as (hub, asked):
        assert run_python(VERIFY, hub, str(tmp_path), "org/judge") == LABELS
    assert sum(path.startswith("GET /store/") for path in asked) == 2


def test_an_id_that_nobody_has_is_an_error(run_python, tmp_path):
    with serve_hub({}) as (hub, _):
        said = run_python(VERIFY, hub, str(tmp_path), "org/nothing")
    assert "no checkpoint can be read from 'org/nothing'" in said
