"""Whatever bytes a file of rows has, it is read or refused with an error that names it."""

import json

from hypothesis import example, given
from hypothesis import strategies as st

from errata.core.errors import InputError
from errata.tools.files.decoding import decode_text
from errata.tools.files.rows import numbered_lines, parse_json_row, parse_rows
from strategies import EXAMPLES

WORDS = ("\\ud800", "NaN", "1e999", "null", '"text": ', '{"id": "a"}', "9" * 5000)
PARTS = st.sampled_from([*'{}[]",:\\\n\r \0\ufeff', *WORDS])
TEXTS = st.text(max_size=80) | st.lists(PARTS, max_size=30).map("".join)
BYTES = st.binary(max_size=120) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))


def outcome(read):
    """What a reader returns, and the message of the one error that it may raise."""
    try:
        return read(), ""
    except InputError as error:
        return None, str(error)


def read_bytes(data, lines):
    """The rows of a file's bytes."""
    return list(parse_rows(decode_text(data, "rows.jsonl"), "rows.jsonl", lines=lines))


@EXAMPLES
@given(BYTES, st.booleans())
@example(b"[" * 100_000, True)
@example(b'{"a":' * 50_000, False)
@example(b'{"id": "a"}\n' + b"\xff" * 20, True)
def test_any_bytes_are_rows_or_refused_with_their_name(data, lines):
    rows, fault = outcome(lambda: read_bytes(data, lines))
    assert rows is not None or "rows.jsonl" in fault
    assert all(place.startswith("rows.jsonl") for place, _ in rows or ())
    json.dumps([value for _, value in rows or ()], ensure_ascii=False).encode("utf-8")


@EXAMPLES
@given(st.lists(TEXTS, max_size=6))
def test_a_broken_line_harms_no_other(lines):
    text = "\n".join(["{}", *(line.replace("\n", " ") for line in lines), '{"id": "last"}'])
    places = list(numbered_lines(text, "x"))
    read = [outcome(lambda place=p: parse_json_row(place[1], place[0])) for p in places]
    assert all(
        row is not None or where in fault
        for (where, _), (row, fault) in zip(places, read, strict=True)
    )
    assert [row for row, _ in (read[0], read[-1])] == [{}, {"id": "last"}]
