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
from errata import correct
draft, page, settings = json.loads(open(sys.argv[1]).read())
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
correct("Who was Ada?", "Ada was born in 1815.", documents=["Ada was born in 1816."])
before, began = peak(), time.perf_counter()
correct("Who was Ada?", draft, documents=[page], **settings)
print(json.dumps([time.perf_counter() - began, peak() - before]))
"""


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
    """The seconds and megabytes that correcting a draft of a shape and size takes."""

    def run(shape, size):
        file = tmp_path / f"{size}.json"
        settings = {"unsupported": "drop", "drop_below": 1.0}
        request = [text(shape, size), text(shape, size, first=500_000), settings]
        file.write_text(json.dumps(request))
        return json.loads(run_python(MEASURE, str(file)))

    return run


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_time_and_memory_grow_no_faster_than_the_text(measure, shape):
    seconds, megabytes = zip(*(measure(shape, size) for size in SIZES), strict=True)
    for short, long in pairwise(seconds):
        assert long <= GROWTH * max(short, LEAST_SECONDS)
    assert max(megabytes) <= MEGABYTES
