"""Time and memory for hostile texts: they grow no faster than the text does."""

import json
from itertools import pairwise
from string import ascii_lowercase

import pytest

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
MEASURE = """
import json, resource, sys, time
from errata.records import Document, Fix
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

peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
run("Ada was born in 1815.", "Ada was born in 1816.")
before, began = peak(), time.perf_counter()
run(*json.loads(open(sys.argv[1]).read()))
print(json.dumps([time.perf_counter() - began, peak() - before]))
"""
"""Each local step by itself, since a run abstains where a text does not look English."""


def text(shape, size, first=0):
    """A text of one shape; counted ones that begin elsewhere share no number and no name."""
    if shape in REPEATED:
        return (REPEATED[shape] * size)[:size]
    pieces = (counted(shape, i) for i in range(first, first + size // 2))
    return "".join(pieces)[:size]


def counted(shape, i):
    word = "".join(ascii_lowercase[i // 26**place % 26] for place in range(4))
    return COUNTED[shape].format(i=i, year=1000 + i % 1000, name=word.capitalize())


@pytest.fixture
def measure(run_python, tmp_path):
    """The seconds and megabytes that the local steps take on a shape and size."""

    def run(shape, size):
        file = tmp_path / f"{size}.json"
        file.write_text(json.dumps([text(shape, size), text(shape, size, first=500_000)]))
        return json.loads(run_python(MEASURE, str(file)))

    return run


@pytest.mark.growth
@pytest.mark.parametrize("shape", SHAPES)
def test_time_and_memory_grow_no_faster_than_the_text(measure, shape):
    seconds, megabytes = zip(*(measure(shape, size) for size in SIZES), strict=True)
    for short, long in pairwise(seconds):
        assert long <= GROWTH * max(short, LEAST_SECONDS)
    assert max(megabytes) <= MEGABYTES
