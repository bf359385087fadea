"""The core suffices for what the README begins with; what needs more says which extra it needs."""

import re
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

MOST = 18
"""How many packages the core may depend on."""
REASON = re.compile(r'^  "[^"]+", # \w.+')
BLOCK = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
"""
WORKS = """
import asyncio
from errata import FactCorrection, Session, correct, check
from errata.graphs.rac import graph
from errata.render.html import page
request = {"draft": "<p>x</p>\\n\\nMarie Curie was born in 1865.", "documents": ["Marie Curie (born 7 November 1867) was a physicist."]}
print(correct(**request).response, check(**request).verdicts[0].label)
print(asyncio.run(graph.ainvoke(request))["response"])
page(correct(**request), {}, ""), FactCorrection(), Session("rac", model="openai:m@http://127.0.0.1:9/v1")
Session("crag", search="corpus:demo/web").answer("When was the Eiffel Tower opened?")
print("---")
"""  # noqa: E501
WORKED = """<p>x</p>

Marie Curie was born in 1867. refuted
<p>x</p>

Marie Curie was born in 1867.
"""
PROJECT = (Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8")
DEPENDENCIES = tomllib.loads(PROJECT)["project"]["dependencies"]


def outside_the_core():
    """The packages that are installed here, and are not with the core alone."""
    todo, core = [(Requirement(line), "") for line in DEPENDENCIES], set()
    while todo:
        needed, extra = todo.pop()
        own = {(canonicalize_name(needed.name), each) for each in ("", *needed.extras)}
        if not (needed.marker and not needed.marker.evaluate({"extra": extra})) and own - core:
            core |= own
            lines = distribution(needed.name).requires or ()
            todo += [(Requirement(line), each) for line in lines for _, each in own]
    names = {name for name, _ in core} | {"errata"}
    return [
        package
        for package, owners in packages_distributions().items()
        if not names & set(map(canonicalize_name, owners)) and package.isidentifier()
    ]


def test_the_core_depends_on_few_packages_each_with_its_reason():
    block = PROJECT.partition("dependencies = [")[2].partition("\n]")[0]
    lines = block.splitlines()[1:]
    assert len(lines) == len(DEPENDENCIES) <= MOST
    assert [line for line in lines if not REASON.match(line)] == []


NEEDS = [
    ("correct(draft='x', documents=[Path('{}.pdf')])", "'{}.pdf' needs pdfminer: files"),
    ("correct(draft='x', documents=[Path('{}.html')])", "'{}.html' needs trafilatura: files"),
    ("read_source(Path('{}').parent).notes[0]", "'{}.pdf' needs pdfminer: files"),
    ("check(draft='x', documents=['https://e.org'])", "'https://e.org' needs trafilatura: web"),
    ("audit('It is so [1](https://e.org). Bees fly [2].\\n\\n[2]: b')", "supported: Bees: web"),
    ("Session('rac', search='serpapi')", "the search engine 'serpapi' needs trafilatura: web"),
    ("Session('rac', page_cache='{}.sqlite')", "page_cache needs hishel: web"),
    ("Session('rac', model='huggingface:m')", "langchain_huggingface: huggingface"),
]  # fmt: skip
PACKAGES = {"hishel", "mcp", "pdfminer", "serpapi", "trafilatura"}
CORE = {"httpx2", "langchain_openai", "numpy", "onnxruntime", "rich"}
IMPORTS = """
from functools import partial; from pathlib import Path
from errata import *; from errata.api import cite; from errata.core.errors import ErrataError
from errata.tools.retrieval.documents import read_source
audit = partial(cite, documents=[Document(id="2", text="Bees fly.")])
"""
EACH = """
try:
    print({code})
except ErrataError as error:
    print(error)
print("---")
"""


@pytest.mark.slow
def test_the_core_suffices_and_what_needs_an_extra_names_it_and_the_command(tmp_path, run_python):
    """It corrects, with a model, in a graph and in an agent; an audit of citations goes on."""
    blocked = {*outside_the_core(), "langchain_huggingface"}
    assert blocked >= PACKAGES
    assert not blocked & CORE
    place = str(tmp_path / "a")
    contents = {"txt": b"A text.", "pdf": b"%PDF-1.4", "html": b"<html><p>x</p></html>"}
    for suffix, content in contents.items():
        (tmp_path / f"a.{suffix}").write_bytes(content)
    code = BLOCK.format(blocked=blocked) + WORKS + IMPORTS
    code += "".join(EACH.format(code=each.replace("{}", place)) for each, _ in NEEDS)
    works, *needing = run_python(code).split("---")
    assert works == WORKED
    for (_, extra), said in zip(NEEDS, needing, strict=False):
        needs, _, name = extra.replace("{}", place).rpartition(": ")
        assert needs in said
        assert f"pip install 'errata[{name}]'" in said
