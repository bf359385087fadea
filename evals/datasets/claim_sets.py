"""Sets of claims that people labelled beside their evidence, for verifiers.

Gold: `claim`; `label`, which is `supported`, `partially_supported`, `not_supported`, `refuted` or
`nei` (not mentioned). The draft is the claim. Rows without evidence, and those on which people
could not decide, are left out. A function for each set of authors brings their rows into the form
of our files: `id`, `claim`, `evidence` and `label`, and where they have them `title`, `question`
and `category`; it raises ValueError for a label that it does not know.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from errata.evals.datasets.claims import page_of
from errata.evals.datasets.rows import Row, read_bare_tsv, read_csv, read_rows
from errata.evals.datasets.sources import SHARED, Of, Source, as_they_are, dataset_of
from errata.evals.items import Dataset

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
QAGS_XSUM = "mturk_xsum.jsonl"
SCIFACT_CORPUS = "corpus.jsonl"
Rows = Iterator[Row]


def label_of(raw: str) -> str:
    """Our name of an authors' label."""
    if raw.strip().lower() not in LABELS:
        raise ValueError(f"unknown label {raw!r}; known: {', '.join(LABELS)}")
    return LABELS[raw.strip().lower()]


def fever_symmetric(rows: Sequence[Row], _: Path) -> Rows:
    """FeverSymmetric, version 0.2; tokenised, with codes for brackets."""
    for row in rows:
        yield {
            "id": f"fever-sym-test:{row['id']}",
            "claim": _with_brackets(row["claim"]),
            "evidence": _with_brackets(row["evidence"]),
            "label": label_of(row["label"]),
        }


def fever(rows: Sequence[Row], _: Path) -> Rows:
    """FEVER as ERASER has it, with the words of the sentences that people marked."""
    for row in rows:
        marked = [piece for group in row["evidences"] for piece in group]
        titles = {piece["docid"].replace("_", " ") for piece in marked}
        yield {
            "id": f"fever:{row['annotation_id']}",
            "claim": row["query"],
            "evidence": " ".join(_with_brackets(piece["text"]) for piece in marked),
            "label": label_of(row["classification"]),
            "title": _with_brackets(titles.pop()) if len(titles) == 1 else "",
        }


def healthver(rows: Sequence[Row], _: Path) -> Rows:
    """HealthVer's table."""
    for place, row in enumerate(rows):
        yield {
            "id": f"healthver-test:{place}",
            "claim": row["claim"],
            "evidence": row["evidence"],
            "label": label_of(row["label"]),
            "question": row["question"],
        }


def qags(rows: Sequence[Row], file: Path) -> Rows:
    """QAGS: sentences of summaries of CNN/DailyMail and, in a second file, of XSum.

    A sentence is supported if most of the workers said yes.
    """
    second = read_rows(file.with_name(QAGS_XSUM))
    for corpus, articles in (("cnndm", rows), ("xsum", second)):
        for place, row in enumerate(articles):
            for number, sentence in enumerate(row["summary_sentences"]):
                votes = Counter(each["response"] for each in sentence["responses"])
                yield {
                    "id": f"qags-{corpus}:{place}:{number}",
                    "claim": sentence["sentence"],
                    "evidence": row["article"],
                    "label": "supported" if votes["yes"] > votes["no"] else "not_supported",
                    "category": corpus,
                }


def begin(rows: Sequence[Row], _: Path) -> Rows:
    """BEGIN: replies in a dialogue, beside the text that they should rest on."""
    for place, row in enumerate(rows):
        label = label_of(row["begin_label"])
        yield {
            "id": f"begin_test_wow:{place}",
            "claim": row["response"],
            "evidence": row["knowledge"],
            "label": label,
            "binary": None if label == "generic" else label == "supported",
            "question": row["message"],
        }


def factcheckgpt(rows: Sequence[Row], _: Path) -> Rows:
    """Factcheck-GPT: claims of answers, each beside what a search found for it."""
    for place, row in enumerate(rows):
        for number, sentence in enumerate(row["sentences"].values()):
            columns = ("claims", "auto_evidence", "stance_claim_autoEvid")
            judged = zip(*(sentence[name] for name in columns), strict=True)
            for at, (claim, found, stances) in enumerate(judged):
                for rank, (text, stance) in enumerate(zip(found, stances, strict=True)):
                    yield {
                        "id": f"factcheckgpt:{place}:{number}:{at}:{rank}",
                        "claim": claim,
                        "evidence": text,
                        "label": label_of(stance),
                    }


def fm2(rows: Sequence[Row], _: Path) -> Rows:
    """Fool Me Twice: claims of players, with the sentences that decide."""
    for row in rows:
        yield {
            "id": f"fm2:{row['id']}",
            "claim": row["text"],
            "evidence": " ".join(piece["text"] for piece in row["gold_evidence"]),
            "label": label_of(row["label"]),
            "title": row["wikipedia_page"],
        }


def scifact(rows: Sequence[Row], file: Path) -> Rows:
    """SciFact: each claim beside each abstract that it cites, from the corpus beside the file."""
    corpus = {str(row["doc_id"]): row for row in read_rows(file.with_name(SCIFACT_CORPUS))}
    for row in rows:
        for cited in map(str, row["cited_doc_ids"]):
            marked = row["evidence"].get(cited)
            yield {
                "id": f"scifact:{row['id']}:{cited}",
                "claim": row["claim"],
                "evidence": " ".join(text.strip() for text in corpus[cited]["abstract"]),
                "label": label_of(marked[0]["label"]) if marked else "nei",
                "title": corpus[cited]["title"],
            }


def _with_brackets(text: str) -> str:
    for code, bracket in _BRACKETS.items():
        text = text.replace(code, bracket)
    return text


_FIELDS: Mapping[str, str | Of] = {
    "id": "id",
    "question": "question",
    "draft": "claim",
    "documents": "pages",
    "gold.claim": "claim",
    "gold.label": "label",
    "category": "category",
    "group": "group",
}
Form = Callable[[Sequence[Row], Path], Iterable[Row]]


def _decided(form: Form) -> Form:
    """The rows of a form that have evidence and a label."""

    def prepare(rows: Sequence[Row], file: Path) -> Rows:
        for row in form(rows, file):
            if page := page_of(row):
                yield {
                    **row,
                    "pages": (page,),
                    "question": row.get("question") or row.get("message") or "",
                    "category": row.get("category") or row.get("corpus") or row.get("domain") or "",
                    "group": row.get("group") or f"claim:{row['claim'].lower()}",
                }

    return prepare


def _authors(
    path: str,
    rows: int,
    where: str,
    needs: tuple[str, ...],
    form: Form,
    read: Callable[[Path], Iterable[Row]] = read_rows,
    parts: Mapping[str, int] | None = None,
) -> Source:
    """The file of a set's authors."""
    return Source(
        path=path,
        rows=rows,
        where=where,
        needs=needs,
        prepare=_decided(form),
        fields=_FIELDS,
        read=read,
        parts=parts or {},
    )


def _dataset(name: str, path: str, rows: int, description: str, authors: Source | str) -> Dataset:
    """A set with our file of so many rows, and its authors': or their name, where we read ours."""
    ours = Source(
        path=f"{path}.jsonl.gz",
        rows=rows,
        where=f"{SHARED}; made from {authors}" if isinstance(authors, str) else SHARED,
        needs=("id", "group", "claim", "evidence", "label"),
        prepare=_decided(as_they_are),
        fields=_FIELDS,
    )
    sources = (ours,) if isinstance(authors, str) else (ours, authors)
    return dataset_of(name, description, sources, "claims")


_SETS = (
    _dataset(
        "fever-symmetric",
        "fact-verification/fever_symmetric_test",
        328,
        "FeverSymmetric 0.2 (Schuster et al., 2019); CC BY-SA 3.0",
        _authors(
            "symmetric_v0.2/fever_symmetric_test.jsonl",
            712,
            "TalSchuster/FeverSymmetric publishes it",
            ("id", "claim", "evidence", "label"),
            fever_symmetric,
        ),
    ),
    _dataset(
        "healthver",
        "fact-verification/healthver_test",
        846,
        "HealthVer's test (Sarrouti et al., 2021); no licence stated",
        _authors(
            "data/healthver_test.csv",
            1823,
            "sarrouti/HealthVer publishes it",
            ("evidence", "claim", "label", "question"),
            healthver,
            read_csv,
        ),
    ),
    _dataset(
        "qags",
        "fact-verification/qags",
        439,
        "QAGS's judged summaries (Wang et al., 2020); no licence stated",
        _authors(
            "data/mturk_cnndm.jsonl",
            235,
            "W4ngatang/qags publishes it, with mturk_xsum.jsonl",
            ("article", "summary_sentences"),
            qags,
            parts={QAGS_XSUM: 239},
        ),
    ),
    _dataset(
        "begin",
        "fact-verification/begin_test_wow",
        1669,
        "BEGIN's test on Wizard of Wikipedia (Dziri et al., 2022); CC BY 4.0",
        _authors(
            "wow/begin_test_wow.tsv",
            3607,
            "google/BEGIN-dataset publishes it",
            ("knowledge", "message", "response", "begin_label"),
            begin,
            read_bare_tsv,
        ),
    ),
    _dataset(
        "factcheckgpt",
        "fact-verification/factcheckgpt_stance",
        1620,
        "Factcheck-GPT's stances of evidence (Wang et al., 2023); Apache-2.0",
        _authors(
            "factcheck-GPT-benchmark.jsonl",
            94,
            "yuxiaw/Factcheck-GPT publishes it",
            ("prompt", "sentences"),
            factcheckgpt,
        ),
    ),
    _dataset(
        "fever",
        "extra/claim-evidence/fever_test",
        3203,
        "FEVER with marked sentences, as ERASER's test (DeYoung et al., 2020); CC BY-SA 3.0",
        _authors(
            "data/fever/test.jsonl",
            6111,
            "the ERASER benchmark publishes it",
            ("annotation_id", "classification", "query", "evidences"),
            fever,
        ),
    ),
    _dataset(
        "fm2",
        "extra/claim-evidence/fm2_test",
        693,
        "Fool Me Twice's test (Eisenschlos et al., 2021); Apache-2.0",
        _authors(
            "dataset/test.jsonl",
            1380,
            "google-research/fool-me-twice publishes it",
            ("id", "text", "label", "gold_evidence", "wikipedia_page"),
            fm2,
        ),
    ),
    _dataset(
        "scifact",
        "extra/claim-evidence/scifact_dev",
        160,
        "SciFact's development set (Wadden et al., 2020); CC BY 4.0, ODC-By 1.0",
        _authors(
            "data/claims_dev.jsonl",
            300,
            "allenai/scifact publishes it, with corpus.jsonl",
            ("id", "claim", "evidence", "cited_doc_ids"),
            scifact,
            parts={SCIFACT_CORPUS: 5183},
        ),
    ),
    _dataset(
        "infotabs",
        "extra/claim-evidence/infotabs_test_alpha1",
        943,
        "InfoTabS's first test (Gupta et al., 2020), tables as text; Apache-2.0",
        "infotabs/infotabs",
    ),
    _dataset(
        "scitab",
        "extra/claim-evidence/scitab",
        530,
        "SCITAB (Lu et al., 2023), tables as text; MIT",
        "XinyuanLu00/SciTab",
    ),
    _dataset(
        "citint",
        "extra/citation/citint_test",
        301,
        "Citation-Integrity's test (Sarol et al., 2024); MIT",
        "ScienceNLP-Lab/Citation-Integrity",
    ),
    _dataset(
        "summedits",
        "extra/claim-evidence/summedits",
        2614,
        "SummEdits (Laban et al., 2023) of eight domains; Apache-2.0",
        "salesforce/factualNLG",
    ),
)
"""The counts are those of our README.md files and of the authors' papers or files."""
DATASETS: Mapping[str, Dataset] = {each.name: each for each in _SETS}
