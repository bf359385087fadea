"""Whatever edits a model makes, no mark is broken, no code or table lost, and edits are exact."""

import re
from collections import Counter
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from errata.core.edits import apply_edits
from errata.session import Session
from errata.tools.models.scripted import FakeChat
from strategies import EXAMPLES

PAGE = (
    "Skarvik bridge was opened in 1932. Skarvik bridge is 240 metres long. It was painted red in "
    "1975. Ida Lund built it with 40 masons. A ferry ran there until 1931."
)
OTHER = "The bakery of Skarvik sells bread on Sundays. The town has 900 people."
SENTENCES = [
    "Skarvik bridge was opened in 1938{}.",
    "Skarvik bridge is **240 metres** long{}.",
    "Ida Lund built it with *41 masons*{}.",
    "It was painted [red](https://a.invalid/red) in 1976{}.",
    "The [bakery][2] sells bread on Mondays{}.",
    "Run `open 1938` first{}.",
    "A ferry ran there until 1931, ![a ferry](f.png) they say{}.",
    "The town has 800 people{}!",
]
MARKS = ["", " [1]", " [1][2]", " [1, 2]", "[^a]", "[^a][^b]", " ([guide](https://a.invalid/g))"]
BLOCKS = [
    "{0} {1}",
    "- {0}\n- {1}",
    "1. {0}\n2. {1}",
    "# {0}",
    "## Bridges\n\n{0}",
    "> {0}\n> {1}",
    "| what | says |\n|---|---|\n| bridge | {0} |\n| town | {1} |",
    "```\nopen = 1938\n```\n\n{0}",
    "{0}\n\n    code = 1938",
    "<div>\n{0}\n</div>",
    "- {0}\n\n  {1}\n- bread",
]
ENDS = "\n\n[1]: history.txt\n[2]: https://a.invalid/guide\n\n[^a]: History of it.\n[^b]: Guide.\n"


@st.composite
def drafts(draw):
    """A draft with marks, code, tables, footnotes, links, lists, quotes, headings, any line end."""
    said = st.builds(str.format, st.sampled_from(SENTENCES), st.sampled_from(MARKS))
    blocks = draw(st.lists(st.tuples(st.sampled_from(BLOCKS), said, said), min_size=1, max_size=4))
    text = "\n\n".join(block.format(a, b) for block, a, b in blocks) + ENDS
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


SPOILS = [
    lambda text: re.sub(r"\[[^\]]*\]", "", text),
    lambda text: re.sub(r"\[([^\]]*)\]\([^)]*\)", r"[\1]()", text),
    lambda text: re.sub(r"\[(\w+)\]\(", "[](", text),
    lambda text: re.sub(r"(\[[^\]]*\])", r"\1\1", text),
    lambda text: text.replace("1938", "**1932"),
    lambda text: text.replace("1938", "`1932`").replace("41", "[40](x)"),
    lambda text: text.replace("1938", "1932 [9]").replace("800", "900[^z]"),
    lambda text: text.replace(". ", ".\n\n# ").replace("Mondays", "<b>Sundays"),
    lambda text: re.sub(r"[`*|>#]", "", text),
    lambda text: text.replace("1938", "1932").replace("Mondays", "Sundays").replace("41", "40"),
    lambda text: text.replace("|", "| |"),
    lambda text: text[:0],
    lambda text: text[: len(text) // 2],
    lambda text: text.upper(),
]


class Spoiler(FakeChat):
    """Calls claims false, and rewrites what it is given in one of many ways."""

    seed: int

    def answer(self, prompt, request, sample):  # noqa: ARG002
        """What a prompt draws, always the same."""
        place = crc32(f"{self.seed}{prompt}{request}".encode())
        given = str(request)
        count = len(set(re.findall(r"(?m)^(\d+)\. ", given))) or 1
        if "verify" in prompt:
            labels = ["False [1]", "True [1]", "Not Mentioned", "False [1] | 1938 -> `1932`"]
            return AIMessage(
                "\n".join(f"{n}: {labels[(place + n) % 4]}" for n in range(1, count + 1))
            )
        found = re.search(r"<draft>\n(.*?)\n</draft>", given, re.DOTALL)
        return AIMessage(SPOILS[place % len(SPOILS)](found[1] if found else given[-200:]) or "None")


MARKDOWN = MarkdownIt("commonmark").enable("table").use(footnote_plugin)
FIXED = ("fence", "code_block", "tr_open", "td_open", "th_open", "code_inline", "image")


def parts(text):
    """What code, tables and images there are, and how many other things are empty or broken."""
    tokens = [t for token in MARKDOWN.parse(text) for t in (token, *(token.children or ()))]
    fixed = Counter((t.type, t.content) for t in tokens if t.type in FIXED)
    words = "".join(t.content for t in tokens if t.type == "text")
    links = [n for n, t in enumerate(tokens) if t.type == "link_open"]
    broken = sum(tokens[n + 1].type == "link_close" or not tokens[n].attrs["href"] for n in links)
    broken += len(re.findall(r"\]\(|\[\^|\]\[\w|\*\*|`", words))
    heads = sum(
        t.type == "heading_open" and not tokens[n + 1].content for n, t in enumerate(tokens)
    )
    ends = [token.type for token in tokens[1:]]
    items = [end for t, end in zip(tokens, ends, strict=False) if t.type == "list_item_open"]
    return fixed, broken + heads + items.count("list_item_close")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rac", "reex", "cite"])
@settings(EXAMPLES, max_examples=EXAMPLES.max_examples // 2)  # a run each
@given(draft=drafts(), seed=st.integers(0, 10_000), model=st.booleans(), whole=st.booleans())
def test_no_edit_breaks_a_mark_or_loses_code_or_a_table(method, draft, seed, model, whole):
    documents = [{"id": "history.txt", "text": PAGE}, {"id": "2", "text": OTHER}]
    own = {"model": Spoiler(seed=seed)} if model else {}
    own |= {"max_links": 0} if method == "cite" else {}
    own |= {"revision": "draft"} if whole and method != "reex" else {}
    own |= {"unsupported": "drop"} if seed % 2 and method != "reex" else {}
    result = Session(method, **own).correct("", draft, documents)
    assert apply_edits(draft, result.edits) == result.response
    (before, faults), (after, left) = parts(draft), parts(result.response)
    images = Counter({each: n for each, n in before.items() if each[0] in ("image", "code_inline")})
    assert not (before - images) - after, "code or a table is lost"
    assert not after - before, "code or a table is new"
    assert left <= faults, "a mark is broken"
