"""What the sources of a draft say of its claims, each of them and some together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from errata.core.records import INCONCLUSIVE, Claim, Document, Verdict
from errata.nodes.cite.state import Cite, Source
from errata.tools.judges.versions import VersionChange, find_change, find_newer
from errata.tools.local.mends import Mend
from errata.tools.text.references import CitedSentence
from errata.tools.text.sentences import Strip, split_strips

UNREAD = "none of the sources that it cites could be read"
Ids = frozenset[str]


@dataclass(frozen=True)
class Audit:
    """A draft with its sources, and what sets of documents say of its claims."""

    state: Cite
    by_model: bool
    """Whether a model judged; local code cannot tell that a document says nothing of a claim."""
    by_decisions: bool
    """Whether that was a decision model, which tells it by a probability."""
    verdicts: dict[tuple[str, Ids], Verdict] = field(default_factory=dict)
    """By the claim's id and the documents' ids."""
    mends: dict[tuple[str, Ids], list[Mend]] = field(default_factory=dict)
    changes: dict[tuple[str, str], VersionChange] = field(default_factory=dict)
    """What code found in newer versions of cited documents, by the claim's id and the version's."""
    nearness: dict[int, dict[str, float]] = field(default_factory=dict)
    """Where local code judges, how relevant documents are to a sentence, in [-1, 1], by its place
    and their ids: it knows what speaks of a sentence better than what supports it."""

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The documents by their ids."""
        return {document.id: document for document in self.state.documents}

    @cached_property
    def strips(self) -> dict[str, list[Strip]]:
        """The strips of each document, by its id."""
        return {name: split_strips(document) for name, document in self.documents.items()}

    @cached_property
    def sources(self) -> dict[str, Source]:
        """The sources that have a key."""
        return {source.key: source for source in self.state.sources if source.key}

    @cached_property
    def newer(self) -> dict[str, str]:
        """The newest version of each document that has a newer one."""
        return find_newer(self.state.documents)

    def cited(self, sentence: CitedSentence) -> tuple[str, ...]:
        """The documents that a sentence's marks lead to, in their order."""
        own = (self.sources[key].document for key in sentence.keys if key in self.sources)
        return tuple(dict.fromkeys(filter(None, own)))

    def verdict(self, claim: Claim, *ids: str) -> Verdict:
        """What a set of documents says of a claim; unchecked if they were not asked."""
        unasked = Verdict(claim=claim.id, label="unchecked")
        return self.verdicts.get((claim.id, frozenset(ids)), unasked)

    def compare_versions(self, pairs: Iterable[tuple[Claim, Sequence[str]]]) -> None:
        """Find what newer versions of cited documents have otherwise; raises OutOfTimeError.

        Where no model judges and nothing else is said for or against a claim, a plain change of its
        one quantity refutes and mends it.
        """
        for claim, ids in pairs:
            for old in (each for each in ids if self.newer.get(each, each) not in ids):
                new = self.newer[old]
                change = find_change(claim.text, self.strips[old], self.strips[new])
                if change:
                    self.changes[claim.id, new] = change
                    if change.mends and ids == (old,) and self._may_mend(claim, old, new):
                        self._mend(claim, new, change)

    def _may_mend(self, claim: Claim, old: str, new: str) -> bool:
        has_key = any(source.document == new for source in self.sources.values())
        said = [(v.label, by) for (name, by), v in self.verdicts.items() if name == claim.id]
        is_borne = any(label == "supported" and by != {old} for label, by in said)
        is_denied = any(label == "refuted" and new not in by for label, by in said)
        return has_key and not (self.by_model or is_borne or is_denied)

    def _mend(self, claim: Claim, new: str, change: VersionChange) -> None:
        key, quote = (claim.id, frozenset([new])), change.strip.quote
        self.mends[key] = change.mends
        if self.verdict(claim, new).label != "refuted":
            said = f"a newer version says “{quote.text}”"
            self.verdicts[key] = Verdict(
                claim=claim.id, label="refuted", evidence=(quote,), explanation=said
            )

    def bears(self, claim: Claim, *ids: str) -> bool:
        """Whether a set of documents supports a claim."""
        return self.verdict(claim, *ids).label == "supported"

    def lacks(self, claim: Claim, *ids: str) -> bool:
        """Whether a set of documents supports nothing of a claim, not even some of its words."""
        verdict = self.verdict(claim, *ids)
        if verdict.label not in INCONCLUSIVE or verdict.doubted:
            return False
        absent = self.by_decisions and verdict.reason == "absent"
        return self.by_model and (absent or verdict.score is None)

    def decide(self, claim: Claim, ids: Sequence[str]) -> tuple[Verdict, Ids]:
        """The verdict that counts of a claim, and its documents: newer, cited, then the others."""
        rest = frozenset(self.documents) - {*ids}
        own = [frozenset([each]) for each in ids] + [frozenset(ids)]
        borne = [each for each in own if self.bears(claim, *each)]
        later = (self.newer[each] for each in ids if each in self.newer)
        order = [
            frozenset([new])
            for new in later
            if self.verdict(claim, new).label == "refuted"
            and (borne or (claim.id, new) in self.changes)
        ]
        order += borne + [each for each in own if self.verdict(claim, *each).label == "refuted"]
        order += [rest] if self.bears(claim, *rest) or not ids else []
        for key in (*order, *own, rest):
            if verdict := self.verdicts.get((claim.id, key)):
                return verdict, key
        why = UNREAD if self.documents else "there is no document to judge by"
        return Verdict(claim=claim.id, label="unchecked", explanation=why), frozenset()
