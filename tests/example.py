"""The worked example of most tests: a draft of three claims, and a page that judges them."""

import json
import re
from pathlib import Path

from errata.core.records import Claim, Correction, Document
from errata.methods import ANSWERING, CORRECTING, METHODS

QUESTION = "Who was Marie Curie?"
BIRTH_QUESTION = "When was Marie Curie born?"
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
LONG_PAGE = f"{PAGE} She lived in Paris."
BIOGRAPHY = Document(
    id="curie",
    title="Marie Curie",
    text="Marie Curie (born 7 November 1867 – died 4 July 1934) was a Polish and French physicist. "
    "She was born in Warsaw as the youngest of five children. "
    "She married the physicist Pierre Curie in 1895, and they had two daughters. "
    "Curie received the Nobel Prize in Physics in 1903.",
)
"""A longer page, for claims about other facts of her life."""
DOCUMENTS = [{"text": PAGE}]
DRAFT = "Marie Curie was born in 1865. She was a physicist. She kept bees."
RESPONSE = "Marie Curie was born in 1867. She was a physicist. She kept bees."
"""The draft as the page corrects it."""
CLAIMS = ["Marie Curie was born in 1865.", "Marie Curie was a physicist.", "Marie Curie kept bees."]
QUESTIONS = ["When was Marie Curie born?", "What was Marie Curie?", "What did Marie Curie keep?"]
"""A question about each claim."""
CORRECTED_CLAIM = "Marie Curie was born in 1867."
LABELS = ["refuted", "supported", "not_mentioned"]
"""The page's verdict on each claim."""
REQUEST = {"question": QUESTION, "draft": DRAFT, "documents": DOCUMENTS}
ERROR = '1. "born in 1865" is wrong: she was born in 1867.'
OURS = (*CORRECTING, *ANSWERING)
"""The methods of errata itself; `conformance/` has those of other packages, too."""
REPLIES = json.loads(Path(__file__).with_name("replies.json").read_text("utf-8"))
for _method in METHODS.values():
    REPLIES |= _method.replies
"""A model's replies, by prompt, that correct the draft or answer when she was born."""
ARGUMENTS = ("--question", QUESTION, "--draft", "draft.txt", "--documents", "page.txt")
"""The request on the command line; the files are those that `tests/cli` writes."""
_MARK = re.compile(r"\{([^{}]*?)(?:=>([^{}]*))?\}")


def before_and_after(marked):
    """Two texts in one: "born in {1865=>1867}" is changed, "a poet{ and a baker}" is cut."""
    return _MARK.sub(r"\1", marked), _MARK.sub(r"\2", marked)


def rows(table):
    """The cells of each line of a table."""
    return [line.split(" | ") for line in table.strip().split("\n")]


def claims_of(*texts):
    """Claims c1, c2 and so on, each its own draft."""
    return [Claim(id=f"c{n}", text=text, start=0, end=len(text)) for n, text in enumerate(texts, 1)]


def correction_of(draft="", response=None, **fields):
    """A correction by RAC that found an error, or as the fields say."""
    response = draft if response is None else response
    own = {"method": "rac", "question": "", "label": "refuted", "changed": response != draft}
    return Correction(draft=draft, response=response, **own | fields)


def pages_of(*texts):
    """Documents d1, d2 and so on."""
    return [Document(id=f"d{n}", text=text) for n, text in enumerate(texts, 1)]
