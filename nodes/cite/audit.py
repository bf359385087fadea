"""What the sources of a draft say of its claims, each of them and some together."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from errata.core.records import INCONCLUSIVE, Claim, Document, Verdict
from errata.nodes.cite.state import Cite, Source
from errata.tools.judges.versions import find_newer
from errata.tools.local.mends import Mend
from errata.tools.text.references import CitedSentence

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
    nearness: dict[int, dict[str, float]] = field(default_factory=dict)
    """How relevant documents are to a sentence, in [-1, 1], by the sentence's place and their ids;
    where local code judges, which knows a source that speaks of a sentence better than one that
    bears it out."""

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The documents by their ids."""
        return {document.id: document for document in self.state.documents}

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

    def label(self, claim: Claim, *ids: str) -> str:
        """What a set of documents says of a claim; empty if they were not asked."""
        verdict = self.verdicts.get((claim.id, frozenset(ids)))
        return verdict.label if verdict else ""

    def score(self, claim: Claim, document: str) -> float:
        """How likely a document bears a claim out; 0 if it was not asked, or told no score."""
        verdict = self.verdicts.get((claim.id, frozenset([document])))
        return verdict.score or 0.0 if verdict else 0.0

    def bears(self, claim: Claim, *ids: str) -> bool:
        """Whether a set of documents bears a claim out."""
        return self.label(claim, *ids) == "supported"

    def lacks(self, claim: Claim, *ids: str) -> bool:
        """Whether a set of documents bears out nothing of a claim, not even some of its words.

        No bound of local code's score parts such claims from right ones.
        """
        verdict = self.verdicts.get((claim.id, frozenset(ids)))
        if not verdict or verdict.label not in INCONCLUSIVE or verdict.doubted:
            return False
        absent = self.by_decisions and verdict.reason == "absent"
        return self.by_model and (absent or verdict.score is None)

    def decide(self, claim: Claim, ids: Sequence[str]) -> tuple[Verdict, Ids]:
        """The verdict that counts of a claim, and the documents that it is by.

        It is that of a source that bears the claim out, unless a newer version contradicts it; else
        that of a cited source that contradicts it, and what the other sources say comes last.
        """
        rest = frozenset(self.documents) - {*ids}
        own = [frozenset([each]) for each in ids] + [frozenset(ids)]
        borne = [each for each in own if self.bears(claim, *each)]
        later = (self.newer[each] for each in ids if borne and each in self.newer)
        order = [frozenset([each]) for each in later if self.label(claim, each) == "refuted"]
        order += borne + [each for each in own if self.label(claim, *each) == "refuted"]
        order += [rest] if self.bears(claim, *rest) or not ids else []
        for key in (*order, *own, rest):
            if verdict := self.verdicts.get((claim.id, key)):
                return verdict, key
        why = UNREAD if self.documents else "there is no document to judge by"
        return Verdict(claim=claim.id, label="unchecked", explanation=why), frozenset()
