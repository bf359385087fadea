"""What the simulated model replies to each of our templates, made from the request alone.

A reply has the template's form and goes by the words of the texts in its tagged blocks, so that a
run takes the path that it takes with a capable model; what it decides says nothing about quality.
Replies have a maker here, or one that the method declares, by stem (`rac/correct`, also for
`rac/correct.drop`) or by step (`generate`); for all others it is an answer.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from errata.core.errors import PromptError
from errata.evals.endpoint.forms import (
    UNKNOWN,
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
    question_about,
    revise,
    write,
)
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
from errata.evals.endpoint.people import SURNAMES, person_in
from errata.methods import METHODS
from errata.prompts.library import load_prompt, stem_of

MAKERS: dict[str, Maker] = {
    "ask": list_questions,
    "extract": list_claims,
    "generate": lambda asked: answer(asked) if "knowledge" in asked.blocks else write(asked),
    "revise": revise,
    "revise.sentence": mend_each,
    "rewrite": list_keywords,
    "cove/ask": lambda asked: "\n".join(
        f"{each} | {question_about(each)}" for each in sentences_of(asked.draft)
    ),
    "cove/revise": lambda asked: mend(asked.draft, asked.evidence),  # the claims are its own
    "crag/generate.choice": lambda _: "Answer: A\nFrom: knowledge",
    "crag/generate.verdict": lambda _: "Answer: true\nFrom: knowledge",
    "critic/correct": revise,
    "ever/verify": lambda asked: (
        f"The texts were compared.\nDecision: {asked.judge(asked.subject).title()}"
    ),
    "ever/verify.answer": answer,
    "factool/query": lambda asked: f"{question_about(asked.subject)}\n{asked.subject.rstrip('.')}",
    "plain/generate": answer,
    "rac/correct": lambda asked: (
        correct_each(asked) if "claims" in asked.blocks else correct_one(asked)
    ),
    "rarr/revise.agree": lambda asked: (
        f"Both were read.\n{asked.judge(find_sentence(asked.question, asked.draft))}"
    ),
    "selfrag/decide": lambda _: "Retrieve: yes",
    "selfrag/generate": answer,
}
"""Makers of replies; the longest name counts, and a stem before a step."""


def maker(*names: str) -> Callable[[Maker], Maker]:
    """Have a function make the replies to templates of these stems or steps."""

    def add(make: Maker) -> Maker:
        MAKERS.update(dict.fromkeys(names, make))
        return make

    return add


_CONSISTENCY = {
    "consistent": "CONSISTENT. {claim}",
    "inconsistent": "INCONSISTENT.",
    "not told": "NOT TOLD.",
}
_NONE_LEFT = re.compile(r"left: 0\b")
_LINE = re.compile(r"\[\d+\]")
_CONCEPT = re.compile(r"\d+|[A-Z]\w+")


@maker("rac/verify")
def verify(asked: Asked) -> str:
    """A line a claim: label, document, words in doubt and a quote, as far as the form has them.

    Where the form has right words, too, they are the evidence's in the same place.
    """

    def judge(claim: str) -> str:
        label = asked.judge(claim).title()
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


@maker("cove/answer")
def answer_shortly(asked: Asked) -> str:
    """CoVE: an answer, or that the documents do not tell."""
    reply = answer(asked)
    return "not told" if reply == UNKNOWN and "not told" in asked.form else reply


@maker("cove/cross_check")
def cross_check(asked: Asked) -> str:
    """CoVE: whether a claim is consistent with its answer; a line each where they are numbered."""
    if "claims" not in asked.blocks:
        return _CONSISTENCY[asked.judge(asked.subject)].format(claim=asked.subject)
    told = {n: text.partition("? ")[2] for n, text in read_numbered(asked.blocks["answers"])}
    rows = read_numbered(asked.subject)
    pairs = [(n, replace(asked, blocks={"claim": c, "answers": told.get(n, "")})) for n, c in rows]
    return "\n".join(f"{number}: {cross_check(pair)}" for number, pair in pairs)


@maker("rarr/revise.edit")
def edit(asked: Asked) -> str:
    """RARR: the wrong words, and the whole draft without them."""
    said = find_sentence(asked.question, asked.draft)
    mended = mend(said, asked.evidence)
    wrong, _ = tell_apart(said, mended)
    return f'"{wrong}" is wrong.\nFix: {asked.draft.replace(said, mended)}'


@maker("factool/verify")
def rate(asked: Asked) -> str:
    """FacTool: reasoning, error, correction and factuality, a line each."""
    nearest = find_nearest(asked.subject, asked.evidence)
    error, right = "None", "None"
    label = "True" if nearest.share == 1 else "Not Mentioned"
    if nearest.contradicts:
        wrong, _ = tell_apart(asked.subject, nearest.text)
        error, right, label = f'"{wrong}" is wrong', f"{nearest.text}.", "False"
    lines = ("Reasoning: the texts were compared", f"Error: {error}", f"Correction: {right}")
    return "\n".join((*lines, f"Factuality: {label}"))


@maker("ever/generate")
def continue_text(asked: Asked) -> str:
    """EVER: the next sentence, or that the answer is complete."""
    person = person_in(asked.question)
    written = len(sentences_of(asked.blocks.get("draft", "")))
    text = sentences_of(person.draft if person else asked.evidence)
    return text[written] if written < len(text) else "Done"


@maker("ever/verify.questions")
def ask_about_concepts(asked: Asked) -> str:
    """EVER: a line a number or name of a sentence but for the person's: it, a question, a claim."""
    sentence = asked.blocks.get("claim", "")
    found = dict.fromkeys(_CONCEPT.findall(sentence))
    concepts = [each for each in found if each.lower() not in SURNAMES] or [sentence]
    rows = (
        (concept, next((each for each in clauses_of(sentence) if concept in each), sentence))
        for concept in concepts
    )
    return "\n".join(f"{concept} | {question_about(text)} | {text}." for concept, text in rows)


@maker("critic/verify")
def criticise(asked: Asked) -> str:
    """CRITIC: a critique with the next query, or with the problems once everything was found."""
    found = {each: find_nearest(each, asked.evidence) for each in clauses_of(asked.draft)}
    unknown = next((each for each, nearest in found.items() if not nearest.close), "")
    if unknown and not _NONE_LEFT.search(asked.evidence):
        return f"Plausibility: yes.\nTruthfulness: something is unknown.\nSearch: {unknown}"
    wrong = [tell_apart(each, near.text) for each, near in found.items() if near.contradicts]
    problems = [
        f'{n}. "{old}": the evidence says {new}' for n, (old, new) in enumerate(wrong, start=1)
    ]
    last = [f"Answer: {revise(asked)}"] * bool(problems and "answer" in asked.form)
    return "\n".join(["Plausibility: yes.", "Problems:", *(problems or ["none"]), *last])


@maker("selfrag/generate.passage")
def answer_by_passage(asked: Asked) -> str:
    """Self-RAG: an answer by one passage, and labels of both."""
    found = answer(asked)
    known = found != UNKNOWN
    labels = ("yes", "fully", 5) if known else ("no", "no", 1)
    relevant, supported, useful = labels
    return f"Relevant: {relevant}\nAnswer: {found}\nSupported: {supported}\nUseful: {useful}"


def reply_to(name: str, text: str) -> str:
    """The reply to a filled template, by its name; or to a text that is none of ours."""
    form, make = _maker_named(name)
    return make(Asked.read(form, text))


@cache
def _maker_named(name: str) -> tuple[str, Maker]:
    """A template's form and the maker of its replies."""
    try:
        method = METHODS.get(name.partition("/")[0])  # importing it makes its templates known
        stem, form = stem_of(name), load_prompt(name).head.reply.lower()
    except PromptError:
        return "", answer
    parts = stem.split(".")
    stems = [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
    names = [*stems, *(each.partition("/")[2] for each in stems)]
    makers = MAKERS | dict(method.makers if method else {})
    return form, next((makers[each] for each in names if each in makers), answer)
