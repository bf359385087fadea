"""The worked example of most tests: a draft of three claims, and a page that judges them."""

from errata.core.records import Document

QUESTION = "Who was Marie Curie?"
BIRTH_QUESTION = "When was Marie Curie born?"
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
LONG_PAGE = f"{PAGE} She lived in Paris."
BIOGRAPHY = Document(
    id="curie",
    title="Marie Curie",
    text="Marie Curie (born 7 November 1867 – died 4 July 1934) was a Polish and French physicist. "
    "She was born in Warsaw as the youngest of five children. "
    "She married the physicist Pierre Curie in 1895, and they had two daughters. "
    "Curie received the Nobel Prize in Physics in 1903.",
)
"""A longer page, for claims about other facts of her life."""
DOCUMENTS = [{"text": PAGE}]
DRAFT = "Marie Curie was born in 1865. She was a physicist. She kept bees."
RESPONSE = "Marie Curie was born in 1867. She was a physicist. She kept bees."
"""The draft as the page corrects it."""
CLAIMS = ["Marie Curie was born in 1865.", "Marie Curie was a physicist.", "Marie Curie kept bees."]
QUESTIONS = ["When was Marie Curie born?", "What was Marie Curie?", "What did Marie Curie keep?"]
"""A question about each claim."""
CORRECTED_CLAIM = "Marie Curie was born in 1867."
LABELS = ["refuted", "supported", "not_mentioned"]
"""The page's verdict on each claim."""
REQUEST = {"question": QUESTION, "draft": DRAFT, "documents": DOCUMENTS}
ERROR = '1. "born in 1865" is wrong: she was born in 1867.'
WAS_BORN, WAS_PHYSICIST, KEPT_BEES = (
    "Was Marie Curie born in 1865?",
    "Was Marie Curie a physicist?",
    "Did Marie Curie keep bees?",
)
REPLIES = {
    "rac/extract": "\n".join(f"{n}. {claim}" for n, claim in enumerate(CLAIMS, start=1)),
    "rac/verify": "1: False\n2: True\n3: Not Mentioned",
    "rac/correct": CORRECTED_CLAIM,
    "rac/revise": RESPONSE,
    "rac/revise.sentence": CORRECTED_CLAIM,
    "reex/ask": "1. When was Marie Curie born?\n2. What was Marie Curie?",
    "reex/explain": f"Factual Errors:\n{ERROR}",
    "reex/revise": RESPONSE,
    "plain/generate.rag": "Answer: She was born on 7 November 1867.",
    "selfrag/decide": "Retrieve: yes",
    "selfrag/generate.passage": "Relevant: yes\nAnswer: She was born on 7 November 1867.\n"
    "Supported: fully\nUseful: 5",
    "cove/ask": "\n".join(f"{claim} | {q}" for claim, q in zip(CLAIMS, QUESTIONS, strict=True)),
    "cove/answer.documents": [
        {"when": QUESTIONS[0], "reply": "Marie Curie was born on 7 November 1867."},
        {"when": QUESTIONS[1], "reply": "Marie Curie was a physicist."},
        {"when": QUESTIONS[2], "reply": "not told"},
    ],
    "cove/cross_check": [
        {
            "when": f"1. {CLAIMS[0]}",
            "reply": f"1: INCONSISTENT.\n2: CONSISTENT. {CLAIMS[1]}\n3: NOT TOLD.",
        },
        {"when": CLAIMS[0], "reply": "INCONSISTENT."},
        {"when": CLAIMS[1], "reply": "CONSISTENT. Marie Curie was a physicist."},
        {"when": CLAIMS[2], "reply": "NOT TOLD."},
    ],
    "cove/revise": RESPONSE,
    "factool/extract": "\n".join(CLAIMS),
    "factool/query": "Marie Curie\nMarie Curie biography",
    "factool/verify": [
        {"when": CLAIMS[0], "reply": f"Correction: {CORRECTED_CLAIM}\nFactuality: False"},
        {"when": CLAIMS[1], "reply": "Reasoning: document 1 says so.\nFactuality: True"},
        {"when": CLAIMS[2], "reply": "Factuality: Not Mentioned"},
    ],
    "rarr/ask": "When was Marie Curie born?\nWhat was Marie Curie?",
    "rarr/revise.agree": [
        {"when": "\nWhen was", "reply": "The text says 1865, the passage 1867.\ndisagree"},
        {"when": "\nWhat was", "reply": "Both say a physicist.\nagree"},
    ],
    "rarr/revise.edit": f"“1865” is wrong.\nFix: {RESPONSE}",
    "critic/verify": [
        {"when": "1. When was Marie Curie born?", "reply": f"Problems:\n{ERROR}"},
        {"when": "nothing was searched for", "reply": "Search: When was Marie Curie born?"},
    ],
    "critic/verify.answer": [
        {
            "when": "1. When was Marie Curie born?",
            "reply": f"Problems:\n{ERROR}\nAnswer: {RESPONSE}",
        },
        {"when": "nothing was searched for", "reply": "Search: When was Marie Curie born?"},
    ],
    "critic/correct": RESPONSE,
    "ever/verify.questions": [
        {"when": "<claim>\nMarie", "reply": f"1865 | {WAS_BORN} | {CLAIMS[0]}"},
        {"when": "<claim>\nShe was", "reply": f"a physicist | {WAS_PHYSICIST} | {CLAIMS[1]}"},
        {"when": "<claim>\nShe kept", "reply": f"bees | {KEPT_BEES} | {CLAIMS[2]}"},
    ],
    "ever/verify": [
        {"when": WAS_BORN, "reply": "The page says 1867. Decision: False"},
        {"when": WAS_PHYSICIST, "reply": "It says physicist. Decision: True"},
        {"when": KEPT_BEES, "reply": "It says nothing of bees. Decision: Not Enough Information"},
    ],
    "ever/revise": CORRECTED_CLAIM,
    "crag/generate": "She was born on 7 November 1867.",
}
"""A model's replies, by prompt, that correct the draft or answer when she was born."""
ARGUMENTS = ("--question", QUESTION, "--draft", "draft.txt", "--documents", "page.txt")
"""The request on the command line; the files are those that `tests/cli` writes."""
