"""Repairs leave no link without words or target."""

import pytest

from cited_site import GUIDE, HISTORY, PAINT
from errata import cite
from errata.core.records import Document
from errata.tools.text.references import read_cited

SOURCES = {"history.txt": HISTORY, "guide.txt": GUIDE, "paint.txt": PAINT}
DOCUMENTS = [Document(id=name, text=text) for name, text in SOURCES.items()]
DEFINED = "\n\n[1]: history.txt\n[2]: guide.txt\n[3]: paint.txt\n"
LISTED = "\n\n## References\n\n1. history.txt\n2. guide.txt\n3. paint.txt\n"
NOTED = "\n\n[^1]: history.txt\n[^2]: guide.txt\n[^n]: paint.txt\n"
OPENED = "Skarvik bridge was opened in 1932"


@pytest.mark.parametrize(
    "draft",
    [
        f"Skarvik bridge was [opened in 1932][3].{DEFINED}",
        f"Skarvik bridge was [opened *in* 1932][2].{DEFINED}",
        f"{OPENED} ([paint](paint.txt)). See [history][1].{DEFINED}",
        f"{OPENED} ([paint](paint.txt)).{LISTED}",
        f"Skarvik bridge was [opened in 1932](guide.txt).{NOTED}",
    ],
)
def test_no_link_is_left_without_words_or_target(draft):
    result = cite(draft, DOCUMENTS)
    assert "]()" not in result.response
    assert "[]" not in result.response
    assert [s.text for s in read_cited(result.response)[0]] == [
        s.text for s in read_cited(draft)[0]
    ]
