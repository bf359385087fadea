"""Who did what to whom."""

import pytest

from errata.tools.judges.meanings import find_exchange


@pytest.mark.parametrize(
    ("claim", "strip"),
    [
        ("Pixar bought Disney.", "In 2006 Disney bought Pixar for 7 billion dollars."),
        ("Ilse Voss taught Omar Quinn.", "Omar Quinn taught Ilse Voss at Harwick."),
        ("Voss sued Quinn.", "Ilse Voss was sued by Omar Quinn."),
        ("The guest must pay the host.", "The host shall pay the guest 9 euros."),
        ("Moss was defeated by Harwick.", "Moss defeated Harwick 3-1 in the final."),
    ],
)
def test_exchanged_sides_are_found(claim, strip):
    assert find_exchange(claim, strip)


@pytest.mark.parametrize(
    ("claim", "strip"),
    [
        ("Disney bought Pixar.", "In 2006 Disney bought Pixar."),
        ("Pixar was bought by Disney.", "In 2006 Disney bought Pixar."),
        ("Pixar bought Disney.", "Disney bought Lumen, and Pixar bought Harwick."),
        ("Voss married Quinn.", "Quinn married Voss."),
        ("Voss met Quinn in Ash.", "Quinn met Voss in Ash."),
        ("The mill was described in five letters.", "Five letters described the mill."),
        ("Voss wrote to the court.", "The court wrote a letter."),
        ("Harwick hired her in 2017.", "In 2017, Voss hired for Harwick a crew."),
        ("Voss was hired by Harwick.", "Voss hired with Harwick."),
        ("Voss sang.", ""),
    ],
)
def test_what_holds_both_ways_or_the_same_way_is_no_exchange(claim, strip):
    assert find_exchange(claim, strip) is None
