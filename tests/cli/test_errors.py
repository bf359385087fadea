"""Exit codes and messages for input that cannot be used and models that fail."""

import pytest

from example import ARGUMENTS

CORRECT = ("correct", *ARGUMENTS)
CHECK = ("check", *ARGUMENTS)
VERIFY = ("verify", "rows.jsonl", "--model", "scripted:gone.json", "--out")
REEX = (*CORRECT, "--method", "reex")
FILES = {
    "empty.txt": b" \n",
    "empty.json": b"{}",
    "one.json": b'{"rac/verify": ["1: True", "?"]}',
    "binary.bin": b"\x80\x81\xff",
    "draft.pdf": b"%PDF-1.7\n",
    "draft.docx": b"PK\x03\x04word/document.xml",
    "draft.html": b"<p>Marie Curie was born in 1865.",
    "source.txt": b"<!doctype html><p>Marie Curie was born in 1865.",
    "bad.jsonl": b"{nope\n",
    "rows.jsonl": b'{"claim": "x", "evidence": []}\n',
    "folder/a.txt": b"a",
}


@pytest.fixture
def run_with_files(run, write):
    for name, content in FILES.items():
        write(name, content)
    return run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("correct",), "no draft and no question were given"),
        (("correct", "--draft", "empty.txt"), "'empty.txt' is empty"),
        (("correct", "--draft", "binary.bin"), "is not UTF-8 text"),
        (("correct", "--draft", "draft.pdf"), "'draft.pdf' is a PDF file; give a text"),
        (("cite", "draft.docx"), "a Word document; give a text"),
        (("check", "--draft", "draft.html"), "a page of HTML; that is read as evidence alone"),
        ((*VERIFY, "gone/out"), "there is no folder 'gone'; make it first"),
        ((*VERIFY, "folder"), "it is a folder; name a file"),
        ((*CORRECT, "--documents", "bad.jsonl"), "'bad.jsonl', line 1: not JSON"),
        ((*CORRECT, "--model", "magic:x"), "cannot open 'magic:x'"),
        (("answer", "x", "--method", "rac"), "rac can correct or check; choose another method"),
        ((*REEX, "--set", "evidence=internal"), "answer asks a model: name one"),
        (("answer", " ", "--documents", "page.txt"), "the question is empty"),
        (("answer", "x", "--search", "altavista"), "no search engine is called 'altavista'"),
        (("index", "nowhere", "--out", "index"), "is missing"),
    ],
)
def test_bad_input_exits_with_2_and_a_message(run_with_files, arguments, message):
    result = run_with_files(*arguments)
    assert (result.exit_code, message in " ".join(result.stderr.split())) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((*CORRECT, "--role", "verify=scripted:empty.json"), 3, "of 3 claims unjudged"),
        ((*CORRECT, "--set", "rag=false", "--role", "correct=scripted:empty.json"), 3, ""),
        ((*REEX, "--role", "explain=scripted:empty.json"), 3, ""),
        ((*CHECK, "--strict", "--role", "verify=scripted:one.json"), 3, ""),
        ((*CHECK, "--role", "verify=scripted:one.json"), 0, ""),
        (("correct", "-q", "x", "--model", "scripted:empty.json"), 3, "rac/generate.rag.v1"),
        (("doctor", "--model", "magic"), 3, ""),
        (("doctor", "--role", "cook=local"), 3, ""),
    ],
)
def test_a_failing_model_exits_with_3_but_a_check_bears_one(run_with_files, arguments, code, said):
    result = run_with_files(*arguments)
    assert (result.exit_code, said in result.stderr) == (code, True)
    assert code or "errata: " not in result.stderr
