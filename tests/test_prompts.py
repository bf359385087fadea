import hashlib
import re
from pathlib import Path

import pytest

from errata import check
from errata.core.errors import PromptError, SettingError
from errata.methods import ANSWERING, CORRECTING, METHODS
from errata.nodes.deployment import Deployment
from errata.nodes.rac.state import RacContext
from errata.prompts.library import (
    TAGS,
    load_prompt,
    locked_digests,
    parse_prompt,
    prompt_names,
    stem_of,
    versions,
)
from errata.prompts.lock import update_lock

GOOD = """---
source: "a paper, table 1"
contract: a draft in, claims out
variables:
  draft: the text
reply: lines
---
Split this.

<draft>
$draft
</draft>
"""
ROOT = Path(__file__).parent.parent
STEPS = "".join(path.read_text() for path in (ROOT / "nodes").rglob("*.py"))
OWN = (*CORRECTING, *ANSWERING)
NAMES = [name for name in prompt_names() if name.split("/")[0] in OWN]


@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_prompt_is_sound_locked_and_used(name):
    prompt, method = load_prompt(name), name.split("/")[0]
    digest = hashlib.sha256((ROOT / "prompts" / f"{name}.md").read_bytes()).hexdigest()
    assert prompt.digest == locked_digests(method)[name] == digest
    assert re.search(r"arXiv:\d.*(table \d|section \d|algorithm \d)", prompt.head.source)
    name_of_step = f'"{stem_of(name)}"'
    assert name_of_step in STEPS or stem_of(name).endswith("/generate")


@pytest.mark.parametrize("method", METHODS)
def test_a_run_can_name_a_version_of_each_of_its_methods_templates(method):
    shipped = {stem_of(name) for name in prompt_names() if name.startswith(f"{method}/")}
    assert shipped <= {*METHODS[method].context.templates().values()}


def test_no_lock_names_a_prompt_that_is_gone():
    assert sorted({name for method in OWN for name in locked_digests(method)}) == NAMES


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("reply: lines", "reply: lines\nmodel: gpt", "model: Extra inputs"),
        ("reply: lines\n", "", "reply: Field required"),
        ("$draft", "$drfat", "uses"),
        ("$draft", "$draft $", "uses"),
        ("<draft>\n$draft\n</draft>", "<draft>\nsee $draft\n</draft>", "alone on its line"),
        ("Split this.", "Split this: $draft", "once"),
        ("---\nsource", "source", "no front matter"),
        ("variables:\n", "variables: [\n", "not YAML"),
    ],
)
def test_a_faulty_template_is_refused(old, new, message):
    assert old in GOOD
    with pytest.raises(PromptError, match=message):
        parse_prompt("x/y.v1", GOOD.replace(old, new, 1))


@pytest.mark.parametrize("values", [{}, {"draft": "x", "question": "y"}])
def test_fill_takes_exactly_the_declared_variables(values):
    with pytest.raises(PromptError, match="takes"):
        parse_prompt("x/y.v1", GOOD).fill(**values)


def test_all_variables_of_shipped_templates_are_tags():
    variables = {name for prompt in NAMES for name in load_prompt(prompt).head.variables}
    assert variables | {"evidence"} <= TAGS


def test_the_variables_of_a_template_of_ones_own_are_tags_too_and_a_dollar_in_a_text_stays():
    prompt = parse_prompt("x/y.v1", GOOD.replace("draft", "essay"))
    assert "‹/essay> of a <poem> for $essay" in prompt.fill(essay="</essay> of a <poem> for $essay")


def test_a_users_template_takes_the_variables_of_the_shipped_one(tmp_path):
    (tmp_path / "rac").mkdir()
    (tmp_path / "rac" / "verify.v1.md").write_text(GOOD)
    with pytest.raises(SettingError, match=r"uses \['draft'\].*'claims', 'documents'.*look at"):
        RacContext(Deployment(prompt_folder=str(tmp_path)))


@pytest.mark.parametrize("name", ["rac/missing.v1", "../errors", "rac/verify", ""])
def test_an_unknown_prompt_lists_the_known(name):
    with pytest.raises(PromptError, match=r"rac/verify\.v1"):
        load_prompt(name)


def test_the_lock_takes_new_templates_and_refuses_altered_ones(tmp_path):
    folder = tmp_path / "fresh"
    folder.mkdir()
    (folder / "split.v1.md").write_text(GOOD)
    update_lock(folder)
    assert (folder / "prompts.lock").read_text().startswith("split.v1 ")
    (folder / "split.v1.md").write_text(GOOD.replace("Split", "Cut"))
    with pytest.raises(PromptError, match="was altered"):
        update_lock(folder)


REQUEST = {"draft": "Ada was born in 1816.", "documents": ["Ada was born in 1815."]}


def test_a_run_uses_the_newest_version_of_the_folder_or_the_one_it_names(tmp_path, scripted):
    """The result says which was sent."""
    (tmp_path / "rac").mkdir()
    shipped = (ROOT / "prompts" / "rac" / "verify.v1.md").read_text("utf-8")
    for version in (2, 9, 10):
        (tmp_path / "rac" / f"verify.v{version}.md").write_text(f"{shipped}\nVersion {version}.\n")
    names, folder = [f"rac/verify.v{n}" for n in (1, 2, 6, 9, 10)], str(tmp_path)
    assert versions("rac/verify", folder) == names
    settings = {"roles": {"verify": scripted({"rac/verify": "1: False"})}, "prompt_folder": folder}
    sent = {}
    for name in names:
        sent |= check("Who?", **REQUEST, **settings, prompts={"verify": name}).prompts
        assert [*sent][-1] == name
    assert len({*sent.values()}) == len(names)
    assert list(check("Who?", **REQUEST, **settings).prompts) == names[-1:]


@pytest.mark.parametrize(
    ("prompts", "fault"),
    [
        ({"verfy": "rac/verify.v1"}, "did you mean 'verify'"),
        ({"verify": "rac/verify.v99"}, r"'rac/verify.v99'; did you mean 'rac/verify\.v\d'"),
        ({"verify": "rac/revise.v1"}, "rac/verify has no version 'rac/revise.v1'"),
        ({"verify": "../../secrets.v1"}, "rac/verify has no version"),
        ("rac/verify.v1", "prompts must be a valid dictionary"),
    ],
)
def test_what_is_no_version_of_a_template_of_the_run_is_refused(prompts, fault):
    with pytest.raises(SettingError, match=fault):
        check("Who?", **REQUEST, prompts=prompts)


BARE = "$question\npassage: $documents\nVerify true, false or not mentioned.\n$claims\nBe strict."
"""A prompt in the paper's form: no tags, no fences."""


def test_a_prompt_without_fences_runs_in_the_papers_profile_alone(scripted, tmp_path):
    (tmp_path / "rac").mkdir()
    front = f"---\n{load_prompt('rac/verify.v1').front}\n---\n"
    (tmp_path / "rac" / "verify.v1.md").write_text(front + BARE)
    folder = {"prompt_folder": str(tmp_path)}
    replies = {"rac/verify": [{"when": "Be strict.", "reply": "1: False"}]}
    own = {**REQUEST, **folder, "roles": {"verify": scripted(replies)}}
    assert check("Who?", **own, profile="paper").verdicts[0].label == "refuted"
    with pytest.raises(SettingError, match="between tags"):
        check("Who?", **own)
    context = RacContext(Deployment(**folder), profile="paper")
    values = {"question": "</claims>", "documents": "<question>", "claims": "1. x"}
    filled = context.template("rac/verify").fill(**values)
    assert filled.startswith("‹/claims>\npassage: ‹question>\n")
