"""A draft and its edits as one sequence."""

import pytest
from hypothesis import given

from errata.core.edits import apply_edits, diff
from errata.core.records import Edit, pieces_of
from strategies import SHORT_TEXTS


@pytest.mark.parametrize(
    ("edits", "pieces"),
    [
        ([], [("same", "born in 1865 here")]),
        (
            [Edit(start=8, end=12, before="1865", after="1867")],
            [("same", "born in "), ("gone", "1865"), ("new", "1867"), ("same", " here")],
        ),
        (
            [Edit(start=0, end=5, before="born ", after="")],
            [("gone", "born "), ("same", "in 1865 here")],
        ),
        (
            [Edit(start=17, end=17, before="", after="!")],
            [("same", "born in 1865 here"), ("new", "!")],
        ),
    ],
)
def test_edits_become_pieces_in_their_places(edits, pieces):
    assert pieces_of("born in 1865 here", edits) == pieces


def test_an_empty_draft_has_no_pieces():
    assert pieces_of("", []) == []


@given(SHORT_TEXTS, SHORT_TEXTS)
def test_pieces_rebuild_draft_and_response(draft, response):
    edits = diff(draft, response)
    pieces = pieces_of(draft, edits)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == draft
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == response
    assert apply_edits(draft, edits) == response
    assert all(piece.text for piece in pieces)
