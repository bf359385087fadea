"""Words put in the place of others in a sentence, and taken out of one, where that is safe."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.tools.local.mends import apply_mends, mark_mends, without_marked
from example import rows

BORN = "Verne was born in 1849 in Lyon."


@pytest.mark.parametrize(
    ("text", "mends", "mended"),
    [
        (BORN, {"1849": "1828", "Lyon": "Nantes"}, "Verne was born in 1828 in Nantes."),
        (BORN, {"IN  lyon": "in Nantes"}, "Verne was born in 1849 in Nantes."),
        (BORN, {"born … 1849": "raised"}, "Verne was raised in Lyon."),
        # What stands beside the words is neither lost nor said twice.
        (BORN, {"in 1849": "1828"}, "Verne was born in 1828 in Lyon."),
        (BORN, {"1849": "in 1828"}, "Verne was born in 1828 in Lyon."),
        ("In 1849, she left.", {"in 1849": "in 1828"}, "In 1828, she left."),
        ("He was a lawyer.", {"lawyer": "actor"}, "He was an actor."),
        ("He was an actor.", {"actor": "a lawyer"}, "He was a lawyer."),
        ("He met Bo Day Jr.", {"Bo Day Jr.": "Bo Day III"}, "He met Bo Day III."),
        # Within American quotation marks a stop ends what it ended before.
        ('She won "Era" and left.', {'won "Era"': 'sang "Era."'}, 'She sang "Era" and left.'),
        # What stands there twice, nowhere or as a part, and changes that overlap are not made.
        ('She sang "An Era" and left.', {'Era"': "Ode"}, None),
        ("He won two cups and two cups.", {"two cups": "one cup"}, None),
        ("The board met, but the chair slept.", {"The board met.": ""}, None),
        ("Ada married Bob, and he died in 1995.", {"Ada married Bob.": ""}, None),
        (BORN, {"1850": "1828"}, None),
        (BORN, {"184": "182"}, None),
        (BORN, {"in": "near"}, None),
        (BORN, {"… …": "then"}, None),
        (BORN, {"in 1849": "in 1828", "1849 in Lyon": "1828 in Nantes"}, None),
        (BORN, {BORN: ""}, ""),
    ],
)
def test_mends_are_made_where_that_is_safe(text, mends, mended):
    assert apply_mends(text, list(mends.items())) == mended


CUT = """
He moved to Paris by night train. | by night train | He moved to Paris.
Verne, who was rich, wrote. | who was rich | Verne wrote.
Verne (a lawyer) wrote. | (a lawyer) | Verne wrote.
In 1849, he left. | in 1849 | He left.
He was a poet and a baker. | and a baker | He was a poet.
It sold well and was praised by Ada. | was praised by Ada | It sold well.
He played Bo, a rebellious boy. | a rebellious boy | He played Bo.
Despite his success, he was poor. | Despite his success | He was poor.
He went to Paris by train and met Ada. | by train | He went to Paris and met Ada.
He quickly rose and sang. | quickly | He rose and sang.
The bar, which opened in 1968, holds 90. | which opened in 1968 | The bar holds 90.
With Bo, a gifted actor, he sang. | a gifted actor | With Bo, he sang.
The bar, once the best, sold gin and lost us. | sold gin and | The bar, once the best, lost us.
Ada, a cook and a poet, sang. | a cook and | Ada, a poet, sang.
He sang well, as he said, in Ulm. | as he said | He sang well in Ulm.
He was praised and made a lord in 1999. | praised and | He was made a lord in 1999.
He was poor; in 1990, he moved. | in 1990 | He was poor; he moved.
He sang in Rome, and in 1990, he moved. | in 1990 | He sang in Rome, and he moved.
Ada was rich, sang, and died. | was rich | Ada sang, and died.
It was liked and he played again. | It was liked | He played again.
He was an actor, cook and poet born in Ulm. | , cook and poet | He was an actor born in Ulm.
His parents, Tom and Eve, ran it. | Tom and Eve | His parents ran it.
He sold bread, cheese, wine and oil. | , wine | He sold bread, cheese and oil.
The old wooden bridge fell in 1824. | wooden | The old bridge fell in 1824.
She is an Irish singer. | Irish | She is a singer.
He said on Monday that it was shut. | on Monday | He said that it was shut.
"""
"""Sentences, what goes, and what is left."""


@pytest.mark.parametrize(("text", "words", "left"), rows(CUT))
def test_what_goes_leaves_a_sentence(text, words, left):
    assert apply_mends(text, [(words, "")]) == left


NOT_CUT = """
He sang a {rare}, old song. | She wrote "A," "B," {and "C."} | She wrote "A," "{B}," and "C."
He met Ada, {Bob}, and Eve. | She is an actress, singer, {and dancer}. | He met Ada {and} Eve.
We moved by bus, by bike, or {by car}. | He met Ada, Bob, {Cy and Eve}. | {Verne} wrote.
He moved to Paris by {night train}. | She became {a tutor} of a duke.
In {1990} he moved to Rome. | He moved to {Italy} in 1990. | Her {family} moved to Rome.
He was {never} married. | He was not {a singer} but a dancer. | She was {a singer} and actress.
He lived in {Rome}, Paris, and Milan. | Verne was born {in Lyon}. | Ada {and Bob} were poets.
He wrote two books, A and {B}. | Ada {founded it and} she moved to Rome.
Ada {was rich}; she owned two houses. | It was liked, but the board {did not pay}.
He {sang in Rome} before he moved. | Ada, who {sang in Rome}, married Bob.
{Rome and} Oslo are capitals. | Neither Ada {nor Bob} sang. | He is {said to have} made it.
The fair has {shows}, films, and art. | He sang {(in} Rome) and left. | {She sang} "Era" and left.
He took the {role in} the show. | He had {few} friends in Rome.
"""
"""Sentences that would be none without the words, would lose half a pair, or say another thing."""


@pytest.mark.parametrize("marked", NOT_CUT.strip().replace("\n", " | ").split(" | "))
def test_what_does_not_plainly_leave_a_sentence_is_left_to_a_model(marked):
    text, words = re.sub("[{}]", "", marked), re.search("{(.*)}", marked)[1]
    assert apply_mends(text, [(words, "")]) is None


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        ("Ada is a former champion.", ["champion"], "Ada is a former [[champion]]."),
        ("Ada hails from Rome, Ulm, and Bonn.", ["Ulm"], "Ada hails from Rome, [[Ulm]], and Bonn."),
        ('"I [Ada] sang" to a king.', ["a king"], '"I [Ada] sang" to [[a king]].'),
        ("Ada is an Irish singer.", ["Irish"], "Ada is an [[Irish]] singer."),
        ("Ada sang and sang.", ["sang"], ""),
    ],
)
def test_a_reviser_is_told_all_of_a_claim_and_what_is_to_go(text, words, told):
    marked = mark_mends(text, [(each, "") for each in words])
    assert marked == told
    left = without_marked(marked)
    assert not left or not any(each in left.split() for each in words)


def test_mends_that_disagree_are_not_made():
    assert apply_mends(BORN, [("1849", "1828"), ("1849", "1829")]) is None
    assert apply_mends(BORN, [("Lyon", "Nantes"), ("lyon", "Nantes")]) is not None


SENTENCES = [
    "She was born on May 4, 1985, in Ulm, Bavaria, to a Polish father and an Irish mother.",
    'He wrote several books, including "The String," "The Garden," and "The Shiver."',
    'They made "Ikaruga", “Sin, and Punishment”, and "Era" (a remake), which sold well.',
    "In 1999, he became head of the Green Bank, a post he held until 2004, and moved to Rome.",
    "However, it was well received by critics and he reprised the role in the third season!",
    "Aside from acting, Bo Day Jr. is a writer, director and producer based in New York, N.Y.",
    "After the war she studied law at the University of Graz, where she met Ada (1901–1977).",
    "He is known for his powerful and dynamic style, as well as his love of music and film.",
    "The album debuted at number six on the U.S. chart and was certified gold by the RIAA.",
    "He has won two awards, the Tony and the Oscar, and 1,200 people saw his last show?",
]


@given(st.sampled_from(SENTENCES), st.data())
def test_a_mended_sentence_reads_like_one_and_is_the_same_elsewhere(text, data):
    words = [match.span() for match in re.finditer(r"\S+", text)]
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(words) - 1)] * 2)))
    wrong = text[words[first][0] : words[last][1]]
    right = data.draw(st.sampled_from(["", "", "", "1850", "Lyon", "a lawyer"]))
    mended = apply_mends(text, [(wrong, right)])
    if not mended:
        return
    assert mended[0].isupper()
    assert re.search(r"[.!?][\"”)]*$", mended)[0].strip('"”)') == text.rstrip('"')[-1]
    assert "  " not in mended
    assert not re.search(r" [,.;)]|,,|,\.|\(\)", mended)
    assert all(mended.count(sign) % 2 == 0 for sign in '"')
    assert all(mended.count(a) == mended.count(b) for a, b in ("()", "“”"))
    if not right:
        told = set(re.findall(r"\w+", mended.lower()))
        assert told <= set(re.findall(r"\w+", text.lower())) | {"and", "or", "a", "an"}
        assert len(mended) < len(text) + 4
    kept = set(re.findall(r"\w+", text[: words[first][0]] + text[words[last][1] :]))
    joints = {"and", "or", "as", "well", "including", "such", "which", "who", "a", "an", "in", "at"}
    lost = {word.lower() for word in kept} - set(re.findall(r"\w+", mended.lower()))
    assert not lost - joints - set(re.findall(r"\w+", wrong.lower()))
