"""What a sentence's marks are worth, by what each source says of its claims."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from errata.core.records import INCONCLUSIVE, Claim, Quote, Verdict
from errata.nodes.cite.audit import UNREAD, Audit, Ids
from errata.nodes.cite.state import READ, Citation, Finding, Source
from errata.tools.judges.verifier import quote_texts
from errata.tools.text.quotations import find_quotations, is_quoted_from
from errata.tools.text.references import CitedSentence
from errata.tools.text.words import content_stems, split_words

LEAD = 0.3
"""By how much another source is nearer to a sentence than a cited one that does not speak of it."""
NEAR = 0.5
"""How near a source is to a sentence without a mark that it supports more likely than not."""
FEWEST = 4
"""How many content words a sentence has whose nearest source local code tells."""
UNSAID = 1 / 3
"""The share of a sentence's words that no claim has, from which on it was not judged as a whole."""


class Found(NamedTuple):
    """A finding, why, and the documents that support the sentence."""

    finding: Finding
    why: str = ""
    bearers: Sequence[str] = ()
    evidence: Sequence[Quote] = ()
    idle: Sequence[str] = ()
    """The cited documents that say none of it."""


@dataclass(frozen=True)
class Case:
    """One sentence, as it is judged."""

    audit: Audit
    place: int
    sentence: CitedSentence
    claims: Sequence[Claim]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The documents that it cites."""
        return self.audit.cited(self.sentence)

    @cached_property
    def sources(self) -> list[Source]:
        """The sources that it cites."""
        return [s for key in self.sentence.keys if (s := self.audit.sources.get(key))]

    @cached_property
    def decided(self) -> list[tuple[Verdict, Ids]]:
        """The verdict that counts of each claim, and the documents that it is by."""
        return [self.audit.decide(claim, self.ids) for claim in self.claims]

    @property
    def near(self) -> dict[str, float]:
        """How near documents are to it."""
        return self.audit.nearness.get(self.place, {})

    def keys(self, documents: Iterable[str]) -> tuple[str, ...]:
        """What documents are called: by its own marks, else by others, else by their ids."""
        known = [*self.sources, *self.audit.sources.values()]
        called = {source.document: source.key for source in reversed(known)}
        return tuple(dict.fromkeys(called.get(each, each) for each in documents))

    def examine(self) -> Citation:
        """The first finding that holds, with what shows it."""
        found = next(each for each in self.findings() if each)
        told = [v for v, _ in self.decided if v.label in ("supported", "refuted", "conflicting")]
        evidence = [*found.evidence, *(quote for verdict in told for quote in verdict.evidence)]
        whys = (v.explanation for v, _ in self.decided if v.label != "supported")
        return Citation(
            start=self.sentence.start,
            end=self.sentence.end,
            text=self.sentence.text,
            finding=found.finding,
            cites=self.sentence.keys,
            bearers=self.keys(found.bearers),
            idle=self.keys(found.idle),
            evidence=tuple(dict.fromkeys(evidence)),
            explanation=found.why or "; ".join(dict.fromkeys(filter(None, whys))),
            claims=tuple(claim.id for claim in self.claims),
        )

    def findings(self) -> Iterator[Found | None]:
        """What may be found, those of form first."""
        having, missing = self._quoted()
        read = bool(self.ids) and all(source.status in READ for source in self.sources)
        if missing and read:
            yield Found("fabricated_quote", f"no source has the words “{missing}”")
        if dead := [source for source in self.sources if source.status == "dead"]:
            yield Found("dead", dead[0].note, self._others())
        if having and self.ids and not {*self.ids} & {*having}:
            yield Found("wrong_source", "another source has the quotation", having[:1])
        yield self._outdated()
        if any(verdict.label == "refuted" for verdict, _ in self.decided):
            yield Found("contradicted")
        yield self._supported()
        if {*self.ids} & {*having}:
            yield Found("supported", "the quotation is there", having)
        if self.sentence.marks and not self.ids:
            yield Found("unclear", UNREAD)
        yield self._by_others()
        yield self._lacking(read=read)
        yield self._far_from()
        documents = [self.audit.documents[each] for each in self.ids]
        nearest = [quote for quote in quote_texts([self.sentence.text], documents) if quote]
        yield Found("unclear", evidence=nearest) if self.sentence.marks else Found("uncited")

    def _quoted(self) -> tuple[list[str], str]:
        """The documents that have all of its quotations; the first quotation that none has."""
        quotes = [self.sentence.text[a:b] for a, b in find_quotations(self.sentence.text)]
        documents = self.audit.documents
        having = [{n for n, d in documents.items() if is_quoted_from(q, d.text)} for q in quotes]
        missing = next((q for q, own in zip(quotes, having, strict=True) if not own), "")
        return [n for n in documents if having and all(n in own for own in having)], missing

    def _outdated(self) -> Found | None:
        """A newer version of a source says otherwise."""
        newer, changes = self.audit.newer, self.audit.changes
        refuting = [by for verdict, by in self.decided if verdict.label == "refuted"]
        for new in (newer[each] for each in self.ids if newer.get(each, each) not in self.ids):
            found = (changes[claim.id, new] for claim in self.claims if (claim.id, new) in changes)
            quotes = [change.strip.quote for change in found]
            if {new} in refuting or (quotes and not refuting):
                said = f": “{quotes[0].text}”" if quotes else ""
                why = f"“{self._name(new)}” says otherwise{said}"
                return Found("outdated", why, [new], quotes)
        return None

    def _supported(self) -> Found | None:
        """The sources that it cites support it; partial if one of them says nothing of it."""
        own = [v.label == "supported" and by <= {*self.ids} for v, by in self.decided]
        if not (own and all(own)):
            return None
        if unsaid := self._unsaid():
            return Found("unclear", f"nobody judged what it says of {unsaid}")
        audit, claims = self.audit, self.claims
        whole = [i for i in self.ids if all(audit.bears(claim, i) for claim in claims)]
        idle = [i for i in self.ids if all(audit.lacks(claim, i) for claim in claims)]
        if whole and idle:
            return Found("partial", self._says_nothing(idle), whole, idle=idle)
        return self._far_from() or Found("supported", self._parts(), self._bearing())

    def _far_from(self) -> Found | None:
        """As far as local code can tell, one of its sources speaks of it, and others do not."""
        near, stems = self.near, content_stems(self.sentence.text)
        best = max(self.ids, key=lambda name: near.get(name, -1), default="")
        if not best or near.get(best, -1) < 0:
            return None
        score = {n: sum(self.audit.verdict(c, n).score or 0 for c in self.claims) for n in self.ids}
        distant = [n for n in self.ids if near[n] < min(0, near[best] - LEAD)]
        said = {n: stems & content_stems(self.audit.documents[n].text) for n in (best, *distant)}
        far = [n for n in distant if score[n] <= score[best] / 2 and said[n] <= said[best]]
        return Found("partial", self._says_nothing(far), [best]) if far else None

    def _says_nothing(self, idle: Sequence[str]) -> str:
        verb = "says" if len(idle) == 1 else "say"
        return f"{' and '.join(self.keys(idle))} {verb} nothing of this"

    def _unsaid(self) -> str:
        """The words of it that no claim has, if they are many; else empty."""
        said = frozenset[str]().union(*(content_stems(claim.text) for claim in self.claims))
        words = [word for word in split_words(self.sentence.text) if word.is_content]
        lost = [word.text for word in words if word.stem not in said]
        return ", ".join(lost) if len(lost) >= UNSAID * len(words) else ""

    def _by_others(self) -> Found | None:
        """Sources that it does not cite support it, or are nearer to it, if its own do not."""
        others = self._others()
        verb = "supports this" if others else "is nearer to this"
        if not (others := others or self._nearer()):
            return None
        bearers = [name for name in others if self.near.get(name, 0) >= 0]
        quotes = quote_texts([self.sentence.text], [self.audit.documents[others[0]]])
        why = f"“{self._name(others[0])}” {verb}"
        finding: Finding = "wrong_source" if self.ids else "missing_mark"
        return Found(finding, why, bearers, [quote for quote in quotes if quote])

    def _others(self) -> list[str]:
        """The documents that it does not cite and that support all of it."""
        is_borne = all(v.label == "supported" and not by & {*self.ids} for v, by in self.decided)
        if not (self.decided and is_borne and self._is_far()) or self._unsaid():
            return []
        return [quote.document for v, _ in self.decided for quote in v.evidence[:1]]

    def _is_far(self) -> bool:
        """Whether the cited documents do not speak of it, as far as local code can tell."""
        return all(self.near.get(each, -1) < 0 for each in self.ids)

    def _nearer(self) -> list[str]:
        """The document that is far nearer than those it cites, or near enough if it cites none."""
        near, others = self.near, [name for name in self.near if name not in self.ids]
        best = max(others, key=near.__getitem__, default="")
        if not best or len(content_stems(self.sentence.text)) < FEWEST:
            return []
        if self.ids:
            is_far = self._is_far() and near[best] >= max(near[each] for each in self.ids) + LEAD
            return [best] if is_far else []
        likely = self.decided and all((v.score or 0) >= NEAR for v, _ in self.decided)
        return [best] if likely and near[best] >= NEAR else []

    def _lacking(self, *, read: bool) -> Found | None:
        """What it cites, `read` whole, lacks all or some of its claims, alone and together."""
        sets, lacks = {self.ids, *((each,) for each in self.ids)}, self.audit.lacks
        lacking = [c for c in self.claims if read and all(lacks(c, *ids) for ids in sets)]
        if lacking and len(lacking) == len(self.claims):
            return Found("unsupported")
        is_in_part = any(
            verdict.label in INCONCLUSIVE and verdict.doubted and by <= {*self.ids}
            for verdict, by in self.decided
        )
        return Found("partial", self._parts(), self._bearing()) if lacking or is_in_part else None

    def _bearing(self) -> list[str]:
        """The cited documents that support a claim, alone or with others."""
        bears, quotes = self.audit.bears, [q for v, _ in self.decided for q in v.evidence]
        alone = [each for each in self.ids if any(bears(claim, each) for claim in self.claims)]
        return alone or [q.document for q in quotes if q.document in self.ids] or list(self.ids)

    def _parts(self) -> str:
        """Which of its sources support which part of it; empty if it has no parts."""
        parts = defaultdict[str, list[str]](list)
        for claim in self.claims:
            alone = [each for each in self.ids if self.audit.bears(claim, each)]
            joint = self.ids if self.audit.bears(claim, *self.ids) else ()
            names = " and ".join(self.keys(alone or joint)) or "none that it cites"
            parts[names].append(f"“{claim.text}”")
        said = (f"by {names}: {', '.join(texts)}" for names, texts in parts.items())
        return f"supported {'; '.join(said)}" if len(parts) > 1 else ""

    def _name(self, document: str) -> str:
        titles = {source.document: source.title for source in reversed(self.audit.state.sources)}
        return titles.get(document, document)


def count_source(source: Source, citations: Sequence[Citation]) -> Source:
    """A source with how many sentences cite it, and how many of those it supports."""
    own = [c for c in citations if source.key and source.key in c.cites]
    bad = [c for c in own if c.finding in ("contradicted", "outdated")]
    against = [c for c in bad if source.document in {quote.document for quote in c.evidence}]
    borne = [c for c in own if source.key in c.bearers and c not in bad]
    return replace(source, cited=len(own), bears=len(borne), contradicts=len(against))
