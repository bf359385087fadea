"""The local filler of RAC's extract role: claims by rules of English."""

from collections.abc import Sequence

from errata.records import Claim
from errata.tools.text.clauses import find_subject, parse_clauses
from errata.tools.text.entities import find_entities
from errata.tools.text.pronouns import replace_pronoun
from errata.tools.text.questions import question_entity
from errata.tools.text.ranking import Ranking
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import split_words

_ANY = frozenset(("it", "its", "they", "their"))


def extract(question: str, draft: str, language: str = "en") -> list[Claim]:
    """Split a draft into self-contained claims, each with its sentence's place.

    A pronoun that leads a clause is replaced by the last subject that was named, or by the name
    in the question (RAC section 3.3: independent facts without pronouns). In a language other than
    English every sentence is one claim, as it stands.
    """
    found: list[Claim] = []
    if language != "en":
        places = enumerate(split_sentences(draft, language), start=1)
        return [Claim(id=f"c{n}", text=draft[a:b], start=a, end=b) for n, (a, b) in places]
    for start, end, name in locate_sentences(question, draft):
        for leaf in parse_clauses(draft[start:end], name).leaves():
            found.append(
                Claim(id=f"c{len(found) + 1}", text=_opened(leaf.claim), start=start, end=end)
            )
    return found


def place_claims(draft: str, texts: Sequence[str]) -> list[Claim]:
    """Make claims of texts, each at the sentence of the draft that it shares most words with."""
    places = split_sentences(draft) or [(0, len(draft))]
    ranking = Ranking([[w.stem for w in split_words(draft[a:b])] for a, b in places])
    claims = []
    for number, text in enumerate(texts, start=1):
        best = ranking.best([word.stem for word in split_words(text)], 1)
        start, end = places[best[0][0]] if best else (0, len(draft))
        claims.append(Claim(id=f"c{number}", text=text, start=start, end=end))
    return claims


def locate_sentences(question: str, draft: str) -> list[tuple[int, int, str]]:
    """Give every sentence's place, and the name that a leading pronoun in it stands for."""
    person = question_entity(question)
    thing = person
    result = []
    for start, end in split_sentences(draft):
        subject = find_subject(draft[start:end])
        pronoun = subject.lower().split(" ")[0]
        result.append((start, end, thing if pronoun in _ANY else person))
        if subject and replace_pronoun(subject, "x") == subject:
            thing = subject
            person = person if not _is_name(subject) else _fuller(subject, person)
    return result


def _opened(claim: str) -> str:
    return claim[:1].upper() + claim[1:]


def _is_name(subject: str) -> bool:
    found = find_entities(subject)
    return len(found) == 1 and found[0].kind == "name" and found[0].text == subject


def _fuller(subject: str, person: str) -> str:
    """Keep the full name where the subject only repeats a part of it."""
    return person if subject in person.split() else subject
