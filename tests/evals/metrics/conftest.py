import pytest

from errata.core.records import Answer, Claim, Document, Verdict
from errata.evals.items import Item, Row
from example import correction_of


@pytest.fixture
def item():
    """Makes an item of a gold, and whatever else is named."""
    return lambda gold=None, name="i", **others: Item(
        **({"id": name, "question": "Who was Ada?", "gold": gold or {}} | others)
    )


@pytest.fixture
def correction():
    """Makes a correction of a draft, with a verdict of each label on each claim."""

    def make(draft="Ada was a countess.", response=None, labels=(), label="supported", **others):
        claims, verdicts = [], []
        for n, (text, value) in enumerate(labels):
            claims.append(Claim(id=f"c{n}", text=text, start=0, end=1))
            is_whole = isinstance(value, Verdict)
            verdicts.append(value if is_whole else Verdict(claim=f"c{n}", label=value))
        fields = {"claims": tuple(claims), "verdicts": tuple(verdicts), "label": label}
        fields |= {"question": "Who was Ada?", "documents": (Document(id="d1", text="A page."),)}
        return correction_of(draft, response, **fields | others)

    return make


@pytest.fixture
def answer():
    """Makes an answer of a response."""
    return lambda response, **others: Answer(
        method="crag", question="?", response=response, action="correct", **others
    )


@pytest.fixture
def scored():
    """Scores pairs of an item and its result; the rows."""

    async def score(scorer, *pairs):
        scores = [{scorer.name: await scorer.score(*pair)} for pair in pairs]
        return [
            Row(item=item, result=result, scores=own)
            for (item, result), own in zip(pairs, scores, strict=True)
        ]

    return score


@pytest.fixture
def figured(scored):
    """The figures of a scorer over pairs of an item and its result, by name."""

    async def count(scorer, *pairs):
        return scorer.figures(await scored(scorer, *pairs))

    return count


class SaidJudge:
    """A judge whose word on each statement is given; what it lacks it cannot tell."""

    def __init__(self, **relations):
        self.relations = relations
        self.asked = []

    async def __call__(self, question, statements, documents):
        self.asked.append((question, tuple(statements), tuple(page.text for page in documents)))
        return tuple(self.relations.get(text.strip(".").split()[-1]) for text in statements)


@pytest.fixture
def said():
    """Makes a judge by its word on statements, which their last word names."""
    return SaidJudge
