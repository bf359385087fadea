"""What the simulated model replies to each of our templates, made from the request alone.

A reply has the template's form and goes by the words of the texts in its tagged blocks, so that a
run takes the path that it takes with a capable model; what it decides says nothing about quality.
Replies have a maker by stem (`rac/correct`, also for
`rac/correct.drop`) or by step (`generate`); for all others it is an answer.
"""

import re
from collections.abc import Callable
from functools import cache

from errata.core.errors import PromptError
from errata.evals.endpoint.forms import (
    Asked,
    Maker,
    answer,
    correct_each,
    correct_one,
    list_claims,
    list_keywords,
    list_questions,
    mend_each,
    number_lines,
    revise,
    write,
)
from errata.evals.endpoint.matching import (
    clauses_of,
    find_nearest,
    mend,
    tell_apart,
    words_of,
)
from errata.methods import METHODS
from errata.prompts.library import load_prompt, stem_of

MAKERS: dict[str, Maker] = {
    "ask": list_questions,
    "extract": list_claims,
    "generate": lambda asked: answer(asked) if "knowledge" in asked.blocks else write(asked),
    "revise": revise,
    "revise.sentence": mend_each,
    "rewrite": list_keywords,
    "crag/generate.choice": lambda _: "Answer: A\nFrom: knowledge",
    "crag/generate.verdict": lambda _: "Answer: true\nFrom: knowledge",
    "rac/correct": lambda asked: (
        correct_each(asked) if "claims" in asked.blocks else correct_one(asked)
    ),
}
"""Makers of replies; the longest name counts, and a stem before a step."""


def maker(*names: str) -> Callable[[Maker], Maker]:
    """Have a function make the replies to templates of these stems or steps."""

    def add(make: Maker) -> Maker:
        MAKERS.update(dict.fromkeys(names, make))
        return make

    return add


_LINE = re.compile(r"\[\d+\]")


@maker("rac/verify")
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

    return number_lines(asked, judge)


@maker("reex/explain")
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


@maker("reex/explain_and_revise")
def explain_and_revise(asked: Asked) -> str:
    """The errors and the mended draft, under the form's headings."""
    errors = explain(asked).removesuffix("Not shown: none").strip()
    shown = ["Not shown:", "none"] * ("not shown" in asked.form)
    revised = mend(asked.draft, asked.evidence)
    return "\n".join(["Factual Errors:", errors, *shown, "Revised Response:", revised])


@maker("crag/evaluate")
def evaluate(asked: Asked) -> str:
    """Whether the document shares words with the question."""
    shared = words_of(asked.question) & words_of(asked.blocks.get("document", ""))
    reasons = "The document was read.\n" if "reason" in asked.form else ""
    return reasons + ("yes" if shared else "no")


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
