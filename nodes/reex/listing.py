"""How prompts show the answers: numbered, so that explanations can refer to them."""

from collections.abc import Mapping, Sequence

from errata.nodes.reex.state import Reex
from errata.records import Knowledge, SubAnswer
from errata.tools.local.explain import read_citations

NOT_FOUND = "nothing was found"
NOT_SHOWN = "what was found does not speak of this"
NOTHING = "none"


def list_answers(state: Reex) -> str:
    """The sub-questions with their answers below them; a strip that two share stands there once."""
    blocks = _blocks(state, [answer.evidence for answer in state.answers])
    if state.unasked:
        blocks.append("Nothing was looked up for:\n" + "\n".join(state.unasked))
    return "\n\n".join(blocks) or NOTHING


def list_cited(state: Reex) -> str:
    """The strips that the explanations rest on, under the questions that they cite."""
    texts = [explanation.text for explanation in state.explanations]
    numbers = {number for text in texts for number in read_citations(text, len(state.answers))}
    places = {(q.document, q.start) for e in state.explanations for q in e.evidence}
    evidence = [
        [s for s in answer.evidence if number in numbers and (s.document, s.start) in places]
        for number, answer in enumerate(state.answers, start=1)
    ]
    blocks = zip(_blocks(state, evidence), evidence, strict=True)
    return "\n\n".join(block for block, strips in blocks if strips) or NOTHING


def _blocks(state: Reex, evidence: Sequence[Sequence[Knowledge]]) -> list[str]:
    """A numbered block for each sub-question; a strip that stands above is referred to."""
    titles = {document.id: document.title for document in state.documents}
    shown = dict[tuple[str, int], int]()
    blocks = []
    for number, (answer, strips) in enumerate(zip(state.answers, evidence, strict=True), start=1):
        first = [shown.setdefault((s.document, s.start), number) for s in strips]
        new = [s for s, place in zip(strips, first, strict=True) if place == number]
        lines = [_line(strip, titles) for strip in new]
        lines += [f"see answer {place}" for place in sorted({*first} - {number})]
        blocks.append("\n".join([f"{number}. {answer.question}", *(lines or [_lack(answer)])]))
    return blocks


def _line(strip: Knowledge, titles: Mapping[str, str]) -> str:
    title, text = titles[strip.document], " ".join(strip.text.split())
    return f"[{title}] {text}" if title else text


def _lack(answer: SubAnswer) -> str:
    return NOT_SHOWN if answer.found else NOT_FOUND
