"""Pairs about invented things: notes on two of a kind, with claims in other words.

Knowing the world does not help with them, and the right figure of the other thing stands near.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from errata.tools.text.entities import MONTHS
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, Labels, Pair

Draw = Callable[[Random], str]
_FIRST = "Mara Jonas Ilse Tomas Priya Kenji Amina Lucas Freya Omar Nadia Victor Elena Samuel Rosa Anton Leila Hugo Greta Diego Wanda Felix Irene Malik".split()
_LAST = "Voss Tanaka Okoye Lindqvist Moreau Haddad Petrov Salazar Brandt Quinn Iyer Novak Abbott Ferrari Castell Dunmore Eklund Farrow Grieve Holm".split()
_STARTS = "Har Bel Tor Mil Ash Cor Wes Nor Lan Sel Dun Fen Gre Kel Mor Os Pel Rad Stan Var".split()
_ENDS = "wick ford by ton mere dale holm field stead bury vale port haven crest mouth gate".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def _choice(*values: str) -> Draw:
    return lambda random: random.choice(values)


def _place(random: Random) -> str:
    return random.choice(_STARTS) + random.choice(_ENDS)


def _person(random: Random) -> str:
    return f"{random.choice(_FIRST)} {random.choice(_LAST)}"


def _date(random: Random) -> str:
    return f"{random.randint(1, 28)} {random.choice(MONTHS)} {random.randint(1960, 2024)}"


def _year(random: Random) -> str:
    return str(random.randint(1890, 2024))


def _money(random: Random) -> str:
    value = random.choice((random.randint(2, 90), random.randint(1, 95) / 10))
    return f"{random.choice('$€£')}{value:g} {random.choice(('million', 'billion', 'thousand'))}"


def _price(random: Random) -> str:
    return f"{random.choice('$€£')}{random.randint(2, 400)}"


def _time(random: Random) -> str:
    return f"{random.randint(6, 11)}:{random.choice(('00', '15', '30', '45'))} {random.choice(('a.m.', 'p.m.'))}"


def _count(low: int, high: int, *units: str) -> Draw:
    def draw(random: Random) -> str:
        value = random.randint(low, high)
        return f"{value:,} {random.choice(units)}" if units else f"{value:,}"

    return draw


_OPPOSED = {
    "allowed": "forbidden",
    "required": "optional",
    "accepted": "rejected",
    "approved": "refused",
    "rose": "fell",
    "increased": "decreased",
    "public": "private",
    "succeeded": "failed",
}
"""Values that exclude each other; the values on one side do not."""


@dataclass(frozen=True)
class Trait:
    """Something that notes tell of a thing: `{x}` is the thing, `{v}` the value."""

    key: str
    draw: Draw
    notes: tuple[str, ...]
    claims: tuple[str, ...]


def _trait(key: str, draw: Draw, notes: str, claims: str) -> Trait:
    return Trait(key, draw, tuple(notes.split("|")), tuple(claims.split("|")))


def _opposed(key: str, words: str, notes: str, claims: str) -> Trait:
    values = [word for word in words.split() if word in _OPPOSED]
    both = [*values, *(_OPPOSED[word] for word in values)]
    return _trait(key, _choice(*both), notes, claims)


KINDS: Mapping[str, tuple[Trait, ...]] = {
    "Bridge": (
        _trait("Opened", _date, "{x} was opened to traffic on {v}.|Traffic has used {x} since {v}.", "{x} opened on {v}.|The opening of {x} took place on {v}.|On {v}, {x} was opened."),
        _trait("Cost", _money, "Building {x} cost {v}.|The bill for {x} came to {v}.", "{x} cost {v} to build.|{v} was spent on {x}."),
        _trait("Length", _count(80, 4000, "m", "metres", "feet"), "{x} is {v} long.|Its deck, that of {x}, measures {v}.", "The length of {x} is {v}.|{x} has a length of {v}."),
        _trait("Engineer", _person, "{v} designed {x}.|The engineer of {x} was {v}.", "{x} was designed by {v}.|{v} was the engineer behind {x}."),
        _opposed("Cycling", "allowed", "On {x}, cycling is {v}.", "Cycling is {v} on {x}.|Cyclists will find that riding on {x} is {v}."),
    ),
    "Works": (
        _trait("Founded", _year, "{x} was founded in {v}.|Founded in {v}, {x} still makes tools.", "{x} has existed since {v}.|The company {x} was established in {v}.|In {v}, {x} was set up."),
        _trait("Head", _person, "{v} heads {x}.|{x} is run by {v}.", "The head of {x} is {v}.|{v} is in charge of {x}."),
        _trait("Staff", _count(12, 9000, "people", "workers"), "{x} employs {v}.|There are {v} on the payroll of {x}.", "{v} work at {x}.|The workforce of {x} is {v}."),
        _trait("Revenue", _money, "{x} had revenue of {v} last year.|Last year {x} took in {v}.", "Last year's revenue of {x} was {v}.|{x} earned revenue of {v} last year."),
        _opposed("Sales", "rose increased", "Sales of {x} {v} in the last quarter.", "In the last quarter, sales of {x} {v}.|{x} saw its sales in the last quarter: they {v}."),
        _trait("Seat", _place, "{x} has its head office in {v}.|The head office of {x} is in {v}.", "{x} is based in {v}.|{v} is where {x} has its headquarters."),
    ),
    "Museum": (
        _trait("Closed on", _choice(*_DAYS), "{x} is closed on {v}s.|There is no admission to {x} on {v}s.", "{x} does not open on {v}s.|On {v}s, {x} is closed."),
        _trait("Ticket", _price, "A ticket to {x} costs {v}.|Adults pay {v} at {x}.", "Admission to {x} is {v} for an adult.|{x} charges {v} for a ticket."),
        _trait("Visitors", _count(900, 900000), "{x} had {v} visitors last year.|Last year {v} people came to {x}.", "{v} people visited {x} last year.|The number of last year's visitors to {x} was {v}."),
        _trait("Director", _person, "{v} is the director of {x}.|{x} is directed by {v}.", "The director of {x} is called {v}.|{v} directs {x}."),
        _opposed("Photography", "allowed", "Photography is {v} in {x}.", "Taking photographs in {x} is {v}.|In {x}, photography is {v}."),
        _trait("Opens at", _time, "{x} opens at {v}.|The doors of {x} open at {v}.", "Visitors can enter {x} from {v}.|{v} is when {x} opens."),
    ),
    "Trial": (
        _trait("Patients", _count(20, 5000, "patients", "adults", "children"), "{x} enrolled {v}.|{v} took part in {x}.", "The number enrolled in {x} was {v}.|{x} had {v} as participants."),
        _trait("Dose", _count(1, 900, "mg", "g", "ml"), "The dose in {x} was {v} a day.|In {x}, participants took {v} daily.", "Participants of {x} received {v} per day.|{x} tested a daily dose of {v}."),
        _trait("Length", _count(2, 60, "weeks", "months", "days"), "{x} lasted {v}.|{x} ran for {v}.", "The duration of {x} was {v}.|It took {v} to complete {x}."),
        _opposed("Pain", "increased", "In {x}, pain {v} with treatment.", "With treatment, pain {v} in {x}.|{x} found that pain {v} under treatment."),
        _opposed("Result", "succeeded", "{x} {v}.|By its own measure, {x} {v}.", "The outcome: {x} {v}.|{x}, as a study, {v}."),
        _trait("Lead", _person, "{v} led {x}.|{x} was led by {v}.", "The leader of {x} was {v}.|{v} was the lead investigator of {x}."),
    ),
    "Lake": (
        _trait("Depth", _count(3, 400, "m", "feet"), "{x} is {v} deep.|The greatest depth of {x} is {v}.", "{x} reaches a depth of {v}.|At its deepest, {x} measures {v}."),
        _trait("Area", _count(2, 900, "hectares", "square kilometres"), "{x} covers {v}.|The area of {x} is {v}.", "{x} has an area of {v}.|{v} is the surface of {x}."),
        _opposed("Swimming", "allowed", "Swimming in {x} is {v}.", "In {x}, swimming is {v}.|It is {v} to swim in {x}."),
        _opposed("Shore", "public", "The shore of {x} is {v}.", "{x} has a {v} shore.|The land around {x} is {v}."),
        _trait("Nearest town", _place, "The town nearest to {x} is {v}.|{v} lies closest to {x}.", "{x} lies near {v}.|The closest town to {x} is {v}."),
    ),
    "Cup": (
        _trait("Winner", _place, "{v} won {x}.|{x} went to {v}.", "The winner of {x} was {v}.|{x} was won by {v}."),
        _trait("Runner-up", _place, "{v} came second in {x}.|The runner-up of {x} was {v}.", "{v} lost the final of {x}.|In {x}, second place went to {v}."),
        _trait("Top scorer", _person, "{v} scored most goals in {x}.|The top scorer of {x} was {v}.", "Nobody scored more goals in {x} than {v}.|{v} was the best scorer of {x}."),
        _trait("Teams", _count(4, 64), "{v} teams took part in {x}.|{x} was played by {v} teams.", "There were {v} teams in {x}.|The number of teams in {x} was {v}."),
        _trait("Final", _date, "The final of {x} was played on {v}.|On {v}, {x} was decided.", "{x} ended with a final on {v}.|The date of the final of {x} was {v}."),
    ),
    "Course": (
        _trait("Fee", _price, "The fee for {x} is {v}.|{x} costs {v}.", "Taking {x} costs {v}.|Students pay {v} for {x}."),
        _trait("Places", _count(5, 200), "{x} has {v} places.|At most {v} students can join {x}.", "No more than {v} students can take {x}.|{v} places are available in {x}."),
        _trait("Deadline", _date, "Applications for {x} close on {v}.|The deadline of {x} is {v}.", "Students must apply for {x} by {v}.|{v} is the last day to apply for {x}."),
        _opposed("Attendance", "required", "Attendance of {x} is {v}.", "Students' attendance at {x} is {v}.|To attend {x} is {v}."),
        _trait("Teacher", _person, "{v} teaches {x}.|{x} is taught by {v}.", "The teacher of {x} is {v}.|{x} has {v} as its teacher."),
        _trait("Day", _choice(*_DAYS), "{x} meets on {v}s.|Every {v}, {x} takes place.", "{x} is held on {v}s.|The day of {x} is {v}."),
    ),
    "Bill": (
        _opposed("Vote", "accepted approved", "The council {v} {x}.|After a long debate the council {v} {x}.", "{x} was {v} by the council.|The council's decision: {x} was {v}."),
        _trait("Votes", _count(2, 90), "{v} members voted for {x}.|{x} got {v} votes.", "{x} was backed by {v} members.|The number of votes for {x} was {v}."),
        _trait("Sponsor", _person, "{v} proposed {x}.|{x} was put forward by {v}.", "{x} was proposed by {v}.|The sponsor of {x} is {v}."),
        _trait("Budget", _money, "{x} sets aside {v}.|A sum of {v} is foreseen in {x}.", "{x} provides {v}.|The budget in {x} amounts to {v}."),
        _trait("In force", _date, "{x} takes effect on {v}.|From {v} on, {x} applies.", "{x} comes into force on {v}.|The start date of {x} is {v}."),
    ),
}  # fmt: skip
_NAMES: Mapping[str, str] = {
    "Bridge": "the {} Bridge", "Works": "{} Works", "Museum": "the {} Museum", "Trial": "the {} trial",
    "Lake": "Lake {}", "Cup": "the {} Cup", "Course": "the {} course", "Bill": "the {} bill",
}  # fmt: skip


def exclude(first: str, second: str) -> bool:
    """Whether two values of a trait cannot both be right."""
    sides = [value in _OPPOSED for value in (first, second)]
    is_opposed = any(value in _OPPOSED or value in _OPPOSED.values() for value in (first, second))
    return sides[0] != sides[1] if is_opposed else first != second


@dataclass(frozen=True)
class _Thing:
    name: str
    values: Mapping[str, str]


def invented_pairs(count: int, random: Random) -> Iterator[Pair]:
    """Bundles of pairs on `count` notes."""
    for number in range(count):
        kind = random.choice(sorted(KINDS))
        things = [_invent(kind, random) for _ in range(3)]
        traits = random.sample(KINDS[kind], 4)
        for first, second, labels in _bundle(things, traits, random):
            group = f"invented:{number}"
            yield Pair(group, f"invented {kind.lower()}", first, second, labels, group)


def _invent(kind: str, random: Random) -> _Thing:
    values = {trait.key: trait.draw(random) for trait in KINDS[kind]}
    return _Thing(_NAMES[kind].format(_place(random)), values)


def _bundle(
    things: Sequence[_Thing], traits: Sequence[Trait], random: Random
) -> Iterator[tuple[str, str, Labels]]:
    """True claims, false ones with another value, and one that the notes leave open."""
    own, other, absent = things
    asked, untold = traits[0], traits[-1]
    text = _write_notes((own, other), traits[:-1], random)
    first, second = random.sample(asked.claims, 2)
    value, rival = own.values[asked.key], other.values[asked.key]
    yield _state(first, own.name, value), text, SUPPORTED
    yield _state(second, own.name, value), text, SUPPORTED
    for template, wrong in ((first, rival), (second, asked.draw(random))):
        if exclude(wrong, value):
            yield _state(template, own.name, wrong), text, REFUTED
    if random.random() < 0.5:
        foreign = random.choice((value, absent.values[asked.key]))
        yield _state(first, absent.name, foreign), text, NOT_MENTIONED
    else:
        claim = random.choice(untold.claims)
        yield _state(claim, own.name, own.values[untold.key]), text, NOT_MENTIONED


def _write_notes(things: Sequence[_Thing], traits: Sequence[Trait], random: Random) -> str:
    """Sentences or key-value lines on all things, in some order."""
    if random.random() < 0.3:
        blocks = [_write_lines(thing, random.sample(traits, len(traits))) for thing in things]
        return " ".join(random.sample(blocks, len(blocks)))
    told = [(thing, trait) for thing in things for trait in traits]
    keep = [told[0], *random.sample(told[1:], random.randint(1, 3))]
    if random.random() < 0.7 and (things[1], traits[0]) not in keep:
        keep.append((things[1], traits[0]))
    random.shuffle(keep)
    notes = (_state(random.choice(t.notes), x.name, x.values[t.key]) for x, t in keep)
    return " ".join(notes)


def _write_lines(thing: _Thing, traits: Sequence[Trait]) -> str:
    title = thing.name[:1].upper() + thing.name[1:]
    return f"{title} " + " ".join(f"{trait.key}: {thing.values[trait.key]}" for trait in traits)


def _state(template: str, name: str, value: str) -> str:
    text = template.format(x=name, v=value)
    return text[:1].upper() + text[1:]
