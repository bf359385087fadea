"""A server corrects a draft; a person here decides on the edits.

Start a server first with `make serve`. Usage: python examples/remote.py [URL [KEY]]
"""

import sys
from typing import Any
from uuid import uuid4

from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command
from langgraph_sdk import get_sync_client

URL, KEY, *_ = [*sys.argv[1:], None, None]
THREAD: Any = {"configurable": {"thread_id": str(uuid4())}}
REVIEWED = {"review": "all"}

if __name__ == "__main__":
    article = {
        "question": "Who was Marie Curie?",
        "draft": "Marie Curie was born in Warsaw in 1865.",
        "documents": [{"text": "Marie Curie (born 7 November 1867 in Warsaw) was a physicist."}],
    }
    # RemoteGraph leaves connections open that it opens itself.
    with get_sync_client(url=URL or "http://127.0.0.1:2024", api_key=KEY) as client:
        rac = RemoteGraph("rac", sync_client=client)
        [waiting] = rac.invoke(article, THREAD, context=REVIEWED)["__interrupt__"]
        for edit in waiting["value"]["edits"]:
            print(f"{edit['id']}: {edit['before']!r} to {edit['after']!r}: {edit['explanation']}")
        out = rac.invoke(Command(resume="accept"), THREAD, context=REVIEWED)
        print("response:", out["response"])
