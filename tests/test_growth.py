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
SHAPES = [*REPEATED, *COUNTED, "wide table"]
FEW = ["births", "names of their own", "sentences", "one word", "one name", "wide table"]
RUNS = [("rac", shape) for shape in SHAPES]
RUNS += [(name, shape) for name in METHODS if name != "rac" for shape in FEW]
RUN = """
import json, resource, sys, time
from errata import Session
from errata.methods import METHODS
from errata.render.html import page
from errata.render.findings import as_text

def run(draft, text):
    name, size = sys.argv[2], int(sys.argv[3])
    documents = [text[i : i + size] for i in range(0, len(text), size)]
    if METHODS[name].corrects:
        result = Session(name).correct("Who was Ada?", draft, documents)
        as_text(result), page(result, {}, "")
    else:
        result = Session(name).answer("Who was Ada?", documents)

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

run("Ada was born in 1815.", "Ada was born in 1816.")
before, began = peak(), time.process_time()
run(*json.loads(open(sys.argv[1]).read()))
print(json.dumps([time.process_time() - began, peak() - before]))
"""
"""A whole run of a method, with documents of a size, and what is shown of it: the seconds and
megabytes that it takes once all is loaded."""


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


@pytest.mark.growth
@pytest.mark.parametrize(("method", "shape"), RUNS)
@pytest.mark.parametrize("document", ["900", "1000000"])
def test_whole_runs_grow_no_faster_than_the_text(run_python, tmp_path, method, shape, document):
    seconds, file = list[float](), tmp_path / "texts.json"
    for size in SIZES:
        file.write_text(json.dumps([text(shape, size), text(shape, size, first=500_000)]))
        measured = run_python(RUN, str(file), method, document, seconds=300)
        spent, megabytes = json.loads(measured)
        seconds.append(spent)
        assert megabytes <= MEGABYTES
    for short, long in pairwise(seconds):
        assert long <= GROWTH * max(short, LEAST_SECONDS)
