"""Correct, check and answer from Python, one call at a time.

`correct` and its like are `acorrect` and its like for code outside an event loop.
"""

from collections.abc import AsyncGenerator
from typing import Any

from errata.auto import guess
from errata.core.events import Event
from errata.core.records import Answer, Correction
from errata.given import Documents, Protected
from errata.running import plain
from errata.session import Session


async def acorrect(
    question: str = "",
    draft: str = "",
    method: str = "rac",
    documents: Documents | None = None,
    corpus: object = None,
    protected: Protected = (),
    **settings: Any,
) -> Correction:
    """Correct a draft by the evidence; write one first where only a question is given.

    `documents` are texts, Paths of files, http or https addresses of pages to fetch, Documents
    (ours or LangChain's) or mappings of their fields, alone or each with its score; `corpus` is a
    folder of texts, an index, or a LangChain retriever. No edit changes what is `protected`:
    stretches of the draft by start and end in characters, or texts. `settings` are fields of the
    method's Context (`errata.nodes.rac.state.RacContext`), and an operator's (`Deployment`). Works
    in a script, inside a running event loop and from several threads; for many calls a `Session`
    keeps settings and models ready.

    Raises InputError if the input cannot be used or the question is plainly a draft, SettingError
    if a setting cannot, AccessError if a model's server refuses the key or the model, and ChatError
    or ReplyError if a model that has to write the draft fails.
    """
    session = Session(method, corpus=corpus, **guess(settings))
    return await session.acorrect(question, draft, documents, protected=protected)


def astream_correct(
    question: str = "",
    draft: str = "",
    method: str = "errata",
    documents: Documents | None = None,
    corpus: object = None,
    protected: Protected = (),
    **settings: Any,
) -> AsyncGenerator[Event | Correction, None]:
    """Correct as `correct` does, and yield what happens: events in order, then the Correction.

    The events are those of `errata.core.events`: text as it comes, verdicts, patches. The method
    `errata` tells them as they fall, another one at its end. Raises what `correct` does, and
    CutError with what was written and judged if the answer of a model breaks off.
    """
    session = Session(method, corpus=corpus, **guess(settings))
    return session.astream_correct(question, draft, documents, protected=protected)


def astream_answer(
    question: str,
    method: str = "errata",
    documents: Documents | None = None,
    corpus: object = None,
    **settings: Any,
) -> AsyncGenerator[Event | Answer, None]:
    """Answer as `answer` does, and yield what happens, as `astream_correct`, then the Answer."""
    return Session(method, corpus=corpus, **guess(settings)).astream_answer(question, documents)


async def acheck(
    question: str = "",
    draft: str = "",
    method: str = "rac",
    documents: Documents | None = None,
    corpus: object = None,
    **settings: Any,
) -> Correction:
    """Judge a draft's claims and change nothing: the response is the draft.

    Takes and raises what `correct` does.
    """
    session = Session(method, corpus=corpus, **guess(settings))
    return await session.acheck(question, draft, documents)


async def aanswer(
    question: str,
    method: str = "crag",
    documents: Documents | None = None,
    corpus: object = None,
    **settings: Any,
) -> Answer:
    """Answer a question from what is retrieved, from the web where that is wrong, or from both.

    `documents` are what was retrieved; `corpus` is a folder of texts, an index, or a LangChain
    retriever. `settings` are fields of the method's Context
    (`errata.nodes.crag.state.CragContext`), among them `search`, which is off by default, and an
    operator's (`Deployment`).

    Raises InputError if the input cannot be used, SettingError if a setting cannot, AccessError if
    a model's server refuses the key or the model, and ChatError or ReplyError if the model that has
    to answer fails.
    """
    return await Session(method, corpus=corpus, **guess(settings)).aanswer(question, documents)


async def acite(
    draft: str, documents: Documents | None = None, corpus: object = None, **settings: Any
) -> Correction:
    """Judge each sentence of a draft by the sources that it cites, and repair what is wrong.

    `documents` are sources, each known by its address, its title or the key of its mark; the links
    of the other references are opened. `trail["citations"]` has a finding for each sentence,
    `trail["sources"]` how often each is cited and supports its sentences. `settings` are fields of
    `errata.nodes.cite.state.CiteContext`; with `check_only=True` nothing is repaired. Raises what
    `correct` does.
    """
    return await Session("cite", corpus=corpus, **guess(settings)).acorrect("", draft, documents)


correct, check = plain(acorrect), plain(acheck)
answer, cite = plain(aanswer), plain(acite)
