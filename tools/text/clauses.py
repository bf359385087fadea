"""Parsing of a sentence into clauses, each of which makes one claim.

A sentence is a head (its subject, after any opening phrase) with one or more predicates. A
predicate may list items ("starred in A, B, and C") or state facets ("born on D in P"). Every leaf
of the parse is one claim, and can be removed so that the rest still reads well (`clause_removal`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from errata.spans import Span
from errata.tools.text.entities import DATE, NAME
from errata.tools.text.lists import QUOTED, split_names, split_roles
from errata.tools.text.pronouns import Names, name_of, replace_pronoun, take_up
from errata.tools.text.relatives import find_circumstance, find_described, tells_of_subject

_VERBS = """
    is are was were has have had does did do can could will would may might must should isn't wasn't
    aren't weren't hasn't haven't hadn't didn't doesn't became began beat bore bought broke brought
    built came chose continue continues cost cut died drew drove feature features fell felt fought
    found gave gets got grew held hosts include includes kept knew lay led left lies lived lives
    lost made makes meant met moved owns paid plays put ran reached rose said sang sat saw sent
    serves set showed shot sold spent spoke stands stood swam taught thought told took tours
    underwent went won works writes wrote
    becomes begins belongs comes consists contains goes lasts makes provides remains takes
"""
FINITE = (
    rf"(?:{'|'.join(_VERBS.split())}"
    r"|(?!(?:need|speed|breed|seed|feed|indeed|hundred|sacred|naked|wicked)\b)[a-z]{2,}ed)"
)
_ADVERB = r"(?:(?:also|later|then|once|still|now|currently|\w+ly) )*"
_SURE = (
    r"(?:(?:is|are|was|were|has|had|became|began|came|chose|drew|fell|gave|grew|knew|rose|sang|saw"
    r"|spoke|took|went|wrote|lasts|stands|can|could|will|would|may|might|must|does|did)\b|have\b)"
)
"""Verbs that are no participles and no nouns."""
_NO_VERB = r"(?:works|plays|tours|features|hosts|lives|plans|shows|means|sets|leads)\b"
"""Nouns, unless an adverb stands before them."""
_OPENING = re.compile(
    r"(?:Also [ioa][nt]|In|On|At|"
    r"After|Before|During|Throughout|From|Since|By|As|Over|Following|Besides|Within|"
    r"Between|Until|Alongside|Despite|Apart|Aside|Outside|Off|Along|When|While|Although|Though|"
    r"Because|Once|Additionally|However|Later|Today|Currently|Overall)"
    r"\b[^,;]{0,80}(?:, \d{4})?, "
    r"(?:(?:after|before|when|while|during|because|although|since|as) [^,;]{0,80}, )?"
)
_SUBJECT = re.compile(rf"(?P<subject>[^,;:]{{1,80}}?),? (?={_ADVERB}{FINITE}\b)")
# "dedicated his life" is a predicate, "dedicated journalist" is not: what follows -ed decides.
_THING = (
    r"(?:(?:an?|the|his|her|their|its|several|many|numerous|various|two|three|more|over|that)\b"
    r"|[\d\"“A-Z])"
)
_OBJECT = (
    rf"(?: (?:{_THING}|(?:in|on|at|to|for|with|as|by|from|of|into|over|up|out|until|during|after"
    r"|before|through|alongside)\b)|,|\.|$)"
)
_ADJECTIVE = (
    r"(?:talented|renowned|distinguished|acclaimed|skilled|accomplished|gifted|varied|united|"
    r"beloved|respected|detailed|advanced|complicated|sophisticated)\b"
)
_JOIN = re.compile(
    rf"(?:,? (?:and|but) (?!{_NO_VERB})|, (?={_SURE}.*? and {_ADVERB}{FINITE}))"
    rf"(?={_ADVERB}(?!{_ADJECTIVE}){FINITE}\b"
    rf"(?:(?<!ed)|(?={_OBJECT})))"
)
_PARTICIPLES = r"(?:\w+ed|made|held|led|run|sold|cut|set|built|written|drawn|won|given|shot|put)"
_BARE_END = re.compile(
    rf"(?:^{_ADVERB}(?:(?:is|was|are|were|has|have|had|been) )*[\w-]+|\w+(?:ed|en)|born|made"
    r"|\b(?:in|on|at|by|to|for|of|from|with|and|or))$"
)
"""The end of a predicate whose object is still to come: "was born and raised in", "wrote and"."""
_TRANSITIVE = re.compile(rf"{_ADVERB}(?P<verb>\w+)(?: {_THING}| [a-z]+(?:s|[a-z]) (?:for|in)\b)")
_MOVES = re.compile(
    rf"{_ADVERB}(?:appeared|arrived|belonged|collaborated|competed|continued|died|emerged|emigrated"
    r"|enrolled|focused|graduated|happened|immigrated|joined|lasted|lived|moved|occurred|opened"
    r"|participated|performed|played|rank?ed|relocated|remained|resigned|retired|returned|served"
    r"|settled|started|starred|stayed|studied|succeeded|toured|travell?ed|turned|worked)\b"
)
"""Verbs that need no object."""
_MAKES = frozenset("made named appointed elected called awarded given granted".split())
_NOUN_PARTICIPLE = re.compile(rf" {_PARTICIPLES} (?:by|in|on|at|as|from|for|with|to)\b")
_OPEN_CLAUSE = re.compile(
    r" (?:that|who|whom|whose|which|whether|because|if|how|why|where|when|while|although|unless|so"
    r"|(?:said|says|thinks?|thought|believed?s?|claimed|claims) (?!to\b)"
    r"|(?:after|before|since|until|as|once|than) (?:he|she|it|they|the \w+|[A-Z]\w+)(?= "
    rf"{_ADVERB}{FINITE}))\b"
)
"""Words after which a joint may belong to a clause that depends on another."""
_AMONG = re.compile(r"(?:some|one|two|three|many|most|several|all|each|both) of ", re.IGNORECASE)
_PASSIVE = re.compile(
    rf"{_ADVERB}(?P<verb>(?:was|were|is|are|(?:has|have|had) been) ){_ADVERB}"
    r"(?:[a-z]+ed|born|built|made|held|led|run|sold|[a-z]+wn|written|drawn|given|cut|set) "
)
_PARTICIPLE = re.compile(rf"{_ADVERB}{_PARTICIPLES} by ")
_NOMINAL = (
    rf"(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hese|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|{NAME.pattern})\b"
    r"(?:(?! (?:and|or|who|which|that|where|when|whose|to|in which)\b)[^,;:]){0,60}?"
)
_INDEPENDENT = re.compile(
    rf",? (?:and|but) (?=(?:he|she|it|they|there) {_ADVERB}{FINITE}\b)"
    rf"|; (?:and |but )?(?=[^,;]{{1,60}} {_ADVERB}{FINITE}\b)"
    rf"|, (?:and|but|while|whereas) (?={_NOMINAL} {_ADVERB}{_SURE})"
    rf"| (?:and|but) (?=(?:his|her|its|their|the)\b"
    rf"(?:(?! (?:and|or|who|which|that|where|when|whose)\b)[^,;:]){{1,40}}? {_ADVERB}{_SURE})"
)
_LIFE_EVENT = re.compile(
    rf"(?P<lead>^(?:was|is) |)\b(?P<verb>born|died) "
    rf"(?P<first>(?:on|in) (?:{DATE.pattern}|\d{{4}})),? "
    rf"(?P<second>in {NAME.pattern}(?:(?:,| d[aeo]s?| del) {NAME.pattern})*)"
)
_RELATIVE = re.compile(
    rf"(?:,? (?=where)|, (?=when))(?P<adverb>where|when) (?=(?:he|she|it|they) {_ADVERB}{FINITE}\b)"
    rf"|(?P<comma>,)? (?P<pronoun>who|which|that) "
    rf"(?={_ADVERB}(?:{FINITE}|(?<!that )[a-z]{{3,}}[a-rt-z]s)\b)"
)
_ONGOING = re.compile(
    rf",? (?:and|but|or) (?={_ADVERB}{FINITE}\b)|, (?:and|but) (?:he|she|it|they)\b"
)
_ASIDE = re.compile(
    r"(?P<subject>[^,;:]{1,80})(?P<aside>, "
    rf"(?:(?P<relative>(?:who|which) )(?={_ADVERB}{FINITE}\b)|(?P<whose>whose )"
    r"|(?P<noun>(?=(?:the|an?) ))"
    rf"|(?={_ADVERB}(?:\w+ed|\w+wn|written|built|made|born|led|held|run)"
    r" (?:\w+ly )?(?:by|in|on|at|as|from|for|with|to|near|after|during|of|into) ))"
    r"(?P<words>[^,;:]{1,100}?(?:, (?:\d{4}|[A-Z][\w ]{1,30}))?),)"
    rf"(?= {_ADVERB}{FINITE}\b)"
)
_INTRODUCED = re.compile(
    r"(?P<aside>(?P<noun>(?=An? (?!.*\b(?:later|earlier|after|before|ago)\b)))?"
    r"(?P<words>(?:An? |(?:Born|Raised|Founded|Established|Built|Known|Based|Located|Situated"
    r"|Educated|Named|Designed|Written|Directed|Published|Released|Created|Formed|Constructed"
    r"|Completed|Developed|Produced|Discovered) (?:in|on|at|by|to|as|from|near|for|into)\b)"
    r"[^;:]{1,120}?),) "
    rf"(?=(?!an? |and |or |who |which |\w+ing )(?P<subject>[^,;:]{{1,60}}?) {_ADVERB}{FINITE}\b)"
)
_OWN_TIME = re.compile(
    r"(?:(?:has|have|is|are|was) )?"
    r"(?:later|then|since|now|still|subsequently|eventually|currently)\b"
)
"""What begins a predicate at another time than the opening of its sentence names."""
_MODIFIED = re.compile(r"\b(?:of|in|for|from|at|with|by|and|or)\b|['’]s? ")
_PLURAL_VERB = re.compile(r"(?:are|were|have)\b")
_PRESENT_VERB = re.compile(r"(?:is|are|has|have|can|will|remains|offers|provides)\b")
_DANGLING_END = re.compile(r"(?:,| and|,? who (?:was|is)|,? (?:was|is))?\s*$")
_ANY_WORD = re.compile(r"[^\W\d]")
_BRACKETED = re.compile(rf"{QUOTED}|\([^()]*\)|\[[^\[\]]*\]")
_WHOLE = re.compile(r"(?:If|Unless|Whether|Suppose)\b|.*\brespectively\b|.*\?$", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """A leaf of the parse: its place in the sentence, in characters, and its claim."""

    start: int
    end: int
    claim: str


@dataclass(frozen=True)
class Series:
    """An inner node of the parse: its place in the sentence and its parts from left to right."""

    start: int
    end: int
    parts: "Sequence[Part | Series]"
    needs_first: bool = False
    """Whether the other parts depend on the first and are removed with it."""
    needs_last: bool = False
    """Whether the other parts depend on the last and are removed with it."""

    def leaves(self) -> Iterator[Part]:
        """All leaves from left to right."""
        for part in self.parts:
            yield from part.leaves() if isinstance(part, Series) else (part,)


def parse_clauses(sentence: str, name: Names = "") -> Series:
    """Parse a sentence; in the claims, `name` replaces a pronoun that starts a clause.

    >>> tree = parse_clauses("She wrote notes and sang in Rome.", "Ada")
    >>> [leaf.claim for leaf in tree.leaves()]
    ['Ada wrote notes.', 'Ada sang in Rome.']
    """
    end = len(sentence.rstrip(".!? ")) or len(sentence)
    plain = _mask_brackets(sentence)
    if _WHOLE.match(sentence):
        return Series(0, end, [Part(0, end, f"{sentence[:end]}.")])
    places = _split(_INDEPENDENT, plain, 0, end, _ends_clause)
    parts = []
    for start, stop in places:
        parts.append(_parse_clause(sentence, plain, start, stop, name))
        name = take_up(find_subject(sentence[start:stop]), name)
    return Series(0, end, parts)


def find_subject(sentence: str) -> str:
    """The grammatical subject: the words before the first finite verb; empty without one."""
    plain = _mask_brackets(sentence)
    opening = _INTRODUCED.match(plain) or _OPENING.match(plain)
    after = opening.end() if opening else 0
    match = _ASIDE.match(plain, after) or _SUBJECT.match(plain, after)
    return sentence[match.start("subject") : match.end("subject")] if match else ""


def drop_inner_mark(item: str) -> str:
    """A quoted item without a comma or full stop before its closing quotation mark."""
    return re.sub(r"[,.](?=[\"”]$)", "", item)


def _mask_brackets(sentence: str) -> str:
    """The sentence with x for every character of quotations and brackets: no joint is in them."""
    return _BRACKETED.sub(lambda match: "x" * len(match.group()), sentence)


def _split(
    joint: re.Pattern[str], plain: str, start: int, end: int, parts: Callable[[str, str], bool]
) -> list[Span]:
    """The places between joints; `parts` says of the texts beside a joint whether it is one."""
    cuts: list[Span] = []
    for match in joint.finditer(plain, start, end):
        left = plain[cuts[-1][1] if cuts else start : match.start()]
        if match.group().startswith(";") or parts(left, plain[match.end() : end]):
            cuts.append(match.span())
    return list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))


def _ends_clause(left: str, _right: str) -> bool:
    """Whether a clause of its own ends before a joint."""
    opening = _OPENING.match(left)
    after = opening.end() if opening else 0
    return bool(_SUBJECT.match(left, after)) and not _OPEN_CLAUSE.search(left, after)


def _ends_predicate(left: str, right: str) -> bool:
    """Whether a predicate ends before a joint and another begins after it."""
    relative = _RELATIVE.search(left)
    of_subject = relative and not relative["comma"] and tells_of_subject(left, right)
    open_clause = _OPEN_CLAUSE.search(left, relative.end() if of_subject and relative else 0)
    is_bare = _BARE_END.search(left) and not re.fullmatch(r"\w+", right)
    return not open_clause and not is_bare and _begins_predicate(left, right)


def _begins_predicate(left: str, right: str) -> bool:
    """Whether a verb is sure to be one, and no participle that goes on from what precedes it."""
    if re.match(_ADVERB + _SURE, right):
        return True
    passive = _PASSIVE.match(left)
    if _PARTICIPLE.match(right):
        return bool(passive)
    participle = re.match(rf"{_ADVERB}{_PARTICIPLES}\b", right)
    if not participle or _MOVES.match(right):
        return True
    object_ = _TRANSITIVE.match(right)
    if object_:
        return not (passive and object_["verb"] in _MAKES)
    return not passive and not _NOUN_PARTICIPLE.search(left)


def _parse_clause(sentence: str, plain: str, start: int, end: int, name: Names) -> Series:
    """One independent clause as a series of predicates."""
    introduced = _INTRODUCED.match(plain, start, end)
    if introduced:
        return _parse_aside(sentence, plain, (start, end), introduced, name)
    opening = _OPENING.match(plain, start)
    after = opening.end() if opening else start
    aside = _ASIDE.match(plain, after, end)
    if aside and not _MODIFIED.search(aside["subject"]) and not _SUBJECT.match(aside["subject"]):
        return _parse_aside(sentence, plain, (start, end), aside, name)
    subject = _SUBJECT.match(plain, after, end)
    if not subject:
        claim = sentence[start:after] + replace_pronoun(sentence[after:end], name)
        return Series(start, end, [Part(start, end, f"{claim}.")])
    among = _AMONG.match(sentence, after)
    first = among.end() if among else after
    named, rest = replace_pronoun(sentence[first:end], name), end - subject.end("subject")
    head = sentence[start:first] + named[: len(named) - rest]
    parts = _parse_predicates(sentence, plain, subject.end(), end, head, name, after - start)
    return Series(start, end, parts)


def _parse_predicates(
    sentence: str, plain: str, start: int, end: int, head: str, name: Names, opening: int = 0
) -> "list[Part | Series]":
    """The predicates of one subject; the first characters of the head may be an opening."""
    passive = _PASSIVE.match(sentence, start)
    found = []
    for a, b in _split(_JOIN, plain, start, end, _ends_predicate):
        own = head[opening:] if a > start and _OWN_TIME.match(sentence, a) else head
        own = _with_verb(own, passive, sentence[a:b])
        found.append(_parse_predicate(sentence, plain, a, b, own, name))
    return found


def _with_verb(head: str, passive: re.Match[str] | None, predicate: str) -> str:
    """The head of a predicate, with the verb that a participle shares with the first one."""
    shares = passive and _PARTICIPLE.match(predicate)
    return f"{head} {passive['verb'].strip()}" if passive and shares else head


def _parse_aside(
    sentence: str, plain: str, place: Span, aside: re.Match[str], name: Names
) -> Series:
    """A clause with an aside before or after its subject, which is a claim of its own."""
    start, end = place
    before = aside.start() == start and aside.start("subject") > aside.start("aside")
    opening = "" if before else sentence[start : aside.start("subject")]
    subject = replace_pronoun(sentence[slice(*aside.span("subject"))], name)
    verb_place = aside.end("subject") + 1 if before else aside.end() + 1
    words = sentence[slice(*aside.span("words"))]
    claim = f"{subject}{_link(aside, plain[verb_place:end])}{words[:1].lower()}{words[1:]}."
    parts = _parse_predicates(sentence, plain, verb_place, end, opening + subject, name)
    main = Series(aside.end(), end, parts)
    return Series(start, end, [Part(*aside.span("aside"), claim), main], needs_last=True)


def _link(aside: re.Match[str], predicate: str) -> str:
    """The words between a subject and an aside on it."""
    groups = aside.groupdict()
    if groups.get("whose"):
        return "'s "
    if groups.get("relative"):
        return " "
    is_many = bool(_PLURAL_VERB.match(predicate)) and groups["noun"] is None
    is_now = groups["noun"] is not None or bool(_PRESENT_VERB.match(predicate))
    if aside["words"].lower().startswith("born"):
        is_now = False
    return {(True, True): " are ", (True, False): " were ", (False, True): " is "}.get(
        (is_many, is_now), " was "
    )


def _parse_predicate(
    sentence: str, plain: str, start: int, end: int, head: str, name: Names
) -> "Part | Series":
    """One predicate: its main part, and a relative clause that depends on it."""
    relative = _RELATIVE.search(plain, start, end)
    if not relative or _OPEN_CLAUSE.search(plain, start, relative.start()):
        return _parse_simple(sentence, start, end, head)
    subject = _antecedent(plain, start, end, relative, head, sentence, name)
    if not subject:
        return Part(start, end, f"{head} {sentence[start:end]}.")
    main = _parse_simple(sentence, start, relative.start(), head)
    dependent: Part | Series
    if relative["adverb"]:
        clause = replace_pronoun(sentence[relative.end() : end], name)
        claim = (
            f"{find_circumstance(sentence[start : relative.start()], relative['adverb'])}{clause}."
        )
        dependent = Part(relative.start(), end, claim)
    else:
        aside = _parse_simple(sentence, relative.end(), end, subject)
        dependent = Series(relative.start(), end, [aside])
    return Series(start, end, [main, dependent], needs_first=True)


def _antecedent(
    plain: str, start: int, end: int, relative: re.Match[str], head: str, sentence: str, name: Names
) -> str:
    """What a relative pronoun or adverb stands for; empty where that is unclear."""
    before, after = plain[start : relative.start()], plain[relative.end() : end]
    if relative["adverb"]:
        return name_of(after.split()[0], name) if " where " not in after else ""
    ongoing = _ONGOING.search(after)
    if ongoing and (relative["pronoun"] == "who" or ongoing.group().startswith(",")):
        return ""
    is_aside = bool(relative["comma"])
    if not is_aside and tells_of_subject(before, after):
        return head
    if relative["pronoun"] == "that":
        return ""
    phrase = find_described(before, relative["pronoun"], after, is_aside=is_aside)
    place = plain.rfind(phrase, start, relative.start())
    return replace_pronoun(sentence[place : place + len(phrase)], name) if phrase else ""


def _parse_simple(sentence: str, start: int, end: int, head: str) -> "Part | Series":
    """A predicate without relative clauses: facets, items or one claim."""
    text = sentence[start:end]
    event = _LIFE_EVENT.search(text)
    if event:
        return _parse_facets(sentence, start, end, head, event)
    names = split_names(text)
    if names:
        before, after = text[: names[0][0]], text[names[-1][1] :]
        claims = [(p, before + drop_inner_mark(text[slice(*p)]) + after) for p in names]
    else:
        claims = split_roles(text)
    if not claims:
        return Part(start, end, f"{head} {text}.")
    parts = [Part(start + a, start + b, f"{head} {claim}.") for (a, b), claim in claims]
    return Series(start, end, parts)


def _parse_facets(sentence: str, start: int, end: int, head: str, event: re.Match[str]) -> Series:
    """A birth or death: one claim each for the day, the place, what follows and what precedes."""
    lead = f"{head} {'was ' if event['verb'] == 'born' else ''}{event['verb']}"
    places = [event.span("first"), event.span("second")]
    tail = sentence[start + event.end() : end]
    if _ANY_WORD.search(tail):
        places.append((end - start - len(tail.lstrip(" ,")), end - start))
    parts = [
        Part(start + a, start + b, f"{lead} {sentence[start + a : start + b]}.") for a, b in places
    ]
    facets = Series(start + event.start(), end, parts)
    if event.start() == 0:
        return Series(start, end, [facets])
    before = _DANGLING_END.sub("", sentence[start : start + event.start()])
    main = _parse_simple(sentence, start, start + len(before), head)
    return Series(start, end, [main, facets], needs_first=True)
