"""Our files of the datasets, in small."""

from dataset_cases import Case

FACTS = [
    {"text": "Ada wrote notes.", "label": True},
    {"text": "Ada was born in 1900.", "label": False},
]
PLACED = [fact | {"sentence": 0} for fact in FACTS]
EVIDENCE = {"google_page": "Ada's page.", "gold_passages": ["Ada's article.", "Its end."]}
SNIPPETS = [["Ada counted.", "A mill."], ["A mill."]]
BIOGRAPHY = {
    "id": "M:Ada",
    "group": "entity:ada",
    "entity": "Ada",
    "popularity": "rare",
    "prompt": "Tell me a bio of Ada.",
    "response": "Ada wrote notes.",
    "facts": PLACED,
}


def scored_by(page):
    """The gold documents of a biography whose method gets a page: the article, if it is another."""
    article = ["Ada's article.", "Its end."]
    return {} if page == article else {"documents": article}


CASES = [
    Case(
        "popqa",
        "popqa/longtail_test.jsonl.gz",
        [
            {
                "id": "popqa:12",
                "group": "entity:the mill",
                "question": "Who made The Mill?",
                "prop": "director",
                "possible_answers": ["Ann Lee"],
                "ref_correct": "#The Mill is a film by Ann Lee.",
                "ref_incorrect": "#The Mill: Ann Lee made it. ; Mills today: They grind.",
            }
        ],
        {
            "id": "popqa:12",
            "documents": ["The Mill is a film by Ann Lee."],
            "web": ["Ann Lee made it.", "They grind."],
            "gold": {"answers": ["Ann Lee"]},
            "category": "director",
        },
    ),
    Case(
        "popqa-e5",
        "retrieval-e5/popqa.jsonl.gz",
        [
            {
                "id": f"popqa:test_{number}",
                "group": "entity:the mill",
                "question": "Who made The Mill?",
                "prop": "director",
                "answers": ["Ann Lee"],
                "searches": [{"docs": [{"title": "The Mill", "text": "Ann Lee made it."}]}],
            }
            for number in (1, 2)
        ],
        {
            "id": "popqa:test_1",
            "documents": ["Ann Lee made it."],
            "web": [],
            "gold": {"answers": ["Ann Lee"]},
        },
        items=2,
    ),
    Case(
        "pubhealth",
        "pubhealth/test_claims.jsonl.gz",
        [
            {
                "id": f"pubhealth:{number}",
                "group": f"claim:{number}",
                "claim": "Bees bark.",
                "label": label,
                "ref_correct": "#Bee // Bees hum.; Hive // It holds bees.",
                "ref_incorrect": f"#Bees today: They hum {number} times.",
            }
            for number, label in enumerate([None, "false"])
        ],
        {
            "id": "pubhealth:1",
            "question": "Bees bark.",
            "documents": ["Bees hum.", "It holds bees."],
            "web": ["They hum 0 times.", "They hum 1 times."],
            "gold": {"label": False},
        },
    ),
    Case(
        "arc",
        "arc-challenge/test.jsonl.gz",
        [
            {
                "id": "arc:2",
                "group": "prompt:honey",
                "question": "Which makes honey?",
                "choices": {"A": "stones", "B": "bees"},
                "answer_key": "B",
                "ref_correct": "#Bee // Bees hum.",
                "ref_incorrect": "",
            }
        ],
        {
            "id": "arc:2",
            "question": "Which makes honey?\nA: stones\nB: bees",
            "gold": {"choice": "B", "text": "bees", "choices": {"A": "stones", "B": "bees"}},
        },
    ),
    *(
        Case(
            name,
            f"factscore-bio/{model}.jsonl.gz",
            [BIOGRAPHY | pages],
            {
                "id": "M:Ada",
                "question": "Tell me a bio of Ada.",
                "draft": "Ada wrote notes.",
                "documents": documents,
                "gold": {"facts": FACTS, "entity": "Ada"} | scored_by(documents),
                "category": "rare",
            },
            beside={"evidence.jsonl.gz": [{"entity": "Ada"} | EVIDENCE]},
        )
        for name, model, pages, documents in (
            ("biography", "chatgpt", EVIDENCE, ["Ada's page."]),
            ("biography-gold", "chatgpt", EVIDENCE, ["Ada's article.", "Its end."]),
            ("biography-instructgpt", "instructgpt", {}, ["Ada's page."]),
            ("biography-perplexityai", "perplexityai", {}, ["Ada's page."]),
        )
    ),
    Case(
        "biography-unlabelled",
        "bio-contriever/bio.jsonl.gz",
        [
            {
                "id": "bio:1",
                "group": "entity:ada",
                "entity": "Ada",
                "question": "Who is Ada?",
                "passages": [{"rank": 1, "title": "Ada", "text": "Ada wrote notes."}],
                "ref_incorrect": "#Ada Lovelace: Ada counted.",
            }
        ],
        {
            "id": "bio:1",
            "documents": ["Ada wrote notes."],
            "web": ["Ada counted."],
            "gold": {"entity": "Ada"},
        },
    ),
    Case(
        "truthfulqa",
        "truthfulqa/truthfulqa.jsonl.gz",
        [
            {
                "id": "truthfulqa:2",
                "group": "prompt:bees",
                "category": "Bees",
                "question": "Do bees bark?",
                "best_answer": "Bees hum",
                "correct_answers": ["Bees hum"],
                "incorrect_answers": ["Bees bark"],
                "source": "a book",
            }
        ],
        {
            "id": "truthfulqa:2",
            "gold": {
                "best_answer": "Bees hum",
                "correct_answers": ["Bees hum"],
                "incorrect_answers": ["Bees bark"],
            },
            "category": "Bees",
        },
    ),
    Case(
        "factprompt",
        "factprompt/factprompt.jsonl.gz",
        [
            {
                "id": "factprompt:3",
                "group": "prompt:ada",
                "prompt": "Who was Ada?",
                "response": "Ada wrote notes in 1900.",
                "response_label": False,
                "facts": [
                    fact | {"queries": [], "snippets": texts}
                    for fact, texts in zip(FACTS, SNIPPETS, strict=True)
                ],
            }
        ],
        {
            "id": "factprompt:3",
            "draft": "Ada wrote notes in 1900.",
            "web": ["Ada counted.", "A mill."],
            "gold": {"facts": FACTS, "label": False},
        },
    ),
    Case(
        "wice",
        "wice/claims_test.jsonl.gz",
        [
            {
                "id": "test1",
                "title": "Bee",
                "claim": "Bees hum.",
                "label": "supported",
                "evidence": ["Bees", "Bees hum."],
            }
        ],
        {
            "id": "test1",
            "question": "Bee",
            "draft": "Bees hum.",
            "documents": ["Bees\nBees hum."],
            "gold": {
                "claim": "Bees hum.",
                "label": "supported",
            },
        },
    ),
    *(
        Case(
            name,
            f"{path}.jsonl.gz",
            [
                {"id": "1", "claim": "Bees hum.", "evidence": "Bees.", "label": "generic"}
                | {"group": "bees", "binary": None},
                {"id": "2", "claim": "Bees bark.", "evidence": ["Bees", "hum."]}
                | {"group": "bees", "label": "refuted", "binary": 0, "corpus": "xsum"},
            ],
            {
                "id": "2",
                "draft": "Bees bark.",
                "documents": ["Bees hum."],
                "gold": {"claim": "Bees bark.", "label": "refuted"},
                "category": "xsum",
                "group": "bees",
            },
        )
        for name, path in (
            ("fever-symmetric", "fact-verification/fever_symmetric_test"),
            ("healthver", "fact-verification/healthver_test"),
            ("qags", "fact-verification/qags"),
            ("begin", "fact-verification/begin_test_wow"),
            ("factcheckgpt", "fact-verification/factcheckgpt_stance"),
            ("fever", "extra/claim-evidence/fever_test"),
            ("fm2", "extra/claim-evidence/fm2_test"),
            ("scifact", "extra/claim-evidence/scifact_dev"),
            ("infotabs", "extra/claim-evidence/infotabs_test_alpha1"),
            ("scitab", "extra/claim-evidence/scitab"),
            ("citint", "extra/citation/citint_test"),
            ("summedits", "extra/claim-evidence/summedits"),
        )
    ),
]
