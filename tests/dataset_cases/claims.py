"""Labelled claims in the form of their authors."""

from dataset_cases import Case

CASES = [
    Case(
        "fever-symmetric",
        "symmetric_v0.2/fever_symmetric_test.jsonl",
        [
            {
                "id": "1",
                "claim": "Bees hum .",
                "evidence": "Bees -LRB- Apis -RRB- hum .",
                "label": "SUPPORTS",
            }
        ],
        {
            "id": "fever-sym-test:1",
            "draft": "Bees hum .",
            "documents": ["Bees ( Apis ) hum ."],
            "gold": {"claim": "Bees hum .", "label": "supported"},
        },
    ),
    Case(
        "healthver",
        "data/healthver_test.csv",
        [
            {
                "id": "5",
                "evidence": "Masks, it seems, help.",
                "claim": "Masks do not help.",
                "label": "Refutes",
                "topic_ip": "1",
                "question": "do masks help?",
            }
        ],
        {
            "id": "healthver-test:0",
            "question": "do masks help?",
            "documents": ["Masks, it seems, help."],
            "gold": {"claim": "Masks do not help.", "label": "refuted"},
        },
    ),
    Case(
        "qags",
        "data/mturk_cnndm.jsonl",
        [
            {
                "article": "Bees hum.",
                "summary_sentences": [
                    {
                        "sentence": "Bees bark.",
                        "responses": [{"response": r} for r in ("no", "yes", "no")],
                    },
                    {
                        "sentence": "Bees hum.",
                        "responses": [{"response": r} for r in ("yes", "yes", "no")],
                    },
                ],
            }
        ],
        {
            "id": "qags-cnndm:0:0",
            "draft": "Bees bark.",
            "documents": ["Bees hum."],
            "gold": {"claim": "Bees bark.", "label": "not_supported"},
            "category": "cnndm",
        },
        items=3,
        beside={
            "mturk_xsum.jsonl": [
                {
                    "article": "Dogs bark.",
                    "summary_sentences": [
                        {"sentence": "Dogs bark.", "responses": [{"response": "yes"}]}
                    ],
                }
            ]
        },
    ),
    Case(
        "begin",
        "wow/begin_test_wow.tsv",
        [
            {
                "model": "t5",
                "data_source": "wow",
                "knowledge": '"bees" hum',
                "message": "do bees bark?",
                "response": 'no, "bees" hum',
                "begin_label": label,
            }
            for label in ("Fully attributable", "Generic")
        ],
        {
            "id": "begin_test_wow:0",
            "question": "do bees bark?",
            "draft": 'no, "bees" hum',
            "documents": ['"bees" hum'],
            "gold": {"claim": 'no, "bees" hum', "label": "supported"},
        },
    ),
    Case(
        "factcheckgpt",
        "factcheck-GPT-benchmark.jsonl",
        [
            {
                "prompt": "Do bees hum?",
                "sentences": {
                    "sentence1": {
                        "claims": ["Bees hum."],
                        "auto_evidence": [["Bees hum.", "Tea is hot."]],
                        "stance_claim_autoEvid": [["partially-support", "irrelevant"]],
                    },
                    "sentence2": {
                        "claims": [],
                        "auto_evidence": [],
                        "stance_claim_autoEvid": [],
                    },
                },
            }
        ],
        {
            "id": "factcheckgpt:0:0:0:0",
            "documents": ["Bees hum."],
            "gold": {"claim": "Bees hum.", "label": "partially_supported"},
        },
        items=2,
    ),
    Case(
        "fever",
        "data/fever/test.jsonl",
        [
            {
                "annotation_id": "9",
                "query": "Bees bark.",
                "classification": "REFUTES",
                "evidences": [
                    [{"docid": "Honey_bee", "text": "Bees -LRB- Apis -RRB- hum ."}],
                    [{"docid": "Honey_bee", "text": "They never bark ."}],
                ],
            }
        ],
        {
            "id": "fever:9",
            "documents": ["Bees ( Apis ) hum . They never bark ."],
            "gold": {"claim": "Bees bark.", "label": "refuted"},
        },
    ),
    Case(
        "fm2",
        "dataset/test.jsonl",
        [
            {
                "id": "x1",
                "text": "Bees bark.",
                "label": "REFUTES",
                "gold_evidence": [{"section_header": "S", "text": "Bees hum."}],
                "wikipedia_page": "Bee",
            }
        ],
        {
            "id": "fm2:x1",
            "documents": ["Bees hum."],
            "gold": {"claim": "Bees bark.", "label": "refuted"},
        },
    ),
    Case(
        "scifact",
        "data/claims_dev.jsonl",
        [
            {
                "id": 1,
                "claim": "Bees bark.",
                "evidence": {"10": [{"sentences": [0], "label": "CONTRADICT"}]},
                "cited_doc_ids": [10, 11],
            }
        ],
        {
            "id": "scifact:1:10",
            "documents": ["Bees hum. Loudly."],
            "gold": {"claim": "Bees bark.", "label": "refuted"},
        },
        items=2,
        beside={
            "corpus.jsonl": [
                {"doc_id": n, "title": "Bees", "abstract": ["Bees hum. ", "Loudly."]}
                for n in (10, 11)
            ]
        },
    ),
]
