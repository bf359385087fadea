"""Verdicts by local code or by a model, on each claim alone or on many in one reply."""

import re
from asyncio import to_thread
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from errata.core.errors import count
from errata.core.records import INCONCLUSIVE, Claim, Verdict, VerdictLabel
from errata.nodes.ask import ask_all, ask_role, is_taken_back, number_lines
from errata.nodes.claims import judge_in_batches, judge_locally, unchecked, within_limit
from errata.nodes.settings import role_of
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import note
from errata.tools.judges.verifier import NO_DOCUMENT, attach_quotes

Values = Mapping[str, str]
"""What a prompt's variables stand for."""
Read = Callable[[str, Values], tuple[VerdictLabel, str]]
"""Finds in a reply, by what was asked, the label and the explanation."""
_LEAD = re.compile(r"\W{0,9}(?:\w{1,20}\W{0,3}:)?\W{0,9}")
"""What may stand before a reply's label."""
_TOWARDS = (
    r"\W{0,20}(?:\b(?:so|thus|therefore|the|my|final|decision|answer|label|verdict|it|this|statement"
    r"|claim|is)\b\W{0,9})*"
)
_OF_WHAT = r"(?: (?:to|with) the (?:text|passage|question))?"
"""What may stand before and after a label that ends a reply."""
_MARK = re.compile(
    r"^[^\w\n]*(?:(?:statement|claim|fact|answer)[^\S\n]*)?#?(\d{1,4})"
    r"[^\w\n]{0,4}?[.:)|\]：](?!\W*\d)",
    re.IGNORECASE | re.MULTILINE,
)
"""The number that opens a claim's line; one before another number may be of either."""
_BLANK = re.compile(r"\n\s*\n")
CLAIMS_PER_CALL = 50
"""How many claims a model judges in one call; more take several calls at once."""


async def judge_claims(
    state: CorrectionState,
    context: CorrectionContext,
    template: str,
    requests: Mapping[str, Values],
    read: Read,
) -> list[Verdict]:
    """A verdict on each claim, from local code, or from a model's reply on that claim alone.

    The role is the template's step. `requests` are a prompt's values by claim; a claim without any
    has no evidence and is unchecked. By a version of the template whose reply is a line a claim,
    one call is about many of them.
    """
    role = role_of(template)
    claims, rest = within_limit(state.claims, context)
    if not context.by_model(role):
        verdicts = await judge_locally(state, context, role, claims, state.documents)
    else:
        asked = {claim.id: requests[claim.id] for claim in claims if claim.id in requests}
        now = [claim for claim in claims if claim.id in asked]
        if context.template(template).head.reply.startswith("a line a"):
            judge = partial(_judge_together, context, role, template, asked, read)
            found = await judge_in_batches(context, template, now, CLAIMS_PER_CALL, judge)
        else:
            found = await _judge_each(context, role, template, asked, read)
        judged = {verdict.claim: verdict for verdict in found}
        verdicts = [judged.get(v.claim, v) for v in unchecked(claims, NO_DOCUMENT)]
        verdicts = await to_thread(attach_quotes, claims, verdicts, state.documents)
    return [*verdicts, *rest]


async def _judge_each(
    context: CorrectionContext, role: str, template: str, requests: Mapping[str, Values], read: Read
) -> list[Verdict]:
    """A model's verdict on each claim; unchecked where it fails."""
    consequences = [f"claim {claim} was not judged" for claim in requests]
    replies = await ask_all(context, role, template, list(requests.values()), consequences)
    verdicts = list[Verdict]()
    for (claim, values), reply in zip(requests.items(), replies, strict=True):
        if reply.failure:
            verdicts.append(Verdict(claim=claim, label="unchecked", explanation=str(reply.failure)))
        else:
            label, explanation = read(reply.text, values)
            verdicts.append(Verdict(claim=claim, label=label, explanation=explanation))
    if unread := sum(verdict.label == "unreadable" for verdict in verdicts):
        note(f"{count(unread, 'reply')} to {context.template(template).tag} held no verdict")
    return verdicts


async def _judge_together(
    context: CorrectionContext,
    role: str,
    template: str,
    requests: Mapping[str, Values],
    read: Read,
    claims: Sequence[Claim],
    _: bool,  # they are asked about again in the same words
) -> dict[Claim, Verdict]:
    """A model's verdicts in one reply, by what it says under each claim's number."""
    asked = [requests[claim.id] for claim in claims]
    lost = f"{len(claims)} claims were not judged"
    reply = await ask_role(context, role, template, if_failed=lost, **join_values(asked))
    if reply.failure:
        return dict(zip(claims, unchecked(claims, str(reply.failure)), strict=True))
    texts = read_numbers(reply.text, len(claims))
    verdicts = dict[Claim, Verdict]()
    for number, (claim, values) in enumerate(zip(claims, asked, strict=True), start=1):
        label, explanation = _read_all(texts.get(number, [""]), values, read)
        verdicts[claim] = Verdict(claim=claim.id, label=label, explanation=explanation.strip())
    return verdicts


def join_values(rows: Sequence[Values]) -> Values:
    """The values of one prompt about many claims, each text a numbered line.

    The claims are called `claims`; what else is known of each is one line, named as its last value.

    >>> join_values([{"claim": "Ada sang.", "question": "Did Ada sing?", "answers": "No."}])
    {'claims': '1. Ada sang.', 'answers': '1. Did Ada sing? No.'}
    """
    others = [" ".join(text for name, text in row.items() if name != "claim") for row in rows]
    claims = number_lines(row["claim"] for row in rows)
    return {"claims": claims, list(rows[0])[-1]: number_lines(others)}


def _read_all(texts: Sequence[str], values: Values, read: Read) -> tuple[VerdictLabel, str]:
    """What the last readable of some texts says; unreadable if their labels disagree."""
    found = [read(text, values) for text in texts]
    readable = [each for each in found if each[0] != "unreadable"]
    agree = len({label for label, _ in readable}) == 1
    return readable[-1] if agree else ("unreadable", found[-1][1])


def read_numbers(reply: str, count: int) -> dict[int, list[str]]:
    r"""What a reply says under each number from 1, up to a blank line; several texts if it repeats.

    Where one is expected, a reply without numbers is about that one.

    >>> read_numbers("Here:\n1: TRUE\n**Claim 2:** FALSE.\nIt was 1867.", 3)
    {1: ['TRUE'], 2: ['** FALSE.\nIt was 1867.']}
    """
    _, *parts = _MARK.split(reply)
    if count == 1 and not parts:
        return {1: [reply]}
    texts = dict[int, list[str]]()
    for number, text in zip(map(int, parts[::2]), parts[1::2], strict=True):
        if 1 <= number <= count:
            texts.setdefault(number, []).append(_BLANK.split(text, maxsplit=1)[0].strip())
    return texts


def read_first_label(reply: str, labels: Mapping[str, VerdictLabel]) -> VerdictLabel:
    """The label of the word that opens a reply; `unreadable` if none does, or if several disagree.

    >>> read_first_label("**False**. It was 1867.", {"true": "supported", "false": "refuted"})
    'refuted'
    """
    words = sorted(labels, key=len, reverse=True)
    spelled = "|".join(word.replace(" ", r"[\s_-]*") for word in words)
    found = list(re.finditer(rf"(?<!\w)(?:{spelled})\b", reply, re.IGNORECASE))
    if not (found and _LEAD.fullmatch(reply, 0, found[0].start())):
        return "unreadable"
    if any(is_taken_back(reply, match.end()) for match in found):
        return "unreadable"
    by_letters = {word.replace(" ", ""): label for word, label in labels.items()}
    read = {by_letters[re.sub(r"[\s_-]", "", match[0].lower())] for match in found}
    return read.pop() if len(read) == 1 else "unreadable"


def read_last_label(reply: str, labels: Mapping[str, VerdictLabel]) -> tuple[VerdictLabel, str]:
    r"""The label that a reply ends in, and the reasons before it; `unreadable` if it ends in none.

    The last sentence says the label and little else: one that has the word in it is none.

    >>> read_last_label("It says 1867.\nTherefore: disagrees", {"disagree": "refuted"})
    ('refuted', 'It says 1867.')
    >>> read_last_label("It is hardly true", {"true": "supported"})
    ('unreadable', 'It is hardly true')
    """
    words = "|".join(word.replace(" ", r"[\s_-]*") for word in sorted(labels, key=len)[::-1])
    last = rf"(?:\A|[.!?;\n。]){_TOWARDS}({words})s?{_OF_WHAT}[^\w?？]*\Z"
    found = re.search(last, reply, re.IGNORECASE)
    if not found:
        return "unreadable", " ".join(reply.split())
    by_letters = {word.replace(" ", ""): label for word, label in labels.items()}
    reasons = reply[: found.start() + 1] if found.start() else ""
    return by_letters[re.sub(r"[\s_-]", "", found[1].lower())], " ".join(reasons.split())


def strongest(
    claims: Sequence[Claim], verdicts: Sequence[Verdict], explanation: str
) -> list[Verdict]:
    """For each claim the strongest of several verdicts on it: a refutation, then a support.

    A claim without any is unchecked, for the reason given.
    """
    order = ("refuted", "conflicting", "supported", *INCONCLUSIVE, "unreadable", "unchecked")
    ranked = sorted(verdicts, key=lambda verdict: -order.index(verdict.label))
    by_claim = {verdict.claim: verdict for verdict in ranked}
    return [by_claim.get(claim.id) or unchecked([claim], explanation)[0] for claim in claims]
