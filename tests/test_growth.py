"""Time and memory for hostile texts: they grow no faster than the text does."""

import json
from itertools import pairwise
from string import ascii_lowercase

import pytest

from errata.methods import METHODS

SIZES = (1_000, 10_000, 100_000)
GROWTH = 12
LEAST_SECONDS = 0.5
"""Shorter times measure the machine, not the text."""
MEGABYTES = 200
REPEATED = {
    "digits and commas": "9,",
    "nested parentheses": "(",
    "parentheses": "()",
    "abbreviations": "e.g. ",
    "initials": "U.S. ",
    "initials in a row": "A.",
    "ampersands": "a&",
    "apostrophes": "A'",
    "hyphens": "A-",
    "quotations": '"A b" ',
    "one word": "a",
    "one word over and over": "the ",
    "names": "Ada Lovelace, ",
    "one name": "Ada, ",
    "spaces": "a" + " " * 50,
    "semicolons": "he was; ",
    "predicates": "and sang ",
    "facets": "born in 1999 in Rome, ",
}
COUNTED = {
    "numbers": "{i} ",
    "ordinals": "{i}th ",
    "percents": "{i}% ",
    "years": "{year} ",
    "dates": "May 3, {year} ",
    "names of their own": "{name} , ",
    "births": "She was born in {year}, ",
    "sentences": "{name} wrote {i} books in {year}. ",
    "same sentences": "Ada kept {i} bees in {name}. ",
}
SHAPES = [*REPEATED, *COUNTED]
RUNS = [
    *("births", "names of their own", "sentences", "same sentences", "one word over and over"),
    *("one word", "one name", "wide table"),
]
MEASURE = """
import json, resource, sys, time

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

run("Ada was born in 1815.", "Ada was born in 1816.")
before, began = peak(), time.process_time()
run(*json.loads(open(sys.argv[1]).read()))
print(json.dumps([time.process_time() - began, peak() - before]))
"""
"""What every program below ends with: the seconds and megabytes of its `run` on the texts."""
STEPS = """
from errata.core.records import Document, Fix
from errata.tools.judges.verifier import verify
from errata.tools.local.correct import correct
from errata.tools.local.extract import extract
from errata.tools.local.revise import revise

def run(draft, page):
    question, documents = "Who was Ada?", [Document(id="d1", text=page)]
    claims = extract(question, draft)
    judged = claims[:2000]
    verify(question, judged, documents)
    correct(question, judged, documents)
    revise(question, draft, claims, [Fix(claim=c.id, text="") for c in judged[::2]])
    changed = [Fix(claim=c.id, text=c.text.replace("1", "2")) for c in judged]
    revise(question, draft, claims, changed)
"""
"""Each local step by itself, since a run abstains where a text does not look English."""
REVISION = """
from errata.core.edits import diff
from errata.nodes.reex.explain import link
from errata.nodes.reex.revise import edits_from, sentences_with_errors, whole
from errata.nodes.reex.state import Reex
from errata.core.records import Document, Explanation, Fix
from errata.tools.local.extract import extract
from errata.tools.local.extract import sentence_places
from errata.tools.local.changes import ground_fixes, settle
from errata.tools.local.guard import guard

def run(draft, revision):
    question, documents = "Who was Ada?", [Document(id="d1", text="Ada wrote books.")]
    claims = extract(question, draft)
    fixes = [Fix(claim=claim.id, text=claim.text) for claim in claims]
    explained = [Explanation(text=c.text, start=c.start, end=c.end) for c in claims]
    changed = diff(draft, revision)
    edits = settle(draft, changed, sentence_places(draft), ground_fixes(claims, fixes))
    guard(question, draft, edits, claims[:2000], fixes[:1000], documents)
    state = Reex(draft=draft, claims=claims, explanations=link(explained, claims))
    sentences_with_errors(state)
    edits_from(state, [whole(state)], revision)
"""
"""What follows a model's revision: a draft is compared with it, and its edits are guarded."""
RENDERING = """
import io
from rich.console import Console
from errata.core.edits import apply_edits, diff, on_word_borders
from errata.core.records import Correction, Quote, Verdict
from errata.render.html import report
from errata.render.terminal import coloured_diff, plain_diff, verdict_list
from errata.render.text import as_text, verdicts_as_text
from errata.tools.local.extract import extract

def run(draft, revision):
    claims = tuple(extract("Who was Ada?", draft))
    edits = tuple(on_word_borders(draft, diff(draft, revision)))
    quotes = (Quote(document="d1", start=0, end=len(draft), text=draft[:1000]),)
    verdicts = tuple(Verdict(claim=c.id, label="refuted", evidence=quotes) for c in claims)
    correction = Correction(
        method="rac", question="", draft=draft, response=apply_edits(draft, edits), changed=True,
        label="refuted", claims=claims, verdicts=verdicts, edits=edits,
    )
    console = Console(file=io.StringIO(), force_terminal=True, highlight=False, width=100)
    for text in (plain_diff(correction), coloured_diff(correction), verdict_list(correction)):
        console.print(text, markup=False)
    as_text(correction), verdicts_as_text(correction), report(correction)
"""
"""What shows a correction: on a terminal, to a model, in a browser."""
RUN = """
from errata import Session
from errata.methods import METHODS

import sys

def run(draft, page):
    name, size = sys.argv[2], int(sys.argv[3])
    documents = [page[i : i + size] for i in range(0, len(page), size)]
    if METHODS[name].corrects:
        Session(name).correct("Who was Ada?", draft, documents)
    else:
        Session(name).answer("Who was Ada?", documents)
"""
"""A whole run of a method, with documents of a size."""


def text(shape, size, first=0):
    """A text of one shape; counted ones that begin elsewhere share no number and no name."""
    if shape in REPEATED:
        return (REPEATED[shape] * size)[:size]
    if shape == "wide table":
        columns = range(first, first + size // 20)
        cells = ([f"h{i}" for i in columns], ["-"] * len(columns), [f"{i}" for i in columns])
        return "\n".join(f"|{'|'.join(row)}|" for row in cells)
    pieces = (counted(shape, i) for i in range(first, first + size // 2))
    return "".join(pieces)[:size]


def counted(shape, i):
    word = "".join(ascii_lowercase[i // 26**place % 26] for place in range(4))
    return COUNTED[shape].format(i=i, year=1000 + i % 1000, name=word.capitalize())


@pytest.fixture
def measure(run_python, tmp_path):
    """The seconds and megabytes that code takes on texts of a shape in each size."""

    def run(code, shape, *arguments):
        rows = []
        for size in SIZES:
            file = tmp_path / f"{size}.json"
            file.write_text(json.dumps([text(shape, size), text(shape, size, first=500_000)]))
            rows.append(json.loads(run_python(code + MEASURE, str(file), *arguments, seconds=300)))
        return zip(*rows, strict=True)

    return run


def check_growth(seconds, megabytes):
    for short, long in pairwise(seconds):
        assert long <= GROWTH * max(short, LEAST_SECONDS)
    assert max(megabytes) <= MEGABYTES


@pytest.mark.growth
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("code", [STEPS, REVISION, RENDERING], ids=["steps", "revision", "showing"])
def test_local_code_grows_no_faster_than_the_text(measure, code, shape):
    check_growth(*measure(code, shape))


@pytest.mark.growth
@pytest.mark.parametrize("shape", RUNS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("document", ["900", "1000000"])
def test_whole_runs_grow_no_faster_than_the_text(measure, shape, method, document):
    check_growth(*measure(RUN, shape, method, document))
