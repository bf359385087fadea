"""How far apart two texts are, in characters."""

from itertools import takewhile


def edit_distance(one: str, other: str) -> int:
    """How many characters must be put in, taken out or replaced to make one text of the other.

    This is Levenshtein's distance, by Myers' bit vectors (doi:10.1145/316542.316550): a whole
    column of the table is two integers, with a bit for each character of `one`. What the texts
    begin and end with alike is left out first.

    >>> edit_distance("born in 1865", "born in Warsaw in 1867")
    11
    """
    start = _count_alike(one, other)
    end = _count_alike(one[start:][::-1], other[start:][::-1])
    return _distance(one[start : len(one) - end], other[start : len(other) - end])


def _count_alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _distance(one: str, other: str) -> int:
    if not one:
        return len(other)
    places = dict[str, int]()
    for number, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << number
    last, every = 1 << (len(one) - 1), (1 << len(one)) - 1
    rising, falling, distance = every, 0, len(one)
    for character in other:
        same = places.get(character, 0)
        across = (((same & rising) + rising) ^ rising) | same
        more, less = falling | (~(across | rising) & every), rising & across
        distance += bool(more & last) - bool(less & last)
        more, kept = more << 1 | 1, same | falling
        rising, falling = (less << 1 | ~(kept | more)) & every, more & kept & every
    return distance


def preservation(before: str, after: str) -> float:
    """The share of a text that is kept, from 0 to 1 (RARR's Prev_Lev, arXiv:2210.08726, section 4).

    >>> preservation("born in 1865", "born in 1867") == 1 - 1 / 12
    True
    """
    return max(1 - edit_distance(before, after) / len(before), 0.0) if before else 1.0
