"""Marks after a repair: in any form and group, what was wrong is right, and the rest as it was."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from errata import cite
from errata.core.edits import apply_edits
from errata.core.records import Document
from errata.tools.models.scripted import FakeChat
from errata.tools.text.references import read_cited
from strategies import EXAMPLES

FACTS = {
    "Alder": "Alder hall was opened in 1911",
    "Brack": "The mill of Brack grinds barley",
    "Corran": "Corran sends its wool to the coast",
    "Dunmore": "Two bells hang in the school of Dunmore",
    "Eskdale": "Bakers of Eskdale rest on Mondays",
}
DOCUMENTS = [
    Document(title=f"Guide to {place}", text=f"{fact}.", url=f"https://h.test/{n}")
    for n, (place, fact) in enumerate(FACTS.items(), 1)
]


def listed(entry, head="", gap="\n"):
    return head + gap.join(entry.format(n, place) for n, place in enumerate(FACTS, 1))


RAISED = str.maketrans("12345", "¹²³⁴⁵")
NUMBERED = listed("{}. Guide to {}", "## References\n\n")
RULED = listed("[{}] Guide to {}", "---\n\n")
FORMS = {
    "numbers": (lambda own: f" [{', '.join(own)}]", NUMBERED),
    "a range": (lambda own: f" [{'-'.join(dict.fromkeys((own[0], own[-1])))}]", RULED),
    "apart": (lambda own: " " + " and ".join(f"[{n}]" for n in own), RULED),
    "defined": (lambda own: " " + "".join(f"[{n}]" for n in own), listed("[{}]: Guide to {}")),
    "raised": (lambda own: ",".join(own).translate(RAISED), NUMBERED),
    "notes": (lambda own: "".join(f"[^{n}]" for n in own), listed("[^{}]: Guide to {}")),
    "links": (
        lambda own: f" ({', '.join(f'[Guide to {place(n)}](https://h.test/{n})' for n in own)})",
        "",
    ),
    "authors": (
        lambda own: f" ({'; '.join(f'{place(n)}, 190{n}' for n in own)})",
        listed("{1}, A. (190{0}). Guide to {1}.", "## References\n\n", "\n\n"),
    ),
}
"""How a sentence cites sources by their numbers, and the list below."""


def place(number):
    return [*FACTS][int(number) - 1]


class Reader(FakeChat):
    """Finds a claim true by the document that has its words."""

    def answer(self, prompt, request, sample):  # noqa: ARG002  each prompt is that of verify
        documents, _, rest = request.partition("<claims>")
        claims = re.findall(r"(?m)^(\d+)\. (.*)$", rest.partition("</claims>")[0])
        where = {words: n for n, words in re.findall(r"\[(\d+)\] Guide.*\n(.*)", documents)}
        told = {c: f"True [{where[c]}]" if c in where else "Not Mentioned" for _, c in claims}
        return AIMessage("\n".join(f"{number}: {told[claim]}" for number, claim in claims))


@st.composite
def reports(draw):
    """A report, with each of its sentences the places that it cites, and the one that it is of."""
    form = draw(st.sampled_from([*FORMS]))
    (write, below), is_outside = FORMS[form], draw(st.booleans())
    text, told = "", []
    for name in draw(st.permutations([*FACTS]))[: draw(st.integers(2, 4))]:
        own = sorted(draw(st.sets(st.sampled_from("12345"), max_size=3)))
        if form == "a range" and own:
            own = [str(n) for n in range(int(own[0]), int(own[-1]) + 1)][: 1 + 2 * (len(own) > 1)]
        sentence, mark = FACTS[name], write(own) if own else ""
        text += f"{sentence}.{mark}" if is_outside else f"{sentence}{mark}."
        text += draw(st.sampled_from([" ", "\n\n", "\n\n- "]))
        told.append((f"{sentence}.", [*map(place, own)], name))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return f"{text}\n\n{below}".replace("\n", end), told


@EXAMPLES
@given(reports())
def test_after_repairs_each_sentence_cites_what_it_should_and_reads_as_before(report):
    draft, told = report
    known = {place for _, own, _ in told for place in own}
    assume(known)
    result = cite(draft, DOCUMENTS, roles={"verify": Reader()}, max_links=0)
    assert apply_edits(draft, result.edits) == result.response
    sentences, references = read_cited(result.response)
    called = {each.key: each.title.removeprefix("Guide to ") for each in references}
    is_listed = "https://" not in draft
    for sentence, (text, own, name) in zip(sentences, told, strict=True):
        is_mended = name in own or (len(own) < 2 and (is_listed or name in known))
        assert sentence.text == text
        assert sorted(called[key] for key in sentence.keys) == ([name] if is_mended else own)
