"""Datasets of drafts with labels: FActScore's biographies, FactPrompt, WiCE.

Gold of biographies and FactPrompt: `facts`, of which each has `text` and `label` (whether it is
true). Biographies (Min et al., 2023; RAC corrects those of three models, RE-EX ChatGPT's) have
`entity`, the person, too, and `documents`, the Wikipedia article, where the method gets the page
that a search engine ranked first; their category is how popular the person is. FactPrompt has
`label`, whether the whole answer is true, and as web what a search found for the facts.
WiCE has `claim` and `label` (`supported`, `partially_supported`, `not_supported`); the question is
the article's title, as RE-EX asks (table 1).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_lines, read_rows
from errata.evals.datasets.sources import Form, beside, dataset_of, source
from errata.evals.items import Item

RAC = "jlab-nlp/Retrieval-Augmented-Correction publishes them"
FILES = {
    "google": "processed_retrieval_data/factscore_google_retrieval_post_trim_llama.out",
    "gold": "factscore/factscore_gold_retrieved.txt",
}
"""RAC's files of evidence by kind: a block for each of the 183 people, in the order of `PEOPLE`."""
PEOPLE = "factscore/prompt_entities.txt"
_LABELS = {"S": True, "NS": False}
"""Supported and not supported; facts with another label (`IR`, irrelevant) are left out."""


def _facts(pairs: Iterable[tuple[str, bool]]) -> list[dict[str, Any]]:
    return [{"text": text, "label": label} for text, label in pairs]


def as_documents(texts: Iterable[str], title: str) -> tuple[Document, ...]:
    """Numbered documents of one title."""
    numbered = enumerate(texts, start=1)
    return tuple(Document(id=f"d{place}", text=text, title=title) for place, text in numbered)


def _with_pages(evidence: str) -> Form:
    """Adds to our rows the pages of their evidence, their own or the folder's, and the article."""

    def form(rows: Sequence[Row], file: Path) -> Iterator[Row]:
        shared = {row["entity"]: row for row in read_rows(file.with_name("evidence.jsonl.gz"))}
        for row in rows:
            found = row if "google_page" in row else shared[row["entity"]]
            row["article"] = found["gold_passages"]
            texts = [found["google_page"]] if evidence == "google" else row["article"]
            row["pages"] = as_documents(texts, row["entity"])
            yield row

    return form


def _with_blocks(evidence: str) -> Form:
    """Adds to the authors' rows RAC's evidence, and the article if that lies there too.

    Answers without labels, which abstain, are left out.
    """

    def form(rows: Sequence[Row], file: Path) -> Iterator[Row]:
        pages = read_pages_of(file, evidence)
        has_articles = beside(file, FILES["gold"], Path(FILES["gold"]).name)
        articles = read_pages_of(file, "gold") if has_articles else {}
        for row in rows:
            if row.get("annotations", True):
                row["entity"] = person = str(row["topic"])
                row["pages"] = pages[person]
                row["article"] = [page.text for page in articles[person]] if articles else None
                yield row

    return form


def read_pages_of(file: Path, kind: str) -> dict[str, tuple[Document, ...]]:
    """RAC's evidence of a kind for each person, from the files beside another file.

    Texts end in a line of hyphens, and may begin with the token that begins a text. Raises
    InputError if the files are missing, or do not belong together.
    """
    blocks = beside(file, FILES[kind], Path(FILES[kind]).name)
    people = beside(file, PEOPLE, Path(PEOPLE).name)
    if not blocks or not people:
        wanted = f"{FILES[kind]} and {PEOPLE}"
        raise InputError(f"{file} lacks its evidence: expected {wanted} beside it ({RAC})")
    names = [line.strip() for line in read_lines(people) if line.strip()]
    lines = "".join(f"{line}\n" for line in read_lines(blocks))
    *texts, _ = re.split(r"^-----\n", lines, flags=re.MULTILINE)
    if len(texts) != len(names):
        raise InputError(f"{blocks} has {len(texts)} blocks, {people} {len(names)} people ({RAC})")
    pairs = zip(names, texts, strict=True)
    return {name: as_documents([text.removeprefix("<s>").strip()], name) for name, text in pairs}


def _add_biographies(name: str, model: str, ours: int, evidence: str) -> None:
    """Add our file of a model, and FActScore's; evidence: `google` or `gold`."""

    def biography(row: Row, facts: list[dict[str, Any]], **own: Any) -> Item:
        person = row["entity"]
        gold = {"entity": person, "facts": facts, "documents": row["article"]}
        if evidence == "gold" or row["article"] is None:
            del gold["documents"]
        return Item(**{"id": f"{model}:{person}", "documents": row["pages"], "gold": gold} | own)

    @source(name, f"factscore-bio/{model.lower()}.jsonl.gz", ours, form=_with_pages(evidence))
    def _(row: Row, _: int) -> Item:
        own = {"question": row["prompt"], "draft": row["response"], "category": row["popularity"]}
        facts = _facts((fact["text"], fact["label"]) for fact in row["facts"])
        return biography(row, facts, id=row["id"], **own)

    @source(
        name,
        f"data/labeled/{model}.jsonl",
        183,
        "shmsw25/FActScore publishes it",
        _with_blocks(evidence),
    )
    def _(row: Row, _: int) -> Item:
        facts = _facts(
            (fact["text"], _LABELS[fact["label"]])
            for sentence in row["annotations"]
            for fact in sentence["human-atomic-facts"] or ()
            if fact["label"] in _LABELS
        )
        own = {"question": row["input"].removeprefix("Question: "), "category": row["cat"][0]}
        return biography(row, facts, draft=row["output"], **own)


BIOGRAPHIES = {
    "chatgpt": "biography",
    "instructgpt": "biography-instructgpt",
    "perplexityai": "biography-perplexityai",
}
"""The datasets with a web page, by the models whose biographies FActScore labels."""
_add_biographies("biography", "ChatGPT", 80, "google")
_add_biographies("biography-gold", "ChatGPT", 80, "gold")
_add_biographies("biography-instructgpt", "InstructGPT", 94, "google")
_add_biographies("biography-perplexityai", "PerplexityAI", 86, "google")


@source("factprompt", "factprompt/factprompt.jsonl.gz", 24)
def _(row: Row, _: int) -> Item:
    facts = _facts((fact["text"], fact["label"]) for fact in row["facts"])
    found = dict.fromkeys(text for fact in row["facts"] for text in fact["snippets"])
    return Item(
        id=row["id"],
        question=row["prompt"],
        draft=row["response"],
        web=tuple(Document(text=text) for text in found),
        gold={"label": row["response_label"], "facts": facts},
    )


@source(
    "factprompt",
    "datasets/knowledge_qa/knowledge_qa.jsonl",
    50,
    "GAIR-NLP/factool publishes it",
)
def _(row: Row, place: int) -> Item:
    facts = _facts((fact["claim"], fact["label"]) for fact in row["claims"])
    own = {"question": row["prompt"], "draft": row["response"]}
    return Item(id=f"factprompt:{place}", gold={"label": row["label"], "facts": facts}, **own)


def _claim(name: str, title: str, claim: str, label: str, evidence: Sequence[str] = ()) -> Item:
    page = Document(id="d1", text="\n".join(evidence), title=title)
    return Item(
        id=name,
        question=title,
        draft=claim,
        documents=(page,) if evidence else (),
        gold={"claim": claim, "label": label},
    )


@source("wice", "wice/claims_test.jsonl.gz", 185)
def _(row: Row, _: int) -> Item:
    return _claim(row["id"], row["title"], row["claim"], row["label"], row["evidence"])


@source("wice", "data/entailment_retrieval/claim/test.jsonl", 358, "ryokamoi/wice publishes it")
def _(row: Row, _: int) -> Item:
    about = row["meta"]
    return _claim(about["id"], about["claim_title"], row["claim"], row["label"], row["evidence"])


_LABELLED = "facts claims overcorrection"
_MIN = "biographies in FActScore, with"
DATASETS = (
    dataset_of("biography", _LABELLED, f"ChatGPT's {_MIN} a web page; MIT"),
    dataset_of("biography-gold", _LABELLED, f"ChatGPT's {_MIN} the Wikipedia article; MIT"),
    dataset_of("biography-instructgpt", _LABELLED, f"InstructGPT's {_MIN} a web page; MIT"),
    dataset_of("biography-perplexityai", _LABELLED, f"PerplexityAI's {_MIN} a web page; MIT"),
    dataset_of(
        "factprompt",
        f"detection {_LABELLED}",
        "FactPrompt (Chern et al., 2023): 50 answers of ChatGPT; Apache-2.0",
    ),
    dataset_of(
        "wice",
        "detection claims",
        "WiCE's test claims (Kamoi et al., 2023) with cited pages; ODC-BY, CC BY-SA",
    ),
)
