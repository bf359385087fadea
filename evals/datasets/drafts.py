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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.datasets.biographies import as_documents, with_evidence
from errata.evals.datasets.rows import Row, read_lines, read_list
from errata.evals.datasets.sources import SHARED, Of, Source, beside, dataset_of, group_of, of
from errata.evals.items import Dataset

RAC = "jlab-nlp/Retrieval-Augmented-Correction publishes them"
REEX = "juyeonnn/ReEx publishes it"
FILES = {
    "google": "processed_retrieval_data/factscore_google_retrieval_post_trim_llama.out",
    "gold": "factscore/factscore_gold_retrieved.txt",
}
"""RAC's files of evidence by kind: a block for each of the 183 people, in the order of `PEOPLE`."""
PEOPLE = "factscore/prompt_entities.txt"
_OURS = {"ChatGPT": 80, "InstructGPT": 94, "PerplexityAI": 86}
"""The rows of our files."""
_LABELLED = 183
"""The rows of FActScore's files; answers without labels, which abstain, are left out."""
_BLOCK_END = "-----"
_PERSON = re.compile(r"Tell me a bio of (.+)\.")
_LABELS = {"S": True, "NS": False}
"""Supported and not supported; facts with another label (`IR`, irrelevant) are left out."""
Fields = Mapping[str, str | Of]
Facts = list[dict[str, Any]]


def _facts(facts: Sequence[Row], text: str = "text") -> Facts:
    return [{"text": fact[text], "label": fact["label"]} for fact in facts]


def _annotated_facts(annotations: Sequence[Row]) -> Facts:
    """The facts of FActScore's sentences that people called supported or not."""
    return [
        {"text": fact["text"], "label": _LABELS[fact["label"]]}
        for sentence in annotations
        for fact in sentence["human-atomic-facts"] or ()
        if fact["label"] in _LABELS
    ]


def _reex_facts(annotation: Row) -> Facts:
    pairs = zip(annotation["content"], annotation["label"], strict=True)
    return [{"text": text, "label": label} for text, label in pairs]


def _snippets(facts: Sequence[Row]) -> tuple[Document, ...]:
    texts = dict.fromkeys(text for fact in facts for text in fact["snippets"])
    return tuple(Document(text=text) for text in texts)


def _with_pages(evidence: str) -> Callable[[Sequence[Row], Path], Iterator[Row]]:
    """Adds to our rows the pages of their evidence, and the article."""

    def prepare(rows: Sequence[Row], file: Path) -> Iterator[Row]:
        for row, found in with_evidence(rows, file.parent):
            article = found["gold_passages"]
            texts = [found["google_page"]] if evidence == "google" else article
            yield {**row, "pages": as_documents(texts, row["entity"]), "article": article}

    return prepare


def _with_blocks(
    evidence: str, person_of: Callable[[Row, Path], str]
) -> Callable[[Sequence[Row], Path], Iterator[Row]]:
    """Adds to the authors' rows RAC's evidence, and the article if that lies there too."""

    def prepare(rows: Sequence[Row], file: Path) -> Iterator[Row]:
        pages = read_evidence(file, evidence)
        has_articles = beside(file, FILES["gold"], Path(FILES["gold"]).name)
        articles = read_evidence(file, "gold") if has_articles and evidence != "gold" else {}
        for row in rows:
            if row.get("annotations", True):
                person = person_of(row, file)
                article = [page.text for page in articles[person]] if articles else None
                yield {**row, "entity": person, "pages": pages[person], "article": article}

    return prepare


def read_evidence(file: Path, kind: str) -> dict[str, tuple[Document, ...]]:
    """RAC's evidence of a kind for each person, from the files beside another file.

    Raises InputError if they are missing, or do not belong together.
    """
    blocks = beside(file, FILES[kind], Path(FILES[kind]).name)
    people = beside(file, PEOPLE, Path(PEOPLE).name)
    if not blocks or not people:
        wanted = f"{FILES[kind]} and {PEOPLE}"
        raise InputError(f"{file} lacks its evidence: expected {wanted} beside it ({RAC})")
    names = [row["text"].strip() for row in read_lines(people) if row["text"].strip()]
    texts = list(_blocks(blocks))
    if len(texts) != len(names):
        raise InputError(f"{blocks} has {len(texts)} blocks, {people} {len(names)} people ({RAC})")
    pairs = zip(names, texts, strict=True)
    return {name: as_documents([text], name) for name, text in pairs}


def _blocks(path: Path) -> Iterator[str]:
    """The texts that end in a line of hyphens, without the token that begins a text."""
    lines: list[str] = []
    for row in read_lines(path):
        if row["text"] == _BLOCK_END:
            yield "\n".join(lines).removeprefix("<s>").strip()
            lines = []
        else:
            lines.append(row["text"])


def _asked_person(row: Row, file: Path) -> str:
    if found := _PERSON.fullmatch(row["input"]):
        return found[1]
    got = f"got {row['input']!r}"
    raise InputError(f"{file}: expected questions like 'Tell me a bio of NAME.'; {got}")


def biography_sources(model: str, evidence: str) -> tuple[Source, ...]:
    """Our file of a model, FActScore's, and RE-EX's of ChatGPT; evidence is `google` or `gold`."""
    about: dict[str, str | Of] = {"documents": "pages", "gold.entity": "entity"}
    about |= {} if evidence == "gold" else {"gold.documents": "article"}
    authors: Fields = {**about, "group": group_of("entity", "entity"), "id": f"{model}:{{entity}}"}
    ours = Source(
        path=f"factscore-bio/{model.lower()}.jsonl.gz",
        rows=_OURS[model],
        where=SHARED,
        needs=("id", "group", "entity", "popularity", "prompt", "response", "facts"),
        prepare=_with_pages(evidence),
        fields={
            **about,
            "id": "id",
            "question": "prompt",
            "draft": "response",
            "gold.facts": of(_facts, "facts"),
            "category": "popularity",
            "group": "group",
        },
    )
    factscore = Source(
        path=f"data/labeled/{model}.jsonl",
        rows=_LABELLED,
        where="shmsw25/FActScore publishes it",
        needs=("input", "output", "topic", "cat", "annotations"),
        prepare=_with_blocks(evidence, lambda row, _: str(row["topic"])),
        fields={
            **authors,
            "question": of(lambda text: text.removeprefix("Question: "), "input"),
            "draft": "output",
            "gold.facts": of(_annotated_facts, "annotations"),
            "category": of(lambda popularity: popularity[0], "cat"),
        },
    )
    reex = Source(
        path="data/factscore.json",
        rows=157,
        where=REEX,
        read=read_list,
        needs=("input", "annotation", "initial_response"),
        prepare=_with_blocks(evidence, _asked_person),
        fields={
            **authors,
            "question": "input",
            "draft": of(" ".join, "initial_response"),
            "gold.facts": of(_reex_facts, "annotation"),
        },
    )
    return (ours, factscore, reex) if model == "ChatGPT" else (ours, factscore)


def _biography(name: str, model: str, evidence: str) -> Dataset:
    pages = "a web page" if evidence == "google" else "the Wikipedia article"
    description = f"{model}'s biographies in FActScore (Min et al., 2023), with {pages}; MIT"
    sources = biography_sources(model, evidence)
    return dataset_of(name, description, sources, "facts", "claims", "overcorrection")


FACTPROMPT = (
    Source(
        path="factprompt/factprompt.jsonl.gz",
        rows=24,
        where=SHARED,
        fields={
            "id": "id",
            "group": "group",
            "question": "prompt",
            "draft": "response",
            "gold.label": "response_label",
            "gold.facts": of(_facts, "facts"),
            "web": of(_snippets, "facts"),
        },
    ),
    Source(
        path="datasets/knowledge_qa/knowledge_qa.jsonl",
        rows=50,
        where="GAIR-NLP/factool publishes it",
        fields={
            "id": "factprompt:{place}",
            "question": "prompt",
            "draft": "response",
            "gold.facts": of(partial(_facts, text="claim"), "claims"),
            "gold.label": "label",
            "group": group_of("prompt", "prompt"),
        },
    ),
    Source(
        path="data/factprompt.json",
        rows=50,
        where=REEX,
        read=read_list,
        fields={
            "id": "factprompt:{id}",
            "question": "input",
            "gold.label": "label",
            "gold.facts": of(_reex_facts, "annotation"),
            "group": group_of("prompt", "input"),
            "draft": of(" ".join, "initial_response"),
        },
    ),
)


def _page(title: str, sentences: Sequence[str]) -> tuple[Document, ...]:
    return (Document(id="d1", text="\n".join(sentences), title=title),) if sentences else ()


def _with_title(rows: Sequence[Row], _: Path) -> Iterator[Row]:
    """The rows of WiCE's authors with the names that are in `meta`."""
    for row in rows:
        yield {**row, "id": row["meta"]["id"], "title": row["meta"]["claim_title"]}


def _reex_claims(rows: Sequence[Row], _: Path) -> Iterator[Row]:
    """RE-EX's rows have no page, and tell only what is supported in full from the rest."""
    for row in rows:
        label = "supported" if row["label"] else "not_supported"
        claim, name = " ".join(row["initial_response"]), f"wice:{row['id']}"
        yield {"id": name, "title": row["input"], "claim": claim, "label": label, "evidence": ()}


_CLAIM: Fields = {
    "id": "id",
    "question": "title",
    "draft": "claim",
    "gold.claim": "claim",
    "gold.label": "label",
    "documents": of(_page, "title", "evidence"),
    "group": group_of("wice", "title"),
}
WICE = (
    Source(path="wice/claims_test.jsonl.gz", rows=185, where=SHARED, fields=_CLAIM),
    Source(
        path="data/entailment_retrieval/claim/test.jsonl",
        rows=358,
        where="ryokamoi/wice publishes it",
        needs=("claim", "label", "evidence", "meta"),
        prepare=_with_title,
        fields=_CLAIM,
    ),
    Source(
        path="data/wice.json",
        rows=358,
        where=REEX,
        read=read_list,
        needs=("id", "input", "label", "initial_response"),
        prepare=_reex_claims,
        fields=_CLAIM,
    ),
)
_BIOGRAPHIES = (
    _biography("biography", "ChatGPT", "google"),
    _biography("biography-gold", "ChatGPT", "gold"),
    _biography("biography-instructgpt", "InstructGPT", "google"),
    _biography("biography-perplexityai", "PerplexityAI", "google"),
)
_OTHERS = (
    dataset_of(
        "factprompt",
        "FactPrompt (Chern et al., 2023): 50 answers of ChatGPT; Apache-2.0",
        FACTPROMPT,
        *("detection", "facts", "claims", "overcorrection"),
    ),
    dataset_of(
        "wice",
        "WiCE's test claims (Kamoi et al., 2023) with cited pages; ODC-BY, CC BY-SA",
        WICE,
        *("detection", "claims"),
    ),
)
DATASETS: Mapping[str, Dataset] = {each.name: each for each in (*_BIOGRAPHIES, *_OTHERS)}
