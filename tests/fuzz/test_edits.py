"""Edits and pieces rebuild draft and response exactly, whatever texts and edits there are."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from errata.core.edits import (
    apply_edits,
    compose,
    diff,
    in_form_of,
    join_edits,
    on_word_borders,
    places_after,
)
from errata.core.errors import InputError
from errata.core.pieces import pieces_of
from errata.core.records import Edit
from errata.core.words import Borders
from strategies import DRAFTS, EXAMPLES, REPLIES, edits_of

TEXTS = DRAFTS | REPLIES | st.text(alphabet="ab 1.,\r\n\u0301\u200d👩‍🚀é", max_size=60)


EDITED = TEXTS.flatmap(lambda draft: st.tuples(st.just(draft), edits_of(draft)))
"""A draft and edits of it."""


@EXAMPLES
@given(TEXTS, TEXTS)
def test_the_difference_of_any_two_texts_is_exact(draft, response):
    edits = diff(draft, response)
    assert apply_edits(draft, edits) == response
    assert all(draft[edit.start : edit.end] == edit.before for edit in edits)


def edited(draft, *changes):
    """A draft, and edits of it by their places and new texts."""
    return draft, [Edit(start=a, end=b, before=draft[a:b], after=after) for a, b, after in changes]


@EXAMPLES
@given(EDITED)
@example(edited("HHH", (0, 0, ""), (0, 1, ""), (3, 3, ""), (3, 3, "0")))
def test_edits_give_the_same_response_in_every_form(case):
    draft, edits = case
    response = apply_edits(draft, edits)
    widened, borders = on_word_borders(draft, edits), Borders(draft)
    assert apply_edits(draft, widened) == response
    assert all(borders.are_at(edit.start, edit.end) for edit in widened)
    assert apply_edits(draft, edits[::-1]) == response or len(
        {(e.start, e.end) for e in edits}
    ) < len(edits)
    assert all(response[a:b] == edit.after for (a, b), edit in places_after(edits))
    if edits:
        assert apply_edits(draft, [join_edits(draft, edits)]) == response


@EXAMPLES
@given(EDITED, TEXTS)
def test_later_edits_are_edits_of_the_draft(case, last):
    draft, edits = case
    later = diff(apply_edits(draft, edits), last)
    assert apply_edits(draft, compose(draft, edits, later)) == last


@EXAMPLES
@given(EDITED)
def test_pieces_hold_every_character_of_both_texts(case):
    draft, edits = case
    pieces = pieces_of(draft, edits)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == draft
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == apply_edits(
        draft, edits
    )


@EXAMPLES
@given(TEXTS, st.integers(-3, 70), st.integers(-3, 70), st.text(max_size=4))
@example("", 0, 1, "")
@example("Ada sang.", 5, 2, "")
def test_an_edit_that_does_not_fit_is_refused(draft, start, end, before):
    edit = Edit(start=start, end=end, before=before, after="x")
    if 0 <= start <= end <= len(draft) and draft[start:end] == before:
        assert apply_edits(draft, [edit]) == draft[:start] + "x" + draft[end:]
    else:
        with pytest.raises(InputError, match="expects"):
            apply_edits(draft, [edit])


@EXAMPLES
@given(TEXTS, TEXTS)
def test_a_text_in_the_form_of_a_draft_keeps_its_margins(draft, text):
    formed = in_form_of(draft, text)
    body = draft.strip()
    assert formed.startswith(draft[: draft.find(body)])
    assert formed.strip().split() == text.split()
