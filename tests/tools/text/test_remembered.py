"""What was found in short texts is remembered."""

from errata.tools.text.remembered import LONGEST, remember_short


def counting():
    """A function that finds a text's letters, and the texts that it has looked into."""
    asked = []

    @remember_short(2)
    def letters(text):
        asked.append(text)
        return iter(text)

    return letters, asked


def test_a_short_text_is_looked_into_once_and_each_caller_has_a_list_of_its_own():
    letters, asked = counting()
    letters("ab").append("c")
    assert letters("ab") == ["a", "b"]
    assert asked == ["ab"]


def test_the_texts_asked_for_last_are_remembered():
    letters, asked = counting()
    for text in ("a", "b", "c", "c", "b", "a"):
        assert letters(text) == [text]
    assert asked == ["a", "b", "c", "a"]


def test_a_long_text_is_looked_into_every_time():
    letters, asked = counting()
    text = "a" * (LONGEST + 1)
    assert letters(text) == letters(text) == list(text)
    assert len(asked) == 2
