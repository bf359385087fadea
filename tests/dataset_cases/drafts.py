"""Labelled drafts in the form of their authors."""

from dataset_cases import Case

ANNOTATION = {"content": ["Ada wrote notes.", "Ada was born in 1900."], "label": [True, False]}
FACTS = [
    {"text": "Ada wrote notes.", "label": True},
    {"text": "Ada was born in 1900.", "label": False},
]
EVIDENCE = {
    "factscore/prompt_entities.txt": "Ada\nBob\n",
    "processed_retrieval_data/factscore_google_retrieval_post_trim_llama.out": (
        "<s> Ada's page.\nMore.\n-----\nBob's page.\n-----\n"
    ),
    "factscore/factscore_gold_retrieved.txt": "Ada's article.\n-----\nBob's article.\n-----\n",
}
BIOGRAPHY = {
    "input": "Question: Tell me a bio of Ada.",
    "output": "Ada wrote notes.",
    "topic": "Ada",
    "cat": ["very rare", "Europe"],
    "annotations": [
        {"text": "Filler.", "human-atomic-facts": None},
        {
            "text": "Ada wrote notes.",
            "human-atomic-facts": [
                {"text": "Ada wrote notes.", "label": "S"},
                {"text": "Ada was born in 1900.", "label": "NS"},
                {"text": "Notes are texts.", "label": "IR"},
            ],
        },
    ],
}


def scored_by(page):
    """The gold documents of a biography whose method gets a page: the article, if it is another."""
    article = ["Ada's article."]
    return {} if page == article else {"documents": article}


CASES = [
    *(
        Case(
            name,
            f"data/labeled/{model}.jsonl",
            [BIOGRAPHY, BIOGRAPHY | {"topic": "Bob", "annotations": None}],
            {
                "id": f"{model}:Ada",
                "question": "Tell me a bio of Ada.",
                "draft": "Ada wrote notes.",
                "documents": page,
                "gold": {"facts": FACTS, "entity": "Ada"} | scored_by(page),
                "category": "very rare",
                "group": "entity:ada",
            },
            beside={f"../{path}": text for path, text in EVIDENCE.items()},
        )
        for name, model, page in (
            ("biography", "ChatGPT", ["Ada's page.\nMore."]),
            ("biography-gold", "ChatGPT", ["Ada's article."]),
            ("biography-instructgpt", "InstructGPT", ["Ada's page.\nMore."]),
            ("biography-perplexityai", "PerplexityAI", ["Ada's page.\nMore."]),
        )
    ),
    *(
        Case(
            name,
            "data/factscore.json",
            [
                {
                    "id": 0,
                    "input": "Tell me a bio of Ada.",
                    "label": False,
                    "annotation": ANNOTATION,
                    "initial_response": ["Ada wrote notes.", "She was born in 1900."],
                }
            ],
            {
                "id": "ChatGPT:Ada",
                "question": "Tell me a bio of Ada.",
                "draft": "Ada wrote notes. She was born in 1900.",
                "documents": page,
                "gold": {"facts": FACTS, "entity": "Ada"} | scored_by(page),
            },
            beside=EVIDENCE,
        )
        for name, page in (
            ("biography", ["Ada's page.\nMore."]),
            ("biography-gold", ["Ada's article."]),
        )
    ),
    Case(
        "factprompt",
        "datasets/knowledge_qa/knowledge_qa.jsonl",
        [
            {
                "prompt": "Who was Ada?",
                "response": "Ada wrote notes in 1900.",
                "claims": [{"claim": each["text"], "label": each["label"]} for each in FACTS],
                "label": False,
                "entry_point": None,
            }
        ],
        {
            "id": "factprompt:0",
            "question": "Who was Ada?",
            "draft": "Ada wrote notes in 1900.",
            "gold": {"facts": FACTS, "label": False},
        },
    ),
    Case(
        "factprompt",
        "data/factprompt.json",
        [
            {
                "id": 3,
                "input": "Who was Ada?",
                "label": False,
                "annotation": ANNOTATION,
                "initial_response": ["Ada wrote notes.", "She was born in 1900."],
            }
        ],
        {
            "id": "factprompt:3",
            "draft": "Ada wrote notes. She was born in 1900.",
            "gold": {"facts": FACTS, "label": False},
        },
    ),
    Case(
        "wice",
        "data/entailment_retrieval/claim/test.jsonl",
        [
            {
                "label": "partially_supported",
                "claim": "Bees bark and hum.",
                "evidence": ["Bees hum.", "Dogs bark."],
                "supporting_sentences": [[0]],
                "meta": {"id": "test1", "claim_title": "Bee", "claim_section": "Sounds."},
            }
        ],
        {
            "id": "test1",
            "question": "Bee",
            "draft": "Bees bark and hum.",
            "documents": ["Bees hum.\nDogs bark."],
            "gold": {
                "claim": "Bees bark and hum.",
                "label": "partially_supported",
            },
        },
    ),
    Case(
        "wice",
        "data/wice.json",
        [{"id": 4, "input": "Bee", "label": True, "initial_response": ["Bees hum."]}],
        {
            "id": "wice:4",
            "question": "Bee",
            "draft": "Bees hum.",
            "documents": [],
            "gold": {
                "claim": "Bees hum.",
                "label": "supported",
            },
        },
    ),
]
