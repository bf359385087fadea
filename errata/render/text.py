"""What a result is, in words: its label, claims, cost, and what was not checked."""

from collections import Counter
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import get_args

from errata.core.errors import count
from errata.core.records import Answer, Correction, Skipped, Verdict, VerdictLabel


def describe_label(result: Correction) -> str:
    """The label of the whole draft in words, unless nothing was judged."""
    if not result.checked:
        return "nothing could be checked"
    return "not fully supported" if result.label == "not_mentioned" else result.label


def describe_claims(result: Correction) -> str:
    """How many claims there are, and how many of each label: `3 claims: 2 supported, 1 refuted`."""
    order = list(get_args(VerdictLabel))
    verdicts = sorted(result.verdicts, key=lambda verdict: order.index(verdict.label))
    counted = Counter(label_in_words(verdict, result.unmended) for verdict in verdicts)
    labels = ", ".join(f"{number} {label}" for label, number in counted.items())
    return count(result.claims, "claim") + (f": {labels}" if labels else "")


def describe_unchecked(result: Correction) -> str:
    """Why nothing could be checked: how many claims have which label, and for what reason."""
    reasons = Counter((label_in_words(v), v.explanation) for v in result.verdicts)
    parts = (
        f"{count(number, 'claim')} {label}" + (f" ({reason})" if reason else "")
        for (label, reason), number in reasons.items()
    )
    skipped = describe_skipped(result.skipped)
    said = f"the draft holds no claim: {skipped}" if skipped else "the draft holds no claim"
    return "; ".join(parts) or said


def describe_retrieval(result: Answer) -> str:
    """What was done about the retrieval: `incorrect, searched for 'x'; `; empty if nothing was."""
    query = f"searched for {result.queries[0]!r}" if result.queries else ""
    done = ", ".join(part for part in (result.action, query) if part)
    return f"{done}; " if done else ""


def describe_cost(result: Correction | Answer) -> str:
    """What a result took: `2 model calls, 1 from the cache, cost 0.0012`; a cost if it had one."""
    calls, kept, money = result.usage.model_calls, result.usage.cached_calls, result.usage.money
    cached = f", {kept} from the cache" if kept else ""
    cost = f", cost {Decimal(f'{money:.2g}'):f}" if money else ""
    return f"{count(calls, 'model call')}{cached}{cost}"


def describe_skipped(skipped: Sequence[Skipped]) -> str:
    """How much of a draft claims nothing, and what it is: `2 sentences (a heading, a question)`."""
    reasons = ", ".join(sorted({each.reason for each in skipped}))
    return f"{count(skipped, 'sentence')} ({reasons})" if skipped else ""


def label_in_words(verdict: Verdict, unmended: Collection[str] = ()) -> str:
    """A verdict's label as people read it: with its reason, and whether the refuted claim stays.

    >>> label_in_words(Verdict(claim="c1", label="not_mentioned", reason="not_understood"))
    'not understood'
    >>> label_in_words(Verdict(claim="c1", label="refuted"), unmended=["c1"])
    'refuted (stays)'
    """
    is_read = verdict.reason != "not_understood"
    label = verdict.label.replace("_", " ") if is_read else "not understood"
    return f"{label} (stays)" if verdict.claim in unmended else label


def label_with_score(verdict: Verdict, unmended: Collection[str] = ()) -> str:
    """A verdict's label in words, with its score where it has one."""
    label = label_in_words(verdict, unmended)
    return label if verdict.score is None else f"{label} {verdict.score:.2f}"
