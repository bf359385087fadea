"""Words and their opposites, synonyms and wider terms, as tables for rules."""

from collections.abc import Iterator

# Regular verbs: base forms; the other forms are made by rule.
_VERB_OPPOSITES = """
increase decrease|accept reject|approve reject|open close|start stop|support oppose|include exclude
encourage discourage|expand shrink|strengthen weaken|improve worsen|raise lower|attack defend|praise criticize
succeed fail|appear vanish|arrive depart|import export|create destroy|join quit|gain lose|win lose|rise fall
begin end|grow shrink|buy sell|give take|teach learn|lend borrow|push pull|fill empty|add remove|confirm deny
allow forbid|permit prohibit|love hate|like dislike|enter leave|lead follow|remember forget|widen narrow
connect disconnect|enable disable|extend shorten|promote demote|protect endanger|reveal conceal|unite divide
agree disagree|advance retreat|ascend descend|attract repel|admit deny|hire dismiss|simplify complicate
accelerate slow|welcome condemn|inhale exhale|float sink|heat cool|melt freeze|rent own|save waste|send receive
ban allow|cause prevent|keep abandon|adopt abandon|launch cancel|resume suspend|release withhold|reduce increase
boost cut|double halve|activate inhibit|stimulate suppress|worsen improve|merge split|recruit dismiss
"""
_WORD_OPPOSITES = """
large small|larger smaller|largest smallest|big little|bigger smaller|biggest smallest|high low|higher lower|highest lowest
long short|longer shorter|longest shortest|old new|older younger|oldest youngest|early late|earlier later|earliest latest
first last|near far|hot cold|warm cool|wet dry|rich poor|strong weak|stronger weaker|fast slow|faster slower|fastest slowest
heavy light|heavier lighter|wide narrow|wider narrower|deep shallow|deeper shallower|hard soft|difficult easy|good bad
better worse|best worst|positive negative|public private|male female|men women|man woman|boys girls|boy girl
north south|northern southern|east west|eastern western|northeast southwest|northwest southeast|left right|above below
inside outside|upper lower|upstream downstream|uphill downhill|indoor outdoor|indoors outdoors|front back|top bottom
increase decrease|rise fall|growth decline|gain loss|profit loss|victory defeat|victories defeats|success failure
advantage disadvantage|majority minority|maximum minimum|birth death|arrival departure|beginning end|start end
entrance exit|import export|imports exports|buyer seller|teacher student|winner loser|employer employee|friend enemy
ally enemy|mother father|son daughter|brother sister|husband wife|uncle aunt|king queen|prince princess|actor actress
day night|morning evening|summer winter|spring autumn|daily weekly|weekly monthly|monthly annual|annually monthly
more less|most least|many few|much little|always never|often rarely|frequently seldom|usually rarely|everyone nobody
before after|until after|preceded followed|precedes follows|former latter|previous next|ancient modern|temporary permanent
legal illegal|guilty innocent|safe dangerous|possible impossible|able unable|likely unlikely|common rare|popular unpopular
successful unsuccessful|official unofficial|known unknown|famous obscure|visible invisible|active inactive|complete incomplete
alive dead|married unmarried|married divorced|voluntary compulsory|mandatory optional|required optional|forbidden allowed
permitted prohibited|similar different|same different|equal unequal|single multiple|simple complex|local foreign|domestic foreign
urban rural|civilian military|conservative liberal|left-wing right-wing|democratic authoritarian|secular religious
amateur professional|full empty|open closed|awake asleep|present absent|rough smooth|thick thin|tall short|taller shorter
tallest shortest|full-time part-time|black white|solid liquid|acid alkaline|natural artificial|fresh stale|raw cooked
internal external|horizontal vertical|major minor|senior junior|primary secondary|odd even|true false|correct incorrect
accurate inaccurate|sufficient insufficient|dependent independent|direct indirect|regular irregular|healthy ill
cheaper dearer|cheap expensive|free paid|loud quiet|bright dark|clean dirty|wild tame|optimistic pessimistic
benign malignant|acute chronic|higher-than-average lower-than-average|above-average below-average|inbound outbound
accepted rejected|approved rejected|won lost|rose fell|grew shrank|gained lost|bought sold|began ended|opened closed
increasing decreasing|rising falling|growing shrinking|winning losing|supporting opposing|including excluding
with without|for against|over under|ahead behind|together apart|forward backward|up down|toward away|online offline
"""
_PHRASES = """
more than|fewer than
at least|at most
no more than|no less than
no longer|still
managed to|failed to
agreed to|refused to
able to|unable to
as well as|but not
in favor of|against
in favour of|against
because of|despite
due to|despite
on time|late
all of the|none of the
some of the|none of the
most of the|few of the
both of|neither of
only one|more than one
has to|does not have to
have to|do not have to
had to|did not have to
must not|must
is required to|need not
was required to|did not have to
prior to|after
according to|contrary to
"""
_SYNONYMS = """
began started|started began|purchased bought|bought purchased|film movie|movie film|located situated|situated located
founded established|established founded|approximately about|around about|nearly almost|almost nearly|known famous
large big|big large|huge enormous|small little|created made|built constructed|constructed built|received got|obtained got
won gained|died passed away|killed slain|ended finished|finished completed|completed finished|children kids|physician doctor
assisted helped|helped assisted|attempted tried|tried attempted|however though|moved relocated|resided lived|lived resided
employed used|used utilised|utilized used|required needed|needed required|chosen selected|selected chosen|elected voted in
named called|called named|titled called|entitled called|previously formerly|formerly previously|currently now|initially at first
also additionally|often frequently|frequently often|several multiple|many numerous|numerous many|entire whole|whole entire
important significant|significant important|significant major|famous well-known|renowned famous|difficult hard|hard difficult
rapid fast|quick fast|rapidly quickly|quickly rapidly|annual yearly|yearly annual|annually every year|principal main|main chief
primary main|additional further|further additional|permitted allowed|allowed permitted|prohibited forbidden|banned prohibited
increased rose|increased grew|decreased fell|declined fell|rose increased|fell decreased|shows demonstrates|showed demonstrated
demonstrated showed|indicates shows|indicated showed|suggests indicates|author writer|writer author|wed married|comprises includes
includes contains|contains includes|consists is made up|commenced began|concluded ended|departed left|arrived came|sought tried
"""
_WIDER = """
novel book|novels books|biography book|textbook book|poem text|newspaper publication|magazine publication|journal publication
violinist musician|pianist musician|guitarist musician|singer musician|drummer musician|painter artist|sculptor artist
physicist scientist|chemist scientist|biologist scientist|mathematician scholar|historian scholar|philosopher thinker
footballer athlete|swimmer athlete|boxer athlete|cyclist athlete|sprinter athlete|king monarch|queen monarch|emperor ruler
son child|daughter child|sons children|daughters children|father parent|mother parent|brother sibling|sister sibling
car vehicle|truck vehicle|bus vehicle|ship vessel|ships vessels|boat vessel|dog animal|cat animal|horse animal|cow animal
dogs animals|cats animals|horses animals|eagle bird|oak tree|rose flower|salmon fish|wheat grain|apple fruit|potato vegetable
university institution|school institution|college institution|church building|cathedral church|castle building|palace building
hospital building|museum institution|army force|navy force|guitar instrument|piano instrument|violin instrument|gold metal
iron metal|copper metal|silver metal|oxygen gas|nitrogen gas|murdered killed|assassinated killed|executed killed|shot wounded
sprinted ran|bungalow house|cottage house|lawyer professional|surgeon doctor|dentist doctor|soldier person|teacher person
metropolis city|capital city|village settlement|town settlement|river waterway|canal waterway|sedan car|aspirin drug|insulin hormone
"""


def _forms(verb: str) -> tuple[str, ...]:
    """The base, third person, past and -ing form of a regular verb; irregular pasts by table."""
    stem = verb[:-1] if verb.endswith("e") else verb
    past = _PAST.get(verb, stem + "ed")
    third = verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s")
    if verb.endswith("y") and verb[-2] not in "aeiou":
        third, past = verb[:-1] + "ies", _PAST.get(verb, verb[:-1] + "ied")
    doubled = _DOUBLED.get(verb, stem)
    return verb, third, past, doubled + "ing"


_PAST = {
    "win": "won", "lose": "lost", "rise": "rose", "fall": "fell", "begin": "began", "grow": "grew",
    "shrink": "shrank", "buy": "bought", "sell": "sold", "give": "gave", "take": "took", "teach": "taught",
    "lend": "lent", "forbid": "forbade", "leave": "left", "lead": "led", "forget": "forgot", "freeze": "froze",
    "sink": "sank", "send": "sent", "keep": "kept", "cut": "cut", "quit": "quit", "split": "split",
    "stop": "stopped", "permit": "permitted", "admit": "admitted", "ban": "banned", "repel": "repelled",
    "cancel": "cancelled", "withhold": "withheld", "learn": "learned",
}  # fmt: skip
_DOUBLED = {
    "win": "winn", "begin": "beginn", "stop": "stopp", "permit": "permitt", "admit": "admitt", "ban": "bann",
    "repel": "repell", "cancel": "cancell", "cut": "cutt", "quit": "quitt", "split": "splitt", "forbid": "forbidd",
    "forget": "forgett",
}  # fmt: skip


def _pairs(table: str) -> Iterator[tuple[str, str]]:
    for entry in table.replace("\n", "|").split("|"):
        first, _, second = entry.strip().partition(" ")
        if second:
            yield first, second


def _both_ways(pairs: Iterator[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    opposites: dict[str, tuple[str, ...]] = {}
    for first, second in pairs:
        for ours, theirs in ((first, second), (second, first)):
            opposites[ours] = (*opposites.get(ours, ()), theirs)
    return opposites


def _verb_pairs() -> Iterator[tuple[str, str]]:
    for first, second in _pairs(_VERB_OPPOSITES):
        yield from zip(_forms(first), _forms(second), strict=True)


def _phrase_pairs() -> Iterator[tuple[str, str]]:
    for line in _PHRASES.strip().splitlines():
        first, _, second = line.partition("|")
        yield first, second


OPPOSITES = _both_ways(_verb_pairs()) | _both_ways(_pairs(_WORD_OPPOSITES))
"""Each word with its opposites, in both directions."""
PHRASES = _both_ways(_phrase_pairs())
"""Phrases with their opposites, in both directions."""
SYNONYMS = dict(_pairs(_SYNONYMS))
"""Words that can mostly stand for each other."""
WIDER = dict(_pairs(_WIDER))
"""Words with a wider term, which holds wherever they hold."""
