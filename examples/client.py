"""A client of a server: stream a run, stop for a review, accept the edits, resume.

Start a server first with `make serve`. Usage: python examples/client.py [URL [KEY]]
"""

import sys

from langgraph_sdk import get_sync_client

URL, KEY, *_ = [*sys.argv[1:], None, None]
URL = URL or "http://127.0.0.1:2024"
REVIEW = {"review": "all"}
REQUEST = {
    "question": "Who was Marie Curie?",
    "draft": "Marie Curie was born in Warsaw in 1865.",
    "documents": [{"text": "Marie Curie (born 7 November 1867 in Warsaw) was a physicist."}],
}

if __name__ == "__main__":
    with get_sync_client(url=URL, api_key=KEY) as client:
        thread = client.threads.create()["thread_id"]
        for event in client.runs.stream(
            thread, "rac", input=REQUEST, context=REVIEW, stream_mode="updates"
        ):
            print(event.event, *(event.data or {}))
        [waiting] = client.threads.get_state(thread)["tasks"][0]["interrupts"]
        for edit in waiting["value"]["edits"]:
            print(f"{edit['id']}: {edit['before']!r} to {edit['after']!r}: {edit['explanation']}")
        decisions = {edit["id"]: "accept" for edit in waiting["value"]["edits"]}
        out = client.runs.wait(thread, "rac", command={"resume": decisions})
        print("response:", out["response"])
