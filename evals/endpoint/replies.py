"""What the simulated model replies to each of our templates, made from the request alone.

A reply has the template's form and goes by the words of the texts in its tagged blocks, so that a
run takes the path that it takes with a capable model; what it decides says nothing about quality.
Replies have a maker by stem (`rac/correct`, also for `rac/correct.drop`) or by step (`generate`);
for all others it is an answer.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from zlib import crc32

from errata.core.errors import PromptError
from errata.evals.endpoint.matching import (
    clauses_of,
    find_nearest,
    find_sentence,
    mend,
    read_numbered,
    sentences_of,
    tell_apart,
    words_of,
)
from errata.evals.endpoint.people import people, person_in
from errata.methods import METHODS
from errata.prompts.library import load_prompt, stem_of

_LINE = re.compile(r"\[\d+\]")
UNKNOWN = "Nothing is known of that."
_CAPITALISED = re.compile(r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_ASKING = frozenset({"Is", "Who", "What", "When", "Where", "Which"})
_BLOCK = re.compile(r"^<(\w+)(?: \w+)?>\n(.*?)\n?^</\1(?: \w+)?>$", re.MULTILINE | re.DOTALL)
_SUBJECTS = ("claims", "claim", "sentence", "statement", "draft", "question")
"""The blocks that hold what is to be judged or rewritten, the likeliest first."""
_NO_EVIDENCE = frozenset({*_SUBJECTS, "errors", "chat", "answer_form"})


@dataclass(frozen=True)
class Asked:
    """What one request asks."""

    form: str
    """What the template's front matter says of the reply, in small letters."""
    blocks: Mapping[str, str]
    """The texts by their tags."""

    @classmethod
    def read(cls, form: str, text: str) -> "Asked":
        """Read a filled template; a text without tagged blocks is a question."""
        return cls(form, dict(_BLOCK.findall(text)) or {"question": text})

    @cached_property
    def subject(self) -> str:
        """What is to be judged or rewritten."""
        return next((self.blocks[tag] for tag in _SUBJECTS if tag in self.blocks), "")

    @cached_property
    def draft(self) -> str:
        """The text to correct."""
        return self.blocks.get("draft", self.subject)

    @cached_property
    def question(self) -> str:
        """What is to be answered."""
        return self.blocks.get("question", self.subject)

    @cached_property
    def evidence(self) -> str:
        """What texts are judged by."""
        return "\n".join(text for tag, text in self.blocks.items() if tag not in _NO_EVIDENCE)

    def judge(self, claim: str) -> str:
        """The label that the evidence gives a claim.

        A clause is supported if all its words stand in one clause of the evidence, refuted if
        more than half of them do. One that is refuted makes the claim so.
        """
        found = [find_nearest(clause, self.evidence) for clause in clauses_of(claim)]
        if found and all(each.share == 1 for each in found):
            return "True"
        return "False" if any(each.contradicts for each in found) else "Not Mentioned"


Maker = Callable[[Asked], str]
"""Makes the reply to a request."""


def number_replies(asked: Asked, make: Callable[[str], str]) -> str:
    """A line for each numbered one of the subject: its number, and what is made of it."""
    return "\n".join(f"{number}: {make(line)}" for number, line in read_numbered(asked.subject))


def list_claims(asked: Asked) -> str:
    """The clauses of the draft, a sentence each."""
    return "\n".join(f"{clause}." for clause in clauses_of(asked.draft))


def list_questions(asked: Asked) -> str:
    """A question for each sentence of the draft."""
    return "\n".join(map(question_about, sentences_of(asked.draft)))


def question_about(sentence: str) -> str:
    """What asks whether a sentence is true."""
    return f"Is it so: {sentence.rstrip('.?!')}?"


def list_keywords(asked: Asked) -> str:
    """At most three names or long words of what is asked, parted by commas."""
    names = [name for name in _CAPITALISED.findall(asked.subject) if name not in _ASKING]
    words = sorted(words_of(asked.subject), key=lambda word: (-len(word), word))
    return ", ".join((names or words)[:3]) or asked.subject


def correct_each(asked: Asked) -> str:
    """A line a claim: number and claim, as the evidence has it."""
    return number_replies(asked, lambda claim: mend(claim, asked.evidence))


def correct_one(asked: Asked) -> str:
    """One claim, as the evidence has it."""
    return mend(asked.subject, asked.evidence)


def mend_each(asked: Asked) -> str:
    """A line a sentence: number, full stop and the sentence, by the facts of the same number.

    Where the form is one sentence, that alone.
    """
    if "line a" not in asked.form:
        return correct_one(asked)
    facts = defaultdict[int, list[str]](list)
    for number, fact in read_numbered(asked.blocks.get("claims", "")):
        facts[number].append(fact)
    rows = read_numbered(asked.draft)
    mended = ((number, mend(text, "\n".join(facts[number]))) for number, text in rows)
    return "\n".join(f"{number}. {text}" for number, text in mended)


def revise(asked: Asked) -> str:
    """The draft, mended by explained errors, by claims and by evidence."""
    draft = asked.draft
    errors = asked.blocks.get("errors", "")
    for wrong, right in re.findall(r'"(.+?)" -> "?(.+?)"?(?: [(\[].*)?$', errors, re.MULTILINE):
        draft = draft.replace(wrong, right)
    return mend(draft, f"{asked.blocks.get('claims', '')}\n{asked.evidence}")


def write(asked: Asked) -> str:
    """A biography, always the same for the same question."""
    everyone = people()
    other = everyone[crc32(asked.question.encode()) % len(everyone)]
    return (person_in(asked.question) or other).draft


def answer(asked: Asked) -> str:
    """The sentence of the evidence that is nearest to the question; its origin, if asked."""
    text = find_sentence(asked.question, asked.evidence) or UNKNOWN
    reasons = "The passages were read.\n" if "reason" in asked.form else ""
    start = "Answer: " if "answer:" in asked.form else ""
    return f"{reasons}{start}{text}" + ("\nFrom: knowledge" if "from" in asked.form else "")


def verify(asked: Asked) -> str:
    """A line a claim: label, document, words in doubt and a quote, as far as the form has them.

    Where the form has right words, too, they are the evidence's in the same place.
    """

    def judge(claim: str) -> str:
        label = asked.judge(claim)
        if "brackets" not in asked.form or label == "True":
            return label + " [1]" * ("brackets" in asked.form)
        nearest = find_nearest(claim, asked.evidence).text
        wrong, right = tell_apart(claim, nearest)
        if label == "Not Mentioned":
            return f"{label} | {wrong}"
        wrong += f" -> {right}" * ("->" in asked.form)
        return f"{label} [1] | {wrong} | {nearest}"

    return number_replies(asked, judge)


def explain(asked: Asked) -> str:
    """A numbered line an error of the draft, with the evidence's line if these have numbers."""
    lines = list[str]()
    rows = asked.evidence.splitlines()
    for clause in clauses_of(asked.draft):
        nearest = find_nearest(clause, asked.evidence)
        if nearest.contradicts:
            wrong, right = tell_apart(clause, nearest.text)
            row = next((row for row in rows if nearest.text in row), "")
            shown = _LINE.match(row) if "[" in asked.form else None
            change = f'"{right}" {shown[0]}' if shown else f"{right} (answer 1)"
            lines.append(f'{len(lines) + 1}. "{wrong}" -> {change}')
    left = ["Not shown: none"] * ("not shown" in asked.form)
    return "\n".join([*(lines or ["None"]), *left])


def explain_and_revise(asked: Asked) -> str:
    """The errors and the mended draft, under the form's headings."""
    errors = explain(asked).removesuffix("Not shown: none").strip()
    shown = ["Not shown:", "none"] * ("not shown" in asked.form)
    revised = mend(asked.draft, asked.evidence)
    return "\n".join(["Factual Errors:", errors, *shown, "Revised Response:", revised])


def evaluate(asked: Asked) -> str:
    """Whether the document shares words with the question."""
    shared = words_of(asked.question) & words_of(asked.blocks.get("document", ""))
    reasons = "The document was read.\n" if "reason" in asked.form else ""
    return reasons + ("yes" if shared else "no")


MAKERS: dict[str, Maker] = {
    "ask": list_questions,
    "extract": list_claims,
    "generate": lambda asked: answer(asked) if "knowledge" in asked.blocks else write(asked),
    "revise": revise,
    "revise.sentence": mend_each,
    "rewrite": list_keywords,
    "crag/evaluate": evaluate,
    "crag/generate.choice": lambda _: "Answer: A\nFrom: knowledge",
    "crag/generate.verdict": lambda _: "Answer: true\nFrom: knowledge",
    "rac/correct": lambda asked: (
        correct_each(asked) if "claims" in asked.blocks else correct_one(asked)
    ),
    "rac/verify": verify,
    "reex/explain": explain,
    "reex/explain_and_revise": explain_and_revise,
}
"""Makers of replies; the longest name counts, and a stem before a step."""


def reply_to(name: str, text: str) -> str:
    """The reply to a filled template, by its name; or to a text that is none of ours."""
    form, make = _maker_named(name)
    return make(Asked.read(form, text))


@cache
def _maker_named(name: str) -> tuple[str, Maker]:
    """A template's form and the maker of its replies."""
    try:
        METHODS.get(name.partition("/")[0])  # importing it makes its templates known
        stem, form = stem_of(name), load_prompt(name).head.reply.lower()
    except PromptError:
        return "", answer
    parts = stem.split(".")
    stems = [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
    names = [*stems, *(each.partition("/")[2] for each in stems)]
    return form, next((MAKERS[each] for each in names if each in MAKERS), answer)
