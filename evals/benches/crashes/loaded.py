"""What every attempt imports, for the process that they are forked from; it does nothing else."""

import anyio._backends._asyncio
import httpcore2
import langchain
import langchain_openai
import langgraph.checkpoint.postgres.aio
import langgraph.checkpoint.sqlite.aio
import openai.resources.chat

from errata.evals.benches.crashes import attempts
from errata.methods import METHODS
from errata.tools.web import pages, search

LOADED = (anyio, httpcore2, langchain, langchain_openai, langgraph, openai, attempts, pages, search)
CONTEXTS = tuple(method.context for method in METHODS.values())
