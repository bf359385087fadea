"""A chain that retrieves and answers; its answer is corrected by the retrieved pages."""

import json
from pathlib import Path

from canned import model
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from errata import corrector

PAGES = Path(__file__).parent.parent / "demo" / "corpus" / "pages.jsonl"


def retrieve(inputs: dict[str, str]) -> list[Document]:
    """The pages whose title is in the question."""
    return [
        Document(page["text"], metadata={"title": page["title"]})
        for page in map(json.loads, PAGES.read_text().splitlines())
        if page["title"] in inputs["question"]
    ]


prompt = ChatPromptTemplate.from_template("Answer from the pages.\n{context}\n\n{question}")
writer = model(AIMessage("Marie Curie was born in Warsaw in 1865. She won two Nobel Prizes."))

chain = (
    RunnablePassthrough.assign(context=RunnableLambda(retrieve))
    | RunnablePassthrough.assign(answer=prompt | writer | StrOutputParser())
    | corrector()
)

if __name__ == "__main__":
    correction = chain.invoke({"question": "Who was Marie Curie?"})
    print("draft:   ", correction.draft)
    print("response:", correction.response)
    for edit in correction.edits:
        print(f"edit:     {edit.before!r} to {edit.after!r}: {edit.explanation}")
