"""A chain that retrieves and answers; its answer is corrected by the retrieved pages."""

from pathlib import Path

from canned import model
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from errata import corrector

PAGES = Path(__file__).parent.parent / "demo" / "corpus"


def retrieve(inputs: dict[str, str]) -> list[Document]:
    """The pages whose title is in the question."""
    return [
        Document(page.read_text(), metadata={"title": page.stem})
        for page in PAGES.glob("*.md")
        if page.stem.replace("-", " ") in inputs["question"].lower()
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
