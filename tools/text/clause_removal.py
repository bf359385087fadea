"""Removal of clauses from a sentence so that the rest still reads well."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from errata.tools.text.clauses import Part, Series, drop_inner_mark

PAIR = 2


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
    kept = {i: text for i, text in enumerate(texts) if text is not None}
    if not kept or (node.needs_first and 0 not in kept):
        return None
    before = sentence[node.start : node.parts[0].start]
    after = sentence[node.parts[-1].end : node.end]
    return before + _join(sentence, node.parts, list(kept), list(kept.values())) + after


def _join(
    sentence: str, parts: Sequence[Part | Series], kept: Sequence[int], texts: Sequence[str]
) -> str:
    """Join the texts of the kept parts by their old separators; the last conjunction stays last."""
    gaps = [sentence[a.end : b.start] for a, b in pairwise(parts)]
    if len(kept) == len(parts):
        return "".join(text + gap for text, gap in zip(texts, [*gaps, ""], strict=True))
    is_pair = len(kept) == PAIR
    last = gaps[-1].lstrip(",") if is_pair else gaps[-1]
    kept_gaps = [gaps[i] for i in kept[:-2]] + ([last] if len(kept) > 1 else [])
    texts = [*texts[:-1], _close_quote(texts[-1], sentence[parts[-1].start : parts[-1].end])]
    if is_pair and "," not in last:
        texts[0] = drop_inner_mark(texts[0])
    return "".join(text + gap for text, gap in zip(texts, [*kept_gaps, ""], strict=True))


def _close_quote(item: str, old_last: str) -> str:
    """Move the old last item's inner mark to the quoted item that now comes last."""
    mark = re.search(r"([,.]?)[\"”]$", old_last)
    return re.sub(r"[,.]?([\"”])$", rf"{mark[1] if mark else ''}\1", item)
