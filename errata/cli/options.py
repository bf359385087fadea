"""The options that commands share, each named and explained once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Method(StrEnum):
    """Name the methods."""

    rac = "rac"
    reex = "reex"


class Answering(StrEnum):
    """Name the methods that answer a question."""

    crag = "crag"


class Answers(StrEnum):
    """Name the forms of answer that have prompts of their own."""

    long = "long"
    short = "short"


class Evidence(StrEnum):
    """Name the kinds of evidence that RE-EX may go by."""

    external = "external"
    internal = "internal"
    none = "none"


class Unsupported(StrEnum):
    """Name what may become of unsupported claims."""

    flag = "flag"
    drop = "drop"


Question = Annotated[str, typer.Option("--question", "-q", help="What the draft answers.")]
Draft = Annotated[str, typer.Option("--draft", "-d", help="A file, or - for standard input.")]
Documents = Annotated[
    list[Path] | None, typer.Option("--documents", help="Texts to judge by: .txt, .md, .jsonl.")
]
More = Annotated[list[Path] | None, typer.Argument(help="Further documents.", show_default=False)]
Corpus = Annotated[str, typer.Option("--corpus", help="A folder of texts to retrieve from.")]
Model = Annotated[str, typer.Option("--model", help="What fills every role: local, openai:MODEL.")]
Role = Annotated[list[str] | None, typer.Option("--role", help="ROLE=FILLER, for one role.")]
Prompts = Annotated[str, typer.Option("--prompts", help="A folder of templates of your own.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write a report to this file, too.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Rag = Annotated[bool, typer.Option("--rag/--no-rag", help="Verify first, or correct every claim.")]
Entity = Annotated[str, typer.Option("--entity", help="Drop documents that do not name this.")]
Further = Annotated[
    list[str] | None, typer.Option("--set", help="NAME=VALUE, for any other setting.")
]
TopK = Annotated[int, typer.Option("--top-k", help="Documents to take from the corpus.")]
Tokens = Annotated[int, typer.Option("--max-document-tokens", help="Cut documents; 0: no limit.")]
MaxClaims = Annotated[int, typer.Option("--max-claims", help="Check at most this many claims.")]
CutSections = Annotated[bool, typer.Option("--cut-sections", help="Cut reference lists.")]
Blocked = Annotated[
    list[str] | None, typer.Option("--blocked-domain", help="Drop documents from such hosts.")
]
Search = Annotated[
    str, typer.Option(help="RE-EX: none, serpapi, serper, searxng, wikipedia or corpus:DIR.")
]
Steps = Annotated[int, typer.Option("--steps", help="RE-EX: in 1 prompt, or in 2.")]
By = Annotated[Evidence, typer.Option("--evidence", help="RE-EX: what answers sub-questions.")]
Record = Annotated[str, typer.Option("--record", help="Keep exchanges with models here.")]
Replay = Annotated[str, typer.Option("--replay", help="Answer from exchanges kept here.")]
