"""Documents and pages cut into strips, and the best of these kept."""

import pytest

from errata.records import Document
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.local.refine import refine, select, strip_spans

TEXT = "One is first. Two is second. Three is third. Four is fourth. Five is last."


@pytest.mark.parametrize(
    ("text", "mode", "strips"),
    [
        ("", "excerption", []),
        ("One. Two.", "excerption", ["One. Two."]),
        (TEXT, "selection", [TEXT]),
        (TEXT, "excerption", [TEXT[:44], TEXT[45:]]),
        (
            f"{TEXT} Six is more. Seven.",
            "excerption",
            [TEXT[:44], f"{TEXT[45:]} Six is more. Seven."],
        ),
        (" ".join(["Some words here."] * 18), "fixed_num", 1),
        (" ".join(["Some words here."] * 40), "fixed_num", 3),
    ],
)
def test_documents_are_cut_into_strips(text, mode, strips):
    texts = [text[start:end] for start, end in strip_spans(text, mode)]
    assert texts == strips if isinstance(strips, list) else len(texts) == strips


class LengthScore:
    """An evaluator that scores a text by its length."""

    upper, lower, floor = 0.5, -0.5, -0.5

    def score(self, _, texts):
        return [len(text) / 100 for _, text in texts]


def test_the_best_strips_are_in_document_order():
    documents = [
        Document(id="a", text="Short one. Then a longer one here."),
        Document(id="b", text="x."),
        Document(id="c", text="The middle one of all."),
    ]
    knowledge = refine("", documents, "excerption", LengthScore(), 2, 0.1)
    assert [strip.document for strip in knowledge] == ["a", "c"]
    assert refine("", documents, "excerption", LengthScore(), 5, 0.9) == []


def test_paragraphs_of_pages_are_selected():
    page = Document(id="p", text="Bees make honey.\n\nThe tower was opened in 1889.\nCats purr.")
    knowledge = select("When was the tower opened?", [page], load_local_evaluator(), 5, -0.25, 40)
    assert [page.text[k.start : k.end] for k in knowledge] == ["The tower was opened in 1889."]
