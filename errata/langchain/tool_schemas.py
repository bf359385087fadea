"""The three verbs as tools describe them: what each does, and the few arguments it takes."""

from typing import Annotated, Literal

from pydantic import Field

Verb = Literal["correct", "check", "answer"]
DESCRIPTIONS: dict[Verb, str] = {
    "correct": "Correct factual errors in a text by evidence; gives the corrected text first.",
    "check": "Check a text's claims against evidence; tells which are supported or refuted.",
    "answer": "Answer a question from documents and the web, with the sources it rests on.",
}
Draft = Annotated[str, Field(description="The text to judge.")]
Question = Annotated[str, Field(description="The question that the text answers.")]
AnsweredQuestion = Annotated[str, Field(description="The question to answer.")]
Documents = Annotated[tuple[str, ...], Field(description="Texts to judge by, if there are any.")]
