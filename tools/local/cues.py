"""Words with which a text says what a question asks: "directed by" for "Who was the director?"."""

import re

_BY = r"\b(?:(?!publish|releas)[^.;]){0,60}?\b(?:by|of) (?:[\w'’-]+ ){0,4}?(?-i:[A-Z])"
_BOOKS = (
    "novel|novella|book|story|stories|play|poems?|memoir|series|work|essays?|biography|treatise|"
    "trilogy|collection|anthology|autobiography|fiction|guide|omnibus|volume|comic|manga|textbook"
)
_BALLS = "(?:foot|basket|base|volley|hand|soft|net|korf|dodge)ball|soccer|futsal"
_GAMES = "hockey|tennis|cricket|rugby|golf|badminton|squash|polo|chess|snooker|darts|lacrosse"
_RACES = "cycling|swimming|skiing|boxing|wrestling|rowing|athletics|racing|judo|fencing|sailing"
_GENRES = "film|album|song|single|band|novel|series|book|game|show|play|comedy|drama|music|genre"
_SEATS = "capital|administrative (?:cent(?:er|re)|seat)|seat|county town|municipal council"
_FAITHS = (
    "church|catholic|christian|muslim|islam|jewish|judaism|buddhis[mt]|hindu|orthodox|protestant|"
    "lutheran|anglican|methodist|baptist|jain|sikh|bishop|cardinal|priest|rabbi|imam"
)
_SAID_BY_ASKED = {
    r"\b(?:where|city|town|place|country)\b.*\bborn\b|\bbirthplace|\bplace of birth": (
        r"\bborn\b[^.;]{0,60}?\b(?:in|at|near) (?-i:[A-Z])|\bnative of\b|"
        r"\(\D{0,40}\d[^)]{0,30}\b(?:in|at) (?-i:[A-Z])"
    ),
    r"\bborn\b|\bbirth": r"\bborn\b|\([^)]{0,40}\d{4}",
    r"\bdied?\b|\bdeath": r"\bdied\b|\bdeath\b|\bkilled\b|\([^)]{0,60}\d{4}\W+[^)]*\d{4}",
    r"\bscreen ?writer": (
        rf"\b(?:written|screenplay|script|adapted|story){_BY}|\bwriter\b|screenwriter\b|"
        r"\bwrote (?:[\w'’-]+ ){0,3}(?:screenplay|script|film|episode|story|it)\b"
    ),
    r"\bauthor|\bwrote\b|\bwritten\b|\bwriter\b": (
        rf"\b(?:written|{_BOOKS}){_BY}|\bwrote\b|\bauthor of\b|\bby (?:[\w-]+ ){{0,4}}?author\b"
    ),
    r"\bcompose": rf"\b(?:composed|composition|written|music|score|soundtrack|song|opera){_BY}|"
    r"\bcomposer\b",
    r"\bdirect": rf"\b(?:directed|direction|film){_BY}|\bdirector\b",
    r"\bproduce": rf"\bproduced{_BY}|\bproducer\b",
    r"\bcapital of\W*$": rf"\b(?:{_SEATS})\b[^.;]* of\b",
    r"\bcapital\b": rf"\b(?:{_SEATS})\b",
    r"\bfather\b": r"\b(?:son|daughter|child) of\b|\bfather(?: of)?\W+(?:[\w'’-]+ ){0,3}?"
    r"(?-i:[A-Z])|['’]s (?:[\w-]+ )?(?:son|daughter)\b",
    r"\bmother\b": r"\b(?:son|daughter|child) of\b|\bmother(?: of)?\W+(?:[\w'’-]+ ){0,3}?"
    r"(?-i:[A-Z])|\bborn to\b|\bwife\b",
    r"\b(?:wife|husband|spouse|married)\b": r"\b(?:wife|husband|spouse|married|wed)\b",
    r"\bsport": rf"\b(?:{_BALLS}|{_GAMES}|{_RACES})\b",
    r"\bgenre\b": rf"\b(?:is|was|are|were) (?:an?|the)\b[^.;]*\b(?:{_GENRES})\b|\bgenre of\b",
    r"\bcountry\b": r"\b(?:is|was) (?:an?|the|one)\b[^.;]* (?:in|of) (?:the )?(?-i:[A-Z])|"
    r"\b(?:located|found|situated)\b[^.;]* in\b",
    r"\breligion\b|\bdenomination\b|\bfaith\b": rf"\b(?:{_FAITHS})",
    r"\bcolou?r": r"\bcolou?rs?\b|\b(?:red|blue|green|yellow|white|black|orange|purple|pink)\b",
    r"\bfound(?:ed|er)|\bestablished\b": r"\b(?:founded|founders?|established|set up|formed)\b",
    r"\boccupation\b|\bprofession\b|^who (?:is|was)\b": r"\b(?:is|was) (?:an?|the|one)\b",
    r"\bwhen\b|\b(?:what|which) year\b": r"\b(?:1\d|20)\d\d\b",
}
_CUES = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE))
    for asked, said in _SAID_BY_ASKED.items()
)


def find_cue(question: str) -> re.Pattern[str] | None:
    """What a sentence that answers a question may hold; None where nothing is known of it.

    >>> bool(find_cue("Who was the director of Cats?").search("The film was directed by Ann Lee."))
    True
    """
    return next((said for asked, said in _CUES if asked.search(question)), None)
