"""Documents as callers give them: texts, paths, addresses, records."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from langchain_core.documents import Document as LangChainDocument

from errata import Document, Session, check, correct, corrector
from errata.core.errors import InputError
from errata.given import as_documents
from example import DRAFT, PAGE, QUESTION, RESPONSE


@pytest.fixture
def files(tmp_path):
    """A text, and rows."""
    (tmp_path / "page.txt").write_text(PAGE)
    rows = [{"text": PAGE, "id": "a"}, {"text": "Bees make honey.", "id": "b"}]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


@pytest.mark.parametrize(("name", "ids"), [("page.txt", ["page.txt"]), ("pages.jsonl", ["a", "b"])])
def test_a_path_is_read(files, name, ids):
    correction = correct(draft=DRAFT, documents=[files / name])
    assert (correction.response, [d.id for d in correction.documents]) == (RESPONSE, ids)
    (files / "page.txt").write_text(PAGE, encoding="utf-32-le")
    arguments = {"documents": [files / "page.txt"], "encoding": "utf-32-le"}
    assert correct(draft=DRAFT, **arguments).response == RESPONSE


def test_a_page_is_fetched_unless_it_is_private_or_not_there(page_site, monkeypatch):
    address, asked = page_site
    with pytest.raises(InputError, match=r"could not be fetched.*not public"):
        correct(draft=DRAFT, documents=[address])
    assert asked == []
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "127.0.0.1")
    correction = correct(draft=DRAFT, documents=[f" {address}\n"])
    assert correction.response == RESPONSE
    [document] = correction.documents
    assert (document.url, document.source) == (address, "given")
    with pytest.raises(InputError, match="answered 404"):
        correct(draft=DRAFT, documents=[f"{address}/gone"])


def test_an_address_in_what_a_chain_hands_on_is_a_text(page_site, monkeypatch):
    address, asked = page_site
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "127.0.0.1")
    correction = corrector().invoke({"draft": DRAFT, "documents": [address]})
    assert [d.text for d in correction.documents] == [address]
    assert asked == []


def test_a_files_name_is_no_text(files, monkeypatch):
    monkeypatch.chdir(files)
    with pytest.raises(InputError, match=r"give Path\('page.txt'\)"):
        correct(draft=DRAFT, documents=["page.txt"])
    with pytest.raises(InputError, match="is the name of a file"):
        correct(draft=DRAFT, documents=["reprot.pdf"])
    assert correct(draft=DRAFT, documents=["a\0b", "x" * 300, PAGE]).changed


@pytest.mark.parametrize("text", ["We wrote all this down in notes.txt", "Node.js", "and/or", PAGE])
def test_a_text_that_names_a_file_is_a_text(text):
    assert correct(draft=DRAFT, documents=[text]).documents[0].text == text


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (Path("gone.txt"), "got one PosixPath: put it in brackets"),
        ([Path("gone.txt")], "cannot read 'gone.txt'"),
        (PAGE, "got one str: put it in brackets"),
        ([3], "an address or a Document; got int"),
        ([{"page_content": 3}], "page_content is an int: expected a text"),
    ],
)
def test_bad_documents_are_an_error(documents, message):
    with pytest.raises(InputError, match=message):
        correct(draft=DRAFT, documents=documents)


BY_NAME = "expected a text; draft and documents go by name: draft=…, documents=[…]"


@pytest.mark.parametrize("verb", [correct, check, Session("reex").correct])
@pytest.mark.parametrize("name", ["question", "draft"])
def test_what_is_no_text_is_refused_with_what_to_give(verb, name):
    for value, kind in ((None, "a NoneType"), ([PAGE], "a list"), (3, "an int")):
        with pytest.raises(InputError, match=f"^{name} is {kind}: {re.escape(BY_NAME)}$"):
            verb(**{"draft": DRAFT, name: value}, documents=[PAGE])
    with pytest.raises(InputError, match=r"expected a text; read the file, .*=path.read_text\(\)"):
        verb(**{"draft": DRAFT, name: Path("draft.txt")}, documents=[PAGE])


def test_documents_in_anothers_place_are_told_from_it():
    for place, arguments in (("draft", (DRAFT, [PAGE])), ("method", (QUESTION, DRAFT, [PAGE]))):
        with pytest.raises(InputError, match=f"^{place} is a list: {re.escape(BY_NAME)}$"):
            correct(*arguments)


def test_texts_and_records_are_documents():
    given = [PAGE, Document(text=PAGE, id="a"), {"text": PAGE, "id": "b"}]
    given += [{"page_content": PAGE, "metadata": {"id": "c"}}, LangChainDocument(PAGE, id="d")]
    assert correct(draft=DRAFT, documents=given).response == RESPONSE
    read = as_documents(given)
    assert [(d.text, d.id) for d in read] == [(PAGE, each) for each in ("", "a", "b", "c", "d")]


class Series(list):
    """A column of pandas: iterable, and neither true nor false."""

    def __bool__(self):
        raise ValueError("The truth value of a Series is ambiguous")


@pytest.mark.parametrize("given", [Series([PAGE]), np.array([PAGE, PAGE]), iter([PAGE])])
def test_columns_arrays_and_iterators_of_texts_are_documents(given):
    assert correct(draft=DRAFT, documents=given).response == RESPONSE
