"""Removal of clauses from a sentence so that the rest still reads well."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from errata.tools.text.clauses import Part, Series, drop_inner_mark, parse_clauses
from errata.tools.text.pronouns import Names

PAIR = 2
_CONJUNCTION = re.compile(r"\b(?:and|or|as well as|but)\b|;")
_LINKS = frozenset("and or as well but was is".split())
"""Words that what remains may have or lack."""


def remove_clauses(sentence: str, node: Part | Series, removed: Collection[Part]) -> str | None:
    """The text of a node without the removed leaves; None where nothing is left.

    >>> from errata.tools.text.clauses import parse_clauses
    >>> sentence = "She wrote notes and sang in Rome."
    >>> tree = parse_clauses(sentence)
    >>> remove_clauses(sentence, tree, [next(tree.leaves())])
    'She sang in Rome'
    """
    if isinstance(node, Part):
        return None if node in removed else sentence[node.start : node.end]
    texts = [remove_clauses(sentence, part, removed) for part in node.parts]
    remaining = {i: text for i, text in enumerate(texts) if text is not None}
    if not remaining:
        return None
    before = sentence[node.start : node.parts[0].start]
    after = sentence[node.parts[-1].end : node.end]
    return before + _join(sentence, node.parts, remaining) + after


def is_clean(rest: str, node: Series, removed: Collection[Part], name: Names = "") -> bool:
    """Whether the text that remains says just what the leaves claim that were not removed.

    `name` is what a leading pronoun in the sentence stands for.
    """
    kept = {word for leaf in node.leaves() if leaf not in removed for word in _words(leaf.claim)}
    left = {
        word for leaf in parse_clauses(f"{rest}.", name).leaves() for word in _words(leaf.claim)
    }
    return kept - _LINKS == left - _LINKS


def _words(claim: str) -> list[str]:
    return re.findall(r"\w+", claim.casefold())


def _join(sentence: str, parts: Sequence[Part | Series], remaining: Mapping[int, str]) -> str:
    """Join the remaining texts by their old separators; the last conjunction stays last.

    `remaining` has the texts by the number of their part.
    """
    gaps = [sentence[a.end : b.start] for a, b in pairwise(parts)]
    numbers, texts = list(remaining), list(remaining.values())
    if len(remaining) < len(parts):
        is_pair = len(remaining) == PAIR
        last = next((gap for gap in reversed(gaps) if _CONJUNCTION.search(gap)), gaps[-1])
        last = last.lstrip(",") if is_pair else last
        gaps = [gaps[i] for i in numbers[:-2]] + ([last] if len(numbers) > 1 else [])
        texts[-1] = _close_quote(texts[-1], sentence[parts[-1].start : parts[-1].end])
        if is_pair and "," not in last:
            texts[0] = drop_inner_mark(texts[0])
    return "".join(text + gap for text, gap in zip(texts, [*gaps, ""], strict=True))


def _close_quote(item: str, old_last: str) -> str:
    """Move the old last item's inner mark to the quoted item that now comes last."""
    mark = re.search(r"([,.]?)[\"”]$", old_last)
    return re.sub(r"[,.]?([\"”])$", rf"{mark[1] if mark else ''}\1", item)
