"""Sentences taken out of drafts in markdown: what remains is whole, and what stays is verbatim."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from errata.core.edits import apply_edits
from errata.core.records import Document, Edit, Fix
from errata.tools.local.correct import correct
from errata.tools.local.extract import extract
from errata.tools.local.revise import revise
from errata.tools.local.tidy import UNSUPPORTED, tidy

QUESTION = "Who was Ada Lovelace?"
FENCE = "```py\nprint('Ada kept 0 bees. It was red.')\n```"
IMAGE = (
    "![pic](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5==)"
)
COMMENT = "<!-- Ada kept 0 bees. -->"
FORMULA = "$$\nx = 0\n$$"
WRAPPED = "Ada worked for many years in the big house of a rich friend and was"
SENTENCES = [
    "Ada Lovelace kept bee {n}.",
    "She kept **bee {n}** in Rome.",
    "The tower {n} was opened in [the spring. Of 1817](http://a.b/c_{n}_d).",
    "It was painted by `paint(n_{n})` in 1850.",
    "*This* made tower {n} known.",
    "Bob Ek, who was born in Oslo, met king {n}.",
    "However, he left town {n}.",
    "The prizes {n} were given\nto the best riders of the year.",
]


def drop(draft, *words, question=QUESTION):
    """The draft without the claims whose sentences hold any of the words, and the notes."""
    claims = extract(question, draft)
    goes = [c for c in claims if any(word in draft[c.start : c.end] for word in words)]
    edits, notes = revise(question, draft, claims, [Fix(claim=c.id, text="") for c in goes])
    return apply_edits(draft, edits), notes


@pytest.mark.parametrize(
    ("draft", "words", "response"),
    [
        ("## Life\n\nAda wrote.\n\n## Death\n\nShe ate 1.\n", ["ate"], "## Life\n\nAda wrote.\n"),
        (
            "# Ada\n\nAda wrote.\n\n## Life\n\n### Youth\n\nShe ate 1.\n\n## End\n\nAda died.",
            ["ate"],
            "# Ada\n\nAda wrote.\n\n## End\n\nAda died.",
        ),
        ("**Life**\n\nAda wrote.\n\n**Sport**\n\nShe ran 9.", ["ran"], "**Life**\n\nAda wrote."),
        (
            "Ada wrote. Her interests were:\n\n- riding 3 bears\n- racing 4 cars\n\nAda died.",
            ["bears", "cars"],
            "Ada wrote.\n\nAda died.",
        ),
        ("1. Ann sang.\n2. Bo ate 2.\n3. Cy ran.", ["ate"], "1. Ann sang.\n3. Cy ran."),
        ("* Ann sang.\n* Bo ate 2.\n* Cy ran.", ["ate"], "* Ann sang.\n* Cy ran."),
        ("1. Ann sang.\n1. Bo ate 2.\n1. Cy ran.", ["ate"], "1. Ann sang.\n1. Cy ran."),
        ("- Ann sang.\n  - Bo ate 2.\n- Cy ran.", ["ate"], "- Ann sang.\n- Cy ran."),
        ("• Ann sang.\n• Bo ate 2.\n• Cy ran.", ["ate"], "• Ann sang.\n• Cy ran."),
        (
            "| City | Land | Size |\n|---|---|---|\n| Oslo | Norway | 5 |\n| Rome | Peru | 3 |",
            ["Peru"],
            "| City | Land | Size |\n|---|---|---|\n| Oslo | Norway | 5 |\n| Rome |  | 3 |",
        ),
        (
            "| City | Land |\n|---|---|\n| Oslo | Norway |\n| Rome | Peru |\n| Bonn | Germany |",
            ["Peru"],
            "| City | Land |\n|---|---|\n| Oslo | Norway |\n| Bonn | Germany |",
        ),
        ("The prices are:\n\n|A|B|\n|-|-|\n|tea|9|\n\nAda died.", ["9"], "Ada died."),
        ("Ann sang.[^1] Bo ate 2.[^2]\n\n[^1]: A.\n[^2]: B.", ["ate"], "Ann sang.[^1]\n\n[^1]: A."),
        ("Ann sang.[^1] Bo ran.\n\n[^1]: Cy ate 2 pies.", ["pies"], "Ann sang. Bo ran."),
        ("**Ann sang. Bo ate 2.** Cy ran.", ["ate"], "**Ann sang.** Cy ran."),
        ("Ann [sang. It](http://x.y) was loud. Bo ate 2.", ["loud"], "Bo ate 2."),
        ("> Ann sang.\n> Bo ate 2.\n>\n> Cy ran.", ["ate"], "> Ann sang.\n>\n> Cy ran."),
        ("Ann sang.<br>Bo ate 2.<br/>Cy ran.", ["ate"], "Ann sang.<br>Cy ran."),
        ("Bo ate 2.<br>\nAnn sang.<br>\nCy ate 3.", ["ate"], "Ann sang."),
        ("Ann sang. Bo ate 2.<br />Cy ran.", ["ate"], "Ann sang.<br />Cy ran."),
        ("Ann <b>sang</b>. <i>Bo ate 2.</i> Cy ran.", ["ate"], "Ann <b>sang</b>. Cy ran."),
        ("<b>Ann sang. Bo ate <i>2</i>.</b> Cy ran.", ["ate"], "<b>Ann sang.</b> Cy ran."),
        ("<b>Ann sang. Bo ate 2. Cy <u>ran.", ["ate"], "<b>Ann sang. Cy <u>ran."),
        ('Ann <a href="b>c">sang. It</a> was loud. Bo ate.', ["loud"], "Bo ate."),
        ("> Ann sang. 1 <b>></b> 0.<br>\n> Bo ate 2.", ["ate"], "> Ann sang. 1 <b>></b> 0."),
        ("- [x] Bo ate 2. Ann sang.\n- [ ] Cy ran.", ["ate"], "- Ann sang.\n- [ ] Cy ran."),
        ("- [x] Bo ate 2.\n- [ ] Cy ran.", ["ate"], "- [ ] Cy ran."),
        (
            "Ann sang [a song][s].\n\nBo ate 2.\n\n[s]: x",
            ["ate"],
            "Ann sang [a song][s].\n\n[s]: x",
        ),
        (f"Ann sang. Bo ate 2. {IMAGE} Cy ran.", ["ate"], f"Ann sang. {IMAGE} Cy ran."),
        (f"Bo ate 2. Ann sang a song:\n\n{FENCE}\n", ["ate"], f"Ann sang a song:\n\n{FENCE}\n"),
        (
            f"{WRAPPED}\nglad. She ate\nhot pies. Bo ran.",
            ["pies"],
            f"{WRAPPED}\nglad. Bo ran.",
        ),
    ],
)
def test_what_goes_leaves_whole_markdown(draft, words, response):
    assert drop(draft, *words) == (response, [])


def test_blocks_of_html_stay_byte_for_byte_and_keep_their_heading():
    page = "<p>Ann sang in <b>1936</b>.</p><p>Bo ate 2.</p>"
    draft = f"Bo ate 2.\n\n# Ann\n\nBo ate 3.\n\n{page}\n\nCy ran."
    assert drop(draft, "ate") == (f"# Ann\n\n{page}\n\nCy ran.", [])


@pytest.mark.parametrize(
    "draft", ["It opened in `1936`.", "It opened in $1936$.", "It opened in <code>1936</code>."]
)
def test_code_and_formulas_in_sentences_are_not_edited(draft):
    [claim] = extract(QUESTION, draft)
    fix = Fix(claim=claim.id, text=claim.text.replace("1936", "1937"))
    edits, [note] = revise(QUESTION, draft, [claim], [fix])
    assert edits == []
    assert "dropped: it changes code" in note


def test_a_false_number_is_mended_in_its_cell():
    draft = "| City | Height (m) | Lifts |\n|---|---|---|\n| Ulm | 161 | 12 |\n| Bonn | 60 | 14 |"
    claims = extract(QUESTION, draft)
    text = "Ulm is 161 m high and has 17 lifts. Bonn has a height of 66 m and 14 lifts."
    fixes = correct(QUESTION, claims, [Document(id="d", text=text)])
    edits, notes = revise(QUESTION, draft, claims, fixes)
    assert (apply_edits(draft, edits), notes) == (
        draft.replace("| 12 |", "| 17 |").replace("| 60 |", "| 66 |"),
        [],
    )


@pytest.mark.parametrize(
    ("start", "end", "after", "kept"),
    [
        (4, 15, "<b>ran</b>", True),
        (4, 15, "ran", False),
        (7, 11, "hid", True),
        (4, 7, "", False),
        (5, 5, "i", False),
        (11, 15, " ", False),
        (15, 15, " well", True),
        (4, 4, "often ", True),
    ],
)
def test_edits_leave_tags_whole(start, end, after, kept):
    draft = "Ann <b>sang</b> to Bo."
    edit = Edit(start=start, end=end, before=draft[start:end], after=after)
    edits, notes = tidy(QUESTION, draft, [edit])
    assert (edits == [edit], len(notes)) == (kept, not kept)


@pytest.mark.parametrize(
    ("draft", "word"),
    [
        ("Ada met Bob and Carl. The former was a king. Ada died.", "met"),
        ("Ada wrote a program. This made her famous. Ada died.", "program"),
        ("Ada died in 1852. Bo moved to Rome in 1840. Ever since, he sang.", "moved"),
        ("Ada sang. Two cars were built. Another was lost. Bo died.", "built"),
        ("Ada was born in Rome. However, she wrote notes.", "Rome"),
        ("The museum was built by elves. It closes in May.", "elves"),
        ("Mars has 9 moons. Unlike Earth, it is red.", "moons"),
        ("Boris Ek met Carl Holm and Jonas Berg. He was a king. Bo died.", "met"),
        ("Bo sang. Boris and Carl Ek met. He was a king.", "met"),
        ("Bo sang. He wrote a novel. It won prizes in 1900.", "novel"),
        ("The council bought a factory. It makes shoes.", "bought"),
        ("Some parts were lost. They are sought by 9 people.", "lost"),
        ("Ada sang. In 1840 she wrote two works:\n\n- a march\n- a waltz", "works"),
        ("Ada sang.\n\n- Bo ate 2 pies.\n  - Cy ran.\n- Di slept.", "pies"),
        ("1. Ada sang.\n2. Bo ran.\n\nCy ate 2 pies.\n\n1. Di slept.", "pies"),
    ],
)
def test_what_the_rest_needs_stays_with_a_note(draft, word):
    response, notes = drop(draft, word)
    assert response == draft
    assert "has no support and stays in the draft" in notes[0]


@pytest.mark.parametrize(
    ("draft", "word", "response"),
    [
        ("The tea is hot. Ann Lee made 2 pies. She ran.", "pies", "The tea is hot. Ann Lee ran."),
        ("Rex Ek is a Peruvian cook. His pies won.", "Peru", "Rex Ek's pies won."),
        ("Bo sang. He ate 2 pies. He ran.", "pies", "Bo sang. He ran."),
        ("Ada won, but she lost a case.", "none", "Ada won, but she lost a case."),
    ],
)
def test_a_pronoun_whose_name_is_gone_becomes_the_name(draft, word, response):
    assert drop(draft, word, question="") == (response, [])


@pytest.mark.parametrize(
    "draft",
    ["Hello! Ada ate 2 pies. Anything else?", "# Ada\n\nAda ate 2 pies.", f"Ada ate 2.\n\n{FENCE}"],
)
def test_remnants_are_no_response(draft):
    assert drop(draft, "ate") == (draft, [UNSUPPORTED])


@pytest.mark.parametrize(
    "aside",
    [
        IMAGE,
        f"\n\n{'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo' * 200}\n\n",
        f"\n\n{FENCE}\n\n",
        f"\n\n{FORMULA}\n\n",
        "\n\n\\[\nx = 0\n\\]\n\n",
        f"\n\n{COMMENT}\n\n",
        f"Oh no! {COMMENT}",
        "\n\n<script>\nAda kept 0 bees.\n</script>\n\n",
    ],
)
def test_data_code_formulas_and_comments_are_no_claims_and_stay(aside):
    draft = f"Ada Lovelace ate 2 pies. {aside} Ada wrote notes. She died in 1852."
    claims = extract(QUESTION, draft)
    texts = ["Ada Lovelace ate 2 pies.", "Ada wrote notes.", "Ada Lovelace died in 1852."]
    assert [claim.text for claim in claims] == texts
    assert drop(draft, "pies")[0].split() == f"{aside} Ada wrote notes. She died in 1852.".split()


class Writer:
    """Writes blocks of markdown from sentences that each have a number of their own."""

    def __init__(self, draw):
        self.draw = draw
        self.sentences = []

    def sentence(self):
        text = self.draw(st.sampled_from(SENTENCES)).format(n=len(self.sentences) + 10)
        self.sentences.append(text)
        return text

    def paragraph(self, joint=" "):
        return joint.join(self.sentence() for _ in range(self.draw(st.integers(1, 3))))

    def line(self):
        return self.paragraph().replace("\n", " ")

    def quotation(self):
        return "> " + self.paragraph("\n").replace("\n", "\n> ")

    def items(self, mark="-"):
        return "\n".join(f"{mark} {self.line()}" for _ in range(self.draw(st.integers(1, 4))))

    def numbered(self, indent=""):
        count = self.draw(st.integers(1, 4))
        return "\n".join(f"{indent}{n}. {self.line()}" for n in range(1, count + 1))

    def introduced(self):
        return f"The facts are:\n\n{self.items('*')}"

    def nested(self):
        return f"1. {self.line()}\n{self.numbered('   ')}\n2. {self.line()}"

    def table(self):
        count = self.draw(st.integers(1, 3))
        rows = "\n".join(f"| Row {n} | {self.line()} | {self.line()} |" for n in range(count))
        return f"| Name | One | Two |\n| --- | --- | --- |\n{rows}"

    def note(self):
        label = len(self.sentences)
        return f"{self.sentence()}[^{label}] {self.sentence()}\n\n[^{label}]: {self.line()}"

    def illustrated(self):
        return f"{self.sentence()} {IMAGE} {self.sentence()}"

    def heading(self):
        return self.draw(st.sampled_from(["## A heading", "### A heading below"]))

    def aside(self):
        return self.draw(st.sampled_from([FENCE, IMAGE, COMMENT, FORMULA, "---"]))


KINDS = (
    "paragraph quotation items numbered introduced nested table note illustrated heading aside"
).split()


@pytest.mark.parametrize(
    ("before", "after", "response", "noted"),
    [
        ("print('Ada", "print('Bo", None, True),
        ("They say", "Some say", f"Some say 9.\n\n{FENCE}\n\nBo ran. Cy slept.", False),
        (f"They say 9.\n\n{FENCE}\n\nBo ran. ", "", f"{FENCE}\n\nCy slept.", False),
        (f"{FENCE}\n\n", "", None, True),
        (".\n\n```py", "", None, True),
    ],
)
def test_edits_of_a_model_leave_code_alone(before, after, response, noted):
    draft = f"They say 9.\n\n{FENCE}\n\nBo ran. Cy slept."
    start = draft.index(before)
    edit = Edit(start=start, end=start + len(before), before=before, after=after)
    edits, notes = tidy("", draft, [edit])
    assert apply_edits(draft, edits) == (response or draft)
    assert any("changes code" in note for note in notes) == noted


@st.composite
def drafts(draw):
    """A draft in markdown, and its sentences."""
    writer = Writer(draw)
    blocks = [
        getattr(writer, kind)() for kind in draw(st.lists(st.sampled_from(KINDS), max_size=6))
    ]
    return "\n\n".join(["# Title", *blocks, "Ada Lovelace wrote notes."]), writer.sentences


@settings(max_examples=80, deadline=None)
@given(drafts(), st.data())
def test_whatever_goes_the_rest_is_whole_and_verbatim(case, data):
    draft, sentences = case
    gone = data.draw(st.sets(st.sampled_from(sentences))) if sentences else set()
    response, notes = drop(draft, *(number(text) for text in gone))
    assert all(response.count(aside) == draft.count(aside) for aside in (FENCE, IMAGE, COMMENT))
    for text in set(sentences) - gone:
        assert has(response, text) or lost_its_note(draft, text, gone)
    if UNSUPPORTED not in notes:
        stay = sum("stays in the draft" in note for note in notes)
        assert stay or not any(plain(text) in plain(response) for text in gone)
        check_structure(draft, response)


def has(response, text):
    """Whether a sentence is there verbatim, but for a pronoun that became a name."""
    named = re.sub(r"(?i)\b(?:she|he|it)\b", r"[\\w ]+", re.escape(plain(text)), count=1)
    return plain(text) in plain(response) or re.search(named, plain(response))


def number(text):
    """What stands in this sentence and in no other."""
    return re.search(r"(?:bee|tower|paint\(n_|king|town|prizes) ?\d+", text).group()


def plain(text):
    return " ".join(re.sub(r"[>\s]+", " ", text).split())


def lost_its_note(draft, text, gone):
    """Whether a sentence stands in a footnote to a sentence that goes."""
    note = re.search(r"\[\^(\d+)\]: [^\n]*" + re.escape(plain(text)), draft)
    return note and any(f"{plain(other)}[^{note[1]}]" in plain(draft) for other in gone)


def check_structure(draft, response):
    """No empty item, heading, table; footnotes with their marks."""
    before, after = tokens(draft), tokens(response)
    kinds = [token.type for token in after]
    empty = {("list_item_open", "list_item_close"), ("tbody_open", "tbody_close")}
    assert not empty & set(pairwise(kinds))
    assert ("table_open" in kinds) <= ("tbody_open" in kinds)
    assert len(empty_headings(after)) <= len(empty_headings(before))
    assert not re.search(r"facts are:\n\n(?!\*)", response)
    marks, notes = (
        set(re.findall(r"\[\^\d+\](?!:)", response)),
        set(re.findall(r"\[\^\d+\](?=:)", response)),
    )
    assert marks == notes


def tokens(text):
    return (
        MarkdownIt("commonmark").enable("table").use(footnote_plugin, move_to_end=False).parse(text)
    )


def empty_headings(parsed):
    """Headings with nothing between them and the next one of their level, or the end."""
    marks = [
        (t.tag if t.type == "heading_open" else "")
        for t in parsed
        if (t.level == 0 and t.nesting == 1) or t.type in ("fence", "html_block")
    ]
    pairs = pairwise([*marks, "h1"])
    return [a for a, b in pairs if a and b and b <= a]
