"""Sets of claims that people labelled beside their evidence, for verifiers.

Gold: `claim`; `label`, which is `supported`, `partially_supported`, `not_supported`, `refuted` or
`nei` (not mentioned). The draft is the claim. Rows without evidence, and those on which people
could not decide, are left out. A function for each set of authors brings their rows into the form
of our files: `id`, `claim`, `evidence` and `label`, and where they have them `title`, `question`
and `category`; it raises ValueError for a label that it does not know.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_rows
from errata.evals.datasets.sources import SHARED, Form, dataset_of, source
from errata.evals.items import Item
from errata.tools.text.questions import answer_in_full

LABELS = {
    "supports": "supported",
    "support": "supported",
    "completely-support": "supported",
    "fully attributable": "supported",
    "partially-support": "partially_supported",
    "refutes": "refuted",
    "refute": "refuted",
    "contradict": "refuted",
    "neutral": "nei",
    "irrelevant": "nei",
    "not fully attributable": "not_supported",
    "generic": "generic",
}
"""The authors' labels in lower case, and ours."""
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
Rows = Sequence[Row]


def _read(name: str, claim: str, evidence: str, label: str, **others: Any) -> Row:
    """A row in the form of our files, with our name of an authors' label."""
    if label.strip().lower() not in LABELS:
        raise ValueError(f"unknown label {label!r}; known: {', '.join(LABELS)}")
    own = {"id": name, "claim": claim, "evidence": evidence}
    return own | {"label": LABELS[label.strip().lower()], **others}


def _with_brackets(text: str) -> str:
    for code, bracket in _BRACKETS.items():
        text = text.replace(code, bracket)
    return text


def title_of(row: Row) -> str:
    """The title of a row's evidence; empty if it has none or several."""
    titles = row.get("titles") or [row.get("title") or ""]
    return str(titles[0]) if len(set(titles)) == 1 else ""


def _decided(form: Form) -> Form:
    """The rows of a form that have evidence, as a page, and on whose label people could decide."""

    def decide(rows: Rows, file: Path) -> Iterator[Row]:
        for row in form(rows, file):
            found = row["evidence"]
            evidence = found if isinstance(found, str) else " ".join(found)
            if evidence and row.get("binary", 0) is not None:
                row["page"] = Document(id="d1", text=evidence, title=title_of(row))
                yield row

    return decide


_OURS = _decided(lambda rows, _: rows)


def _item(row: Row, _: int = 0) -> Item:
    claim = row["claim"]
    return Item(
        id=row["id"],
        question=row.get("question") or row.get("message") or "",
        draft=claim,
        documents=(row["page"],),
        gold={"claim": claim, "label": row["label"]},
        category=row.get("category") or row.get("corpus") or row.get("domain") or "",
        group=row.get("group") or f"claim:{claim.lower()}",
    )


def read_claims(folder: Path, name: str) -> Iterator[Item]:
    """The claims of a set in our form, its own or another; a bare answer stands with its question.

    Partly supported counts as not supported, as in the sets' own binary labels.
    """
    path = folder / f"{name}.jsonl.gz"
    for row in _OURS(list(read_rows(path)), path):
        item = _item(row)
        full = answer_in_full(row.get("question") or "", item.draft)
        yield replace(item, draft=full or item.draft)


def _authors(
    name: str, path: str, rows: int, publisher: str, **others: Any
) -> Callable[[Form], Form]:
    """Have a function bring the file of a set's authors into the form of ours."""

    def add(form: Form) -> Form:
        source(name, path, rows, publisher, _decided(form), **others)(_item)
        return form

    return add


ATTRIBUTION = "OSU-NLP-Group/AttributionBench"
OURS = {
    "fever-symmetric": ("fact-verification/fever_symmetric_test", 328, ""),
    "healthver": ("fact-verification/healthver_test", 846, ""),
    "qags": ("fact-verification/qags", 439, ""),
    "begin": ("fact-verification/begin_test_wow", 1669, ""),
    "factcheckgpt": ("fact-verification/factcheckgpt_stance", 1620, ""),
    "fever": ("extra/claim-evidence/fever_test", 3203, ""),
    "fm2": ("extra/claim-evidence/fm2_test", 693, ""),
    "scifact": ("extra/claim-evidence/scifact_dev", 160, ""),
    "infotabs": ("extra/claim-evidence/infotabs_test_alpha1", 943, "infotabs/infotabs"),
    "scitab": ("extra/claim-evidence/scitab", 530, "XinyuanLu00/SciTab"),
    "citint": ("extra/citation/citint_test", 301, "ScienceNLP-Lab/Citation-Integrity"),
    "hagrid": ("extra/citation/attrbench_hagrid", 471, ATTRIBUTION),
    "search-engines": ("extra/citation/attrbench_stanford_gensearch", 363, ATTRIBUTION),
    "attributedqa": ("extra/citation/attrbench_attributedqa", 85, ATTRIBUTION),
    "summedits": ("extra/claim-evidence/summedits", 2614, "salesforce/factualNLG"),
}
"""Our file of each set, its rows, and of whose file it is made where we do not read theirs.

The counts are those of our README.md files and of the authors' papers or files.
"""
for _name, (_path, _rows, _made) in OURS.items():
    _where = f"{SHARED}; made from {_made}" if _made else SHARED
    source(_name, f"{_path}.jsonl.gz", _rows, _where, _OURS)(_item)


@_authors(
    "fever-symmetric",
    "symmetric_v0.2/fever_symmetric_test.jsonl",
    712,
    "TalSchuster/FeverSymmetric publishes it",
)
def fever_symmetric(rows: Rows, _: Path) -> Iterator[Row]:
    """FeverSymmetric, version 0.2; tokenised, with codes for brackets."""
    for row in rows:
        claim, evidence = (_with_brackets(row[name]) for name in ("claim", "evidence"))
        yield _read(f"fever-sym-test:{row['id']}", claim, evidence, row["label"])


@_authors("fever", "data/fever/test.jsonl", 6111, "the ERASER benchmark publishes it")
def fever(rows: Rows, _: Path) -> Iterator[Row]:
    """FEVER as ERASER has it, with the words of the sentences that people marked."""
    for row in rows:
        marked = [piece for group in row["evidences"] for piece in group]
        evidence = " ".join(_with_brackets(piece["text"]) for piece in marked)
        titles = {piece["docid"].replace("_", " ") for piece in marked}
        title = _with_brackets(titles.pop()) if len(titles) == 1 else ""
        name = f"fever:{row['annotation_id']}"
        yield _read(name, row["query"], evidence, row["classification"], title=title)


@_authors("healthver", "data/healthver_test.csv", 1823, "sarrouti/HealthVer publishes it")
def healthver(rows: Rows, _: Path) -> Iterator[Row]:
    """HealthVer's table."""
    for place, row in enumerate(rows):
        own = (row["claim"], row["evidence"], row["label"])
        yield _read(f"healthver-test:{place}", *own, question=row["question"])


@_authors(
    "qags",
    "data/mturk_cnndm.jsonl",
    235,
    "W4ngatang/qags publishes it, with mturk_xsum.jsonl",
    parts={"mturk_xsum.jsonl": 239},
)
def qags(rows: Rows, file: Path) -> Iterator[Row]:
    """QAGS: sentences of summaries of CNN/DailyMail and, in a second file, of XSum.

    A sentence is supported if most of the workers said yes.
    """
    second = read_rows(file.with_name("mturk_xsum.jsonl"))
    for corpus, articles in (("cnndm", rows), ("xsum", second)):
        for place, row in enumerate(articles):
            for number, sentence in enumerate(row["summary_sentences"]):
                votes = Counter(each["response"] for each in sentence["responses"])
                label = "support" if votes["yes"] > votes["no"] else "not fully attributable"
                name = f"qags-{corpus}:{place}:{number}"
                yield _read(name, sentence["sentence"], row["article"], label, category=corpus)


@_authors("begin", "wow/begin_test_wow.tsv", 3607, "google/BEGIN-dataset publishes it")
def begin(rows: Rows, _: Path) -> Iterator[Row]:
    """BEGIN: replies in a dialogue, beside the text that they should rest on."""
    for place, row in enumerate(rows):
        own = (row["response"], row["knowledge"], row["begin_label"])
        found = _read(f"begin_test_wow:{place}", *own, question=row["message"])
        yield found | ({"binary": None} if found["label"] == "generic" else {})


@_authors("factcheckgpt", "factcheck-GPT-benchmark.jsonl", 94, "yuxiaw/Factcheck-GPT publishes it")
def factcheckgpt(rows: Rows, _: Path) -> Iterator[Row]:
    """Factcheck-GPT: claims of answers, each beside what a search found for it."""
    columns = ("claims", "auto_evidence", "stance_claim_autoEvid")
    for place, row in enumerate(rows):
        for number, sentence in enumerate(row["sentences"].values()):
            judged = zip(*(sentence[name] for name in columns), strict=True)
            for at, (claim, found, stances) in enumerate(judged):
                for rank, (text, stance) in enumerate(zip(found, stances, strict=True)):
                    name = f"factcheckgpt:{place}:{number}:{at}:{rank}"
                    yield _read(name, claim, text, stance)


@_authors("fm2", "dataset/test.jsonl", 1380, "google-research/fool-me-twice publishes it")
def fm2(rows: Rows, _: Path) -> Iterator[Row]:
    """Fool Me Twice: claims of players, with the sentences that decide."""
    for row in rows:
        evidence = " ".join(piece["text"] for piece in row["gold_evidence"])
        own = (row["text"], evidence, row["label"])
        yield _read(f"fm2:{row['id']}", *own, title=row["wikipedia_page"])


@_authors(
    "scifact",
    "data/claims_dev.jsonl",
    300,
    "allenai/scifact publishes it, with corpus.jsonl",
    parts={"corpus.jsonl": 5183},
)
def scifact(rows: Rows, file: Path) -> Iterator[Row]:
    """SciFact: each claim beside each abstract that it cites, from the corpus beside the file."""
    corpus = {str(row["doc_id"]): row for row in read_rows(file.with_name("corpus.jsonl"))}
    for row in rows:
        for cited in map(str, row["cited_doc_ids"]):
            marked, page = row["evidence"].get(cited), corpus[cited]
            evidence = " ".join(text.strip() for text in page["abstract"])
            label = marked[0]["label"] if marked else "neutral"
            name = f"scifact:{row['id']}:{cited}"
            yield _read(name, row["claim"], evidence, label, title=page["title"])


_ABOUT = {
    "fever-symmetric": "FeverSymmetric 0.2 (Schuster et al., 2019); CC BY-SA 3.0",
    "healthver": "HealthVer's test (Sarrouti et al., 2021); no licence stated",
    "qags": "QAGS's judged summaries (Wang et al., 2020); no licence stated",
    "begin": "BEGIN's test on Wizard of Wikipedia (Dziri et al., 2022); CC BY 4.0",
    "factcheckgpt": "Factcheck-GPT's stances of evidence (Wang et al., 2023); Apache-2.0",
    "fever": "FEVER with marked sentences, as ERASER's test (DeYoung et al., 2020); CC BY-SA 3.0",
    "fm2": "Fool Me Twice's test (Eisenschlos et al., 2021); Apache-2.0",
    "scifact": "SciFact's development set (Wadden et al., 2020); CC BY 4.0, ODC-By 1.0",
    "infotabs": "InfoTabS's first test (Gupta et al., 2020), tables as text; Apache-2.0",
    "scitab": "SCITAB (Lu et al., 2023), tables as text; MIT",
    "citint": "Citation-Integrity's test (Sarol et al., 2024); MIT",
    "hagrid": "HAGRID's sentences with cited passages (Kamalloo et al., 2023); Apache-2.0",
    "search-engines": "Sentences of search engines, cited pages (Liu et al., 2023); MIT",
    "attributedqa": "Attributed QA's answers and passages (Bohnet et al., 2022); Apache-2.0",
    "summedits": "SummEdits (Laban et al., 2023) of eight domains; Apache-2.0",
}
DATASETS = tuple(dataset_of(name, "claims", about) for name, about in _ABOUT.items())
