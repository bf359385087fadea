"""Where a run gets its documents from, and what it keeps of them."""

from typing import Annotated

from langchain_core.retrievers import BaseRetriever
from pydantic import BaseModel, ConfigDict, Field, InstanceOf
from pydantic.json_schema import SkipJsonSchema

from errata.nodes.settings import Flag, Remote

Corpus = str | SkipJsonSchema[InstanceOf[BaseRetriever]]


class RetrievingContext(BaseModel):
    """The settings of retrieval."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    corpus: Annotated[Corpus, Remote.LISTED, Flag()] = ""
    """What to retrieve from: a folder of texts, an index, `qdrant:URL/COLLECTION?EMBEDDER`,
    `community:RETRIEVER` of langchain-community, or in Python any LangChain retriever."""
    encoding: str = ""
    """What the texts of a corpus folder are encoded in, if it is not found out."""
    top_k: Annotated[int, Field(ge=1, le=100), Remote.FREE, Flag()] = 5
    """How many documents to retrieve for one query."""
    entity: Annotated[str, Remote.FREE, Flag()] = ""
    """Keep only documents that contain this name (RAC appendix A)."""
    blocked_domains: Annotated[tuple[str, ...], Remote.FREE, Flag("--blocked-domain")] = ()
    """Drop documents whose host contains one of these words; `leaks`: RAC appendix A's list."""
    cut_sections: Annotated[bool, Remote.FREE, Flag()] = False
    """Cut references, footnotes and similar sections from documents (RAC appendix A)."""
    max_document_tokens: Annotated[int, Field(ge=0), Remote.FREE, Flag()] = 0
    """Cut the documents to this many tokens in all; 0: no limit."""
