"""What a sentence's marks are worth, by what each source says of its claims."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from errata.core.records import INCONCLUSIVE, Claim, Document, Quote, Verdict
from errata.nodes.cite.state import READ, Citation, Cite, Finding, Ids, Judgements, Source
from errata.tools.judges.verifier import quote_texts
from errata.tools.judges.versions import find_change
from errata.tools.text.quotations import find_quotations, is_quoted_from
from errata.tools.text.references import CitedSentence

UNREAD = "none of the sources that it cites could be read"
LEAD = 0.3
"""By how much another source is nearer to a sentence than a cited one that does not speak of it."""
NEAR = 0.5
"""How near a source is to a sentence without a mark that it bears out more likely than not."""


class Found(NamedTuple):
    """A finding, why, and the documents that bear the sentence out for another reason than that."""

    finding: Finding
    why: str = ""
    bearers: Sequence[str] = ()
    evidence: Sequence[Quote] = ()
    idle: Sequence[str] = ()
    """The cited documents that say none of it."""


@dataclass(frozen=True)
class Audit:
    """A draft with its sources and all that was judged."""

    state: Cite
    judged: Judgements
    newer: Mapping[str, str]
    """The newest version of each document that has a newer one."""

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The documents by their ids."""
        return {document.id: document for document in self.state.documents}

    @cached_property
    def sources(self) -> dict[str, Source]:
        """The sources that have a key."""
        return {source.key: source for source in self.state.sources if source.key}

    @cached_property
    def keys(self) -> dict[str, str]:
        """The key of each document that has one; the first of several."""
        return {s.document: s.key for s in reversed(self.sources.values()) if s.document}

    def cited(self, sentence: CitedSentence) -> tuple[str, ...]:
        """The documents that a sentence's marks lead to, in their order."""
        own = (self.sources[key].document for key in keys_of(sentence) if key in self.sources)
        return tuple(dict.fromkeys(filter(None, own)))

    def decide(self, claim: Claim, ids: Sequence[str]) -> tuple[Verdict, Ids]:
        """The verdict that counts of a claim, and the documents that it is by.

        It is that of a source that bears the claim out, unless a newer version contradicts it; else
        that of a cited source that contradicts it, and what the other sources say comes last.
        """
        rest = frozenset(self.documents) - {*ids}
        own = [frozenset([each]) for each in ids] + [frozenset(ids)]
        later = [frozenset([self.newer[each]]) for each in ids if each in self.newer]
        label = {key: self.judged.label(claim, *key) for key in (*later, *own, rest)}
        borne = [key for key in own if label[key] == "supported"]
        order = [key for key in later if borne and label[key] == "refuted"]
        order += borne + [key for key in own if label[key] == "refuted"]
        order += [rest] if label[rest] == "supported" or not ids else []
        for key in (*order, *own, rest):
            if verdict := self.judged.verdicts.get((claim.id, key)):
                return verdict, key
        why = UNREAD if self.documents else "there is no document to judge by"
        return Verdict(claim=claim.id, label="unchecked", explanation=why), frozenset()

    def examine(self, place: int, claims: Sequence[Claim]) -> Citation:
        """The finding on one sentence."""
        sentence = self.state.sentences[place]
        case = Case(self, place, sentence, claims)
        found = case.find()
        told = [v for v, _ in case.decided if v.label in ("supported", "refuted", "conflicting")]
        evidence = [*found.evidence, *(quote for verdict in told for quote in verdict.evidence)]
        whys = (v.explanation for v, _ in case.decided if v.label != "supported")
        return Citation(
            start=sentence.start,
            end=sentence.end,
            text=sentence.text,
            finding=found.finding,
            cites=keys_of(sentence),
            bearers=case.keys(found.bearers),
            idle=case.keys(found.idle),
            evidence=tuple(dict.fromkeys(evidence)),
            explanation=found.why or "; ".join(dict.fromkeys(filter(None, whys))),
            claims=tuple(claim.id for claim in claims),
        )

    def count(self, source: Source, citations: Sequence[Citation]) -> Source:
        """A source with how many sentences cite it, and how many of those it bears out."""
        own = [c for c in citations if source.key and source.key in c.cites]
        bad = ("contradicted", "outdated")
        against = [c for c in own if c.finding in bad and _is_by(c.evidence, source.document)]
        borne = [c for c in own if source.key in c.bearers and c.finding not in bad]
        return replace(source, cited=len(own), bears=len(borne), contradicts=len(against))


@dataclass(frozen=True)
class Case:
    """One sentence, as it is judged."""

    audit: Audit
    place: int
    sentence: CitedSentence
    claims: Sequence[Claim]

    def find(self) -> Found:
        """The first finding that holds, those of form first."""
        findings = chain(self._of_form(), self._of_own(), self._of_others())
        return next((each for each in findings if each), Found("unclear"))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The documents that it cites."""
        return self.audit.cited(self.sentence)

    def keys(self, documents: Iterable[str]) -> tuple[str, ...]:
        """What documents are called: by its own marks, else by others, else by their ids."""
        sources, called = self.audit.sources, dict(self.audit.keys)
        called |= {sources[k].document: k for k in keys_of(self.sentence)[::-1] if k in sources}
        return tuple(dict.fromkeys(called.get(each, each) for each in documents))

    @cached_property
    def decided(self) -> list[tuple[Verdict, Ids]]:
        """The verdict that counts of each claim, and the documents that it is by."""
        return [self.audit.decide(claim, self.ids) for claim in self.claims]

    @cached_property
    def quoted(self) -> tuple[list[str], str]:
        """The documents that have all of its quotations; the first quotation that none has."""
        quotes = [self.sentence.text[a:b] for a, b in find_quotations(self.sentence.text)]
        texts = {name: document.text for name, document in self.audit.documents.items()}
        having = [{n for n, text in texts.items() if is_quoted_from(q, text)} for q in quotes]
        missing = next((q for q, own in zip(quotes, having, strict=True) if not own), "")
        return [n for n in texts if having and all(n in own for own in having)], missing

    def _of_form(self) -> Iterator[Found | None]:
        """What is wrong with its marks and quotations."""
        sources = [self.audit.sources[k] for k in keys_of(self.sentence) if k in self.audit.sources]
        having, missing = self.quoted
        read_whole = self.ids and all(source.status in READ for source in sources)
        if missing and read_whole:
            yield Found("fabricated_quote", f"no source has the words “{missing}”")
        if dead := [source for source in sources if source.status == "dead"]:
            yield Found("dead", dead[0].note, self._others())
        if having and self.ids and not {*self.ids} & {*having}:
            yield Found("wrong_source", "another source has the quotation", having)

    def _of_own(self) -> Iterator[Found | None]:
        """What the sources that it cites say of it, or newer versions of them."""
        labels = {verdict.label for verdict, _ in self.decided}
        by_own = [
            verdict.label == "supported" and by <= {*self.ids} for verdict, by in self.decided
        ]
        yield self._outdated()
        if "refuted" in labels:
            yield Found("contradicted")
        if by_own and all(by_own):
            yield self._partial_by_source() or Found("supported", self._parts(), self._bearing())
        if {*self.ids} & {*self.quoted[0]}:
            yield Found("supported", "the quotation is there", self.quoted[0])
        if self.sentence.marks and not self.ids:
            yield Found("unclear", UNREAD)

    def _of_others(self) -> Iterator[Found | None]:
        """What the sources that it does not cite say of it, if those that it cites do not."""
        if others := self._others() or self._nearer():
            finding: Finding = "wrong_source" if self.ids else "missing_mark"
            verb = "bears this out" if self._others() else "is nearer to this"
            near = self.audit.judged.nearness
            bearers = [name for name in others if near.get((self.place, name), 0) >= 0]
            quote = quote_texts([self.sentence.text], [self.audit.documents[others[0]]])[0]
            why = f"“{self._name(others[0])}” {verb}"
            yield Found(finding, why, bearers, [quote] if quote else [])
        lacking = self._lacking()
        if lacking and len(lacking) == len(self.claims):
            yield Found("unsupported")
        if lacking or any(by <= {*self.ids} and _is_in_part(v) for v, by in self.decided):
            yield Found("partial", self._parts(), self._bearing())
        if not self.sentence.marks:
            yield Found("uncited")

    def _lacking(self) -> list[Claim]:
        """The claims that what it cites, read whole, lacks alone and together."""
        whole = {s.document for s in self.audit.sources.values() if s.status in READ}
        if not self.ids or not {*self.ids} <= whole:
            return []
        sets, lacks = {self.ids, *((each,) for each in self.ids)}, self.audit.judged.lacks
        return [c for c in self.claims if all(lacks(c, *ids) for ids in sets)]

    def _bearing(self) -> list[str]:
        """The cited documents that bear a claim out, alone or with others."""
        bears, quotes = self.audit.judged.bears, [q for v, _ in self.decided for q in v.evidence]
        alone = [each for each in self.ids if any(bears(claim, each) for claim in self.claims)]
        return alone or [q.document for q in quotes if q.document in self.ids] or list(self.ids)

    def _others(self) -> list[str]:
        """The documents that it does not cite and that bear all of it out."""
        is_borne = all(v.label == "supported" and not by & {*self.ids} for v, by in self.decided)
        if not (self.decided and is_borne) or not self._is_far():
            return []
        return [quote.document for v, _ in self.decided for quote in v.evidence[:1]]

    def _is_far(self) -> bool:
        """Whether the cited documents do not speak of it, as far as local code can tell."""
        near = self.audit.judged.nearness
        return all(near.get((self.place, each), -1) < 0 for each in self.ids)

    def _nearer(self) -> list[str]:
        """The document that is nearer by far than those it cites, or near enough if it cites none.

        A sentence without a mark has to be more likely borne out than not, too.
        """
        near = {n: near for (p, n), near in self.audit.judged.nearness.items() if p == self.place}
        rest = [name for name in near if name not in self.ids]
        best = max(rest, key=near.__getitem__, default="")
        if not best or not self._is_far():
            return []
        if self.ids:
            return [best] if near[best] >= max(near[each] for each in self.ids) + LEAD else []
        likely = all((v.score or 0) >= NEAR for v, _ in self.decided) and self.decided
        return [best] if likely and near[best] >= NEAR else []

    def _partial_by_source(self) -> Found | None:
        """One of several cited sources does not speak of any of it, and another bears all out."""
        judged = self.audit.judged
        whole = [i for i in self.ids if all(judged.bears(claim, i) for claim in self.claims)]
        idle = [i for i in self.ids if all(judged.lacks(claim, i) for claim in self.claims)]
        if not (whole and idle):
            return None
        why = f"{' and '.join(self.keys(idle))} says nothing of this"
        return Found("partial", why, whole, idle=idle)

    def _parts(self) -> str:
        """Which of its sources bear out which part of it; empty if it has no parts."""
        parts = defaultdict[str, list[str]](list)
        for claim in self.claims:
            alone = [each for each in self.ids if self.audit.judged.bears(claim, each)]
            joint = self.ids if self.audit.judged.bears(claim, *self.ids) else ()
            names = " and ".join(self.keys(alone or joint)) or "none that it cites"
            parts[names].append(f"“{claim.text}”")
        said = (f"by {names}: {', '.join(texts)}" for names, texts in parts.items())
        return f"borne out {'; '.join(said)}" if len(parts) > 1 else ""

    def _outdated(self) -> Found | None:
        """A newer version of a source says otherwise."""
        for each in self.ids:
            later = self.audit.newer.get(each, each)
            if later in self.ids:
                continue
            if any(v.label == "refuted" and by == {later} for v, by in self.decided):
                return Found("outdated", f"“{self._name(later)}” says otherwise", [later])
            documents = self.audit.documents
            change = find_change(self.sentence.text, documents[each], documents[later])
            if change and all(v.label != "refuted" for v, _ in self.decided):
                why = f"“{self._name(later)}” says otherwise: “{change[1].text}”"
                return Found("outdated", why, [later], [change[1].quote])
        return None

    def _name(self, document: str) -> str:
        return self.audit.documents[document].title or document


def keys_of(sentence: CitedSentence) -> tuple[str, ...]:
    """The keys of a sentence's marks, each once."""
    return tuple(dict.fromkeys(key for mark in sentence.marks for key in mark.keys))


def _is_in_part(verdict: Verdict) -> bool:
    """Whether only some words of a claim are not borne out."""
    return verdict.label in INCONCLUSIVE and bool(verdict.doubted)


def _is_by(evidence: Iterable[Quote], document: str) -> bool:
    return any(quote.document == document for quote in evidence)
