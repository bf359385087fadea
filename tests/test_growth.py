"""Time for hostile texts: it grows no faster than the text does."""

import json
from itertools import pairwise
from string import ascii_lowercase

import pytest

from errata.methods import METHODS

SIZES = (1_000, 10_000, 100_000)
GROWTH = 12
LEAST_SECONDS = 0.5
"""Shorter times measure the machine, not the text."""
TABLE = "a wide table"
BIRTHS, NAMES, BOOKS = "She was born in {year}, ", "{name} , ", "{name} wrote {i} books in {year}. "
FEW = [BIRTHS, NAMES, BOOKS, "a", "Ada, ", TABLE]
SHAPES = [
    *FEW,
    *("9,", "(", "()", "e.g. ", "U.S. ", "A.", "a&", "A'", "A-", '"A b" ', "the ", "he was; "),
    *("Ada Lovelace, ", "a" + " " * 50, "and sang ", "born in 1999 in Rome, "),
    *("{i} ", "{i}th ", "{i}% ", "{year} ", "May 3, {year} ", "Ada kept {i} bees in {name}. "),
]
"""What a text repeats; some count, so that no number or name comes twice."""
RUNS = [("rac", shape) for shape in SHAPES]
RUNS += [(name, shape) for name in METHODS if name != "rac" for shape in FEW]
RUN = """
import json, sys, time
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

run("Ada was born in 1815.", "Ada was born in 1816.")
began = time.process_time()
run(*json.loads(open(sys.argv[1]).read()))
print(time.process_time() - began)
"""
"""A whole run of a method, with documents of a size, and what is shown of it: the seconds that it
takes once all is loaded."""


def text(shape, size, first=0):
    """A text of one shape; counted ones that begin elsewhere share no number and no name."""
    if shape == TABLE:
        columns = range(first, first + size // 20)
        cells = ([f"h{i}" for i in columns], ["-"] * len(columns), [f"{i}" for i in columns])
        return "\n".join(f"|{'|'.join(row)}|" for row in cells)
    pieces = (piece_of(shape, i) for i in range(first, first + size))
    return "".join(pieces)[:size]


def piece_of(form, i):
    word = "".join(ascii_lowercase[i // 26**place % 26] for place in range(4))
    return form.format(i=i, year=1000 + i % 1000, name=word.capitalize())


@pytest.mark.growth
@pytest.mark.parametrize(("method", "shape"), RUNS)
@pytest.mark.parametrize("document", ["900", "1000000"])
def test_whole_runs_grow_no_faster_than_the_text(run_python, tmp_path, method, shape, document):
    seconds, file = list[float](), tmp_path / "texts.json"
    for size in SIZES:
        file.write_text(json.dumps([text(shape, size), text(shape, size, first=500_000)]))
        seconds.append(float(run_python(RUN, str(file), method, document, seconds=300)))
    for short, long in pairwise(seconds):
        assert long <= GROWTH * max(short, LEAST_SECONDS)
