"""Words put in the place of others in a sentence, and taken out of one, where that is safe."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.tools.local.mends import apply_mends, mark_mends, without_marked

BORN = "Verne was born in 1849 in Lyon."
TRAIN = "He moved to Paris by night train{}"


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
        # What goes leaves a sentence.
        (TRAIN.format("."), {"by night train": ""}, "He moved to Paris."),
        ("Verne, who was rich, wrote.", {"who was rich": ""}, "Verne wrote."),
        ("Verne (a lawyer) wrote.", {"(a lawyer)": ""}, "Verne wrote."),
        ("In 1849, he left.", {"in 1849": ""}, "He left."),
        ("He was a poet and a baker.", {"and a baker": ""}, "He was a poet."),
        ("It sold well and was praised by Ada.", {"was praised by Ada": ""}, "It sold well."),
        ("He played Bo, a rebellious boy.", {"a rebellious boy": ""}, "He played Bo."),
        ("Despite his success, he was poor.", {"Despite his success": ""}, "He was poor."),
        (
            "He went to Paris by train and met Ada.",
            {"by train": ""},
            "He went to Paris and met Ada.",
        ),
        ("He quickly rose and sang.", {"quickly": ""}, "He rose and sang."),
        ("He sang a rare, old song.", {"rare": ""}, None),
        (
            "The bar, which opened in 1968, holds 90.",
            {"which opened in 1968": ""},
            "The bar holds 90.",
        ),
        ("With Bo, a gifted actor, he sang.", {"a gifted actor": ""}, "With Bo, he sang."),
        (
            "The bar, once the best, sold gin and lost us.",
            {"sold gin and": ""},
            "The bar, once the best, lost us.",
        ),
        ("Ada, a cook and a poet, sang.", {"a cook and": ""}, "Ada, a poet, sang."),
        ("He sang well, as he said, in Ulm.", {"as he said": ""}, "He sang well in Ulm."),
        (
            "He was praised and made a lord in 1999.",
            {"praised and": ""},
            "He was made a lord in 1999.",
        ),
        # Within American quotation marks a stop ends what it ended before.
        ('She won "Era" and left.', {'won "Era"': 'sang "Era."'}, 'She sang "Era" and left.'),
        ("He was poor; in 1990, he moved.", {"in 1990": ""}, "He was poor; he moved."),
        (
            "He sang in Rome, and in 1990, he moved.",
            {"in 1990": ""},
            "He sang in Rome, and he moved.",
        ),
        ("Ada was rich, sang, and died.", {"was rich": ""}, "Ada sang, and died."),
        ("It was liked and he played again.", {"It was liked": ""}, "He played again."),
        (
            "He was an actor, cook and poet born in Ulm.",
            {", cook and poet": ""},
            "He was an actor born in Ulm.",
        ),
        # What does not plainly is left to a model.
        ('She wrote "A," "B," and "C."', {'and "C."': ""}, None),
        ('She wrote "A," "B," and "C."', {"B": ""}, None),
        ("He met Ada, Bob, and Eve.", {"Bob": ""}, None),
        ("She is an actress, singer, and dancer.", {"and dancer": ""}, None),
        ("We moved by bus, by bike, or by car.", {"by car": ""}, None),
        ("He met Ada, Bob, Cy and Eve.", {"Cy and Eve": ""}, None),
        (TRAIN.format("."), {"night train": ""}, None),
        ("She became a tutor of a duke.", {"a tutor": ""}, None),
        ("In 1990 he moved to Rome.", {"1990": ""}, None),
        ("He moved to Italy in 1990.", {"Italy": ""}, None),
        ("Her family moved to Rome.", {"family": ""}, None),
        ("He had few friends in Rome.", {"few": ""}, None),
        ("He was never married.", {"never": ""}, None),
        ("He was not a singer but a dancer.", {"a singer": ""}, None),
        ("She was a singer and actress.", {"a singer": ""}, None),
        ("He lived in Rome, Paris, and Milan.", {"Rome": ""}, None),
        ("He met Ada and Eve.", {"and": ""}, None),
        ("Verne was born in Lyon.", {"in Lyon": ""}, None),
        ("Verne wrote.", {"Verne": ""}, None),
        ("He wrote two books, A and B.", {"B": ""}, None),
        ("Ada and Bob were poets.", {"and Bob": ""}, None),
        # Nor is a subject left without its verb, a pair by half, or another thing said.
        ("Ada founded it and she moved to Rome.", {"founded it and": ""}, None),
        ("Ada was rich; she owned two houses.", {"was rich": ""}, None),
        ("It was liked, but the board did not pay.", {"did not pay": ""}, None),
        ("He sang in Rome before he moved.", {"sang in Rome": ""}, None),
        ("Ada, who sang in Rome, married Bob.", {"sang in Rome": ""}, None),
        ("Rome and Oslo are capitals.", {"Rome and": ""}, None),
        ("Neither Ada nor Bob sang.", {"nor Bob": ""}, None),
        ("He is said to have made it.", {"said to have": ""}, None),
        ("The fair has shows, films, and art.", {"shows": ""}, None),
        ("The board met, but the chair slept.", {"The board met.": ""}, None),
        ("Ada married Bob, and he died in 1995.", {"Ada married Bob.": ""}, None),
        ("His parents, Tom and Eve, ran it.", {"Tom and Eve": ""}, "His parents ran it."),
        ("He sold bread, cheese, wine and oil.", {", wine": ""}, "He sold bread, cheese and oil."),
        ("The old wooden bridge fell in 1824.", {"wooden": ""}, "The old bridge fell in 1824."),
        ("He said on Monday that it was shut.", {"on Monday": ""}, "He said that it was shut."),
        ("She is an Irish singer.", {"Irish": ""}, "She is a singer."),
        # Nor is a sentence left with a stray sign, a word twice or a small beginning.
        ("He sang (in Rome) and left.", {"(in": ""}, None),
        ('She sang "An Era" and left.', {'Era"': "Ode"}, None),
        ("He took the role in the show.", {"role in": ""}, None),
        ('She sang "Era" and left.', {"She sang": ""}, None),
        # So are words that stand there twice, or nowhere, and changes that overlap.
        ("He won two cups and two cups.", {"two cups": "one cup"}, None),
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
