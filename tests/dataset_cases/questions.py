"""Questions and claims without drafts, in the form of their authors."""

from dataset_cases import Case

CONTEXTS = [{"id": "7", "title": "The Mill", "text": "Ann Lee made it.", "score": "1.1"}]
CASES = [
    Case(
        "popqa",
        "eval_data/popqa_longtail_w_gs.jsonl",
        [
            {
                "id": 12,
                "prop": "director",
                "s_wiki_title": "The Mill",
                "question": "Who was the director of The Mill?",
                "answers": ["Ann Lee"],
                "ctxs": [{**CONTEXTS[0], "text": f"Text {n}."} for n in range(20)],
            }
        ],
        {
            "id": "popqa:12",
            "question": "Who was the director of The Mill?",
            "documents": [f"Text {n}." for n in range(10)],
            "web": ["Ann Lee, director.", "A mill\r grinds."],
            "gold": {"answers": ["Ann Lee"]},
            "category": "director",
            "group": "entity:the mill",
        },
        beside={
            "popqa/ref/incorrect": "#The Mill: Ann Lee, director. ; Mills today: A mill\r grinds."
        },
    ),
    Case(
        "popqa",
        "data/popQA.tsv",
        [
            {
                "id": number,
                "subj": "The Mill",
                "prop": "director",
                "s_wiki_title": "The Mill",
                "s_pop": views,
                "question": "Who was the director of The Mill?",
                "possible_answers": '["Ann Lee", "A. Lee"]',
            }
            for number, views in ((12, 99), (13, 100))
        ],
        {
            "id": "popqa:12",
            "documents": [],
            "web": [],
            "gold": {"answers": ["Ann Lee", "A. Lee"]},
        },
    ),
    Case(
        "pubhealth",
        "eval_data/health_claims_processed.jsonl",
        [{"question": "Bees bark.", "answers": ["false"], "ctxs": CONTEXTS}],
        {
            "id": "pubhealth:0",
            "question": "Bees bark.",
            "documents": ["Ann Lee made it."],
            "web": ["Bees hum."],
            "gold": {"label": False},
        },
        beside={"pubqa/ref/incorrect": "#Bees today: Bees hum."},
    ),
    Case(
        "arc",
        "eval_data/arc_challenge_processed.jsonl",
        [
            {
                "id": "Mercury_1",
                "question": "Which makes honey?",
                "choices": {"text": ["stones", "bees"], "label": ["1", "2"]},
                "answerKey": "2",
                "ctxs": CONTEXTS,
            }
        ],
        {
            "id": "arc:0",
            "question": "Which makes honey?\n1: stones\n2: bees",
            "web": ["Bees make honey."],
            "gold": {"choice": "2", "text": "bees", "choices": {"1": "stones", "2": "bees"}},
        },
        beside={"arc_challenge/ref/incorrect": "#\n#Honey: Bees make honey."},
    ),
    Case(
        "arc",
        "ARC-Challenge/ARC-Challenge-Test.jsonl",
        [
            {
                "id": "Mercury_1",
                "question": {
                    "stem": "Which makes honey?",
                    "choices": [
                        {"text": "stones", "label": "A"},
                        {"text": "bees", "label": "B"},
                    ],
                },
                "answerKey": "B",
            }
        ],
        {
            "id": "arc:Mercury_1",
            "question": "Which makes honey?\nA: stones\nB: bees",
            "documents": [],
            "gold": {"choice": "B", "text": "bees", "choices": {"A": "stones", "B": "bees"}},
        },
    ),
    Case(
        "biography-unlabelled",
        "eval_data/factscore_unlabeled_alpaca_13b_retrieval.jsonl",
        [{"question": "Who is Ada?", "topic": "Ada", "ctxs": CONTEXTS}],
        {
            "id": "bio:0",
            "question": "Who is Ada?",
            "documents": ["Ann Lee made it."],
            "web": ["Ada wrote notes."],
            "gold": {"entity": "Ada"},
        },
        beside={"bio/ref/incorrect": "#Ada Lovelace: Ada wrote notes."},
    ),
    Case(
        "biography-unlabelled",
        "bio/sources",
        [{"text": "Who is Ada?"}],
        {
            "id": "bio:0",
            "question": "Who is Ada?",
            "documents": ["Ada wrote notes.", "A language."],
            "web": ["Ada counted."],
            "gold": {"entity": "Ada"},
        },
        beside={
            "retrieved_psgs": "Ada // Ada wrote notes. [sep] Ada (language) // A language.",
            "ref/incorrect": "#Ada Lovelace: Ada counted.",
        },
    ),
    Case(
        "biography-unlabelled",
        "data/unlabeled/prompt_entities.txt",
        [{"text": "Ada"}],
        {
            "id": "bio:0",
            "question": "Tell me a bio of Ada.",
            "documents": [],
            "gold": {"entity": "Ada"},
        },
    ),
    Case(
        "truthfulqa",
        "data/truthfulqa/TruthfulQA.csv",
        [
            {
                "Type": "Adversarial",
                "Category": "Bees",
                "Question": "Do bees bark, or hum?",
                "Best Answer": "Bees hum",
                "Correct Answers": "Bees hum; They hum;",
                "Incorrect Answers": "Bees bark",
                "Source": "a book",
            }
        ],
        {
            "id": "truthfulqa:0",
            "question": "Do bees bark, or hum?",
            "gold": {
                "best_answer": "Bees hum",
                "correct_answers": ["Bees hum", "They hum"],
                "incorrect_answers": ["Bees bark"],
            },
            "category": "Bees",
        },
    ),
]
