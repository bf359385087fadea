"""A stand-in for a server of decision models, in both forms, spoken to over loopback."""

import json
import re

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

PAGE = {"id": "page", "title": "Ada Moll", "text": "Ada Moll was born in Bern in 1901."}
BORN, DIED, KEPT = PAGE["text"], "Ada Moll died in Rome.", "Ada Moll kept bees."
WRONG = "Ada Moll was born in Rome in 1911."
DRAFT, QUESTION = f"{BORN} {DIED} {KEPT}", "Who was Ada Moll?"
"""A draft that the page judges, and a claim that it contradicts."""
PATHS = ("/v1/decisions", "/v1/systemone")
NAMED = re.compile(r"<(?:claim|document|errors)>\n(.*?)\n</", re.DOTALL)


class DecisionsServer:
    """Answers by `says`: the likeliest option of questions about a claim, a document, or the draft.

    It may be all the probabilities, a function of the state that gives either, both P(yes) and an
    option, or "nothing": no answer to a question of yes or no. `spoils` changes single answers by
    what they are about. A plan of statuses, and of bodies as text, comes first.
    Over its limits, which are vLLM's, it answers 400.
    """

    def __init__(self):
        self.says, self.spoils, self.plan, self.requests = {}, {}, [], []
        self.most_questions, self.most_options = 64, 26

    @property
    def app(self):
        return Starlette(routes=[Route(path, self.respond, methods=["POST"]) for path in PATHS])

    async def respond(self, request):
        body = await request.json()
        asked, typed = body["questions"], isinstance(body["questions"], dict)
        if not typed:
            asked = {row.get("name", str(n)): row for n, row in enumerate(asked)}
        state = body["state" if typed else "input"]
        self.requests.append({"state": state, "questions": asked})
        step = self.plan.pop(0) if self.plan else 200
        if isinstance(step, str):
            return Response(step, media_type="application/json")
        options = [row.get("choices") or row.get("criteria") or () for row in asked.values()]
        over = len(asked) > self.most_questions or max(map(len, options)) > self.most_options
        if step != 200 or over:
            fault = {"error": {"message": "too many" if over else "no good"}}
            return JSONResponse(fault, 400 if over else step, {"retry-after-ms": "20"})
        rows = {name: self.answer(row, state) for name, row in asked.items()}
        answers = {name: row for name, row in rows.items() if row is not None}
        usage = {"input_tokens": 100, "output_tokens": 0}
        if not typed:
            read, written = {"cached_tokens": 0, "cache_write_tokens": 0}, {"reasoning_tokens": 0}
            usage |= {"input_tokens_details": read, "output_tokens_details": written}
            usage |= {"total_tokens": 100}
            answers = [{"name": name, **row} for name, row in answers.items()]
        reply = {"model": body["model"], "answers": answers, "usage": usage}
        return Response(json.dumps(reply), media_type="application/json")  # which may hold NaN

    def answer(self, question, state):
        about = ["the draft", *NAMED.findall(question["instructions"])][-1]
        said = self.says.get(about)
        said = said(state) if callable(said) else said
        yes, said = said if isinstance(said, tuple) else (said, said)
        if question["type"] == "choice":
            return self.spoils.get(about, dict)(one_of(question, said))
        if yes == "nothing":
            return None
        yes = yes if isinstance(yes, float) else 0.1
        if question["type"] == "predicate":
            return {"type": "predicate", "probability": yes}
        shares = {"yes": yes, "no": 1 - yes}
        own = {"noul": yes, "confidence": max(yes, 1 - yes)}
        return {"type": "noul", **own, "probabilities": shares}


def judging(server, form, role="verify", **settings):
    """The settings by which a model of the server fills a role."""
    roles = {role: f"{form}:jev@{server.url}"}
    return {"documents": [PAGE], "roles": roles, "retries": 1, **settings}


def one_of(question, said):
    """The answer to a choice, by what is said of it."""
    names = [*question.get("criteria", ())] or [row["value"] for row in question["choices"]]
    shares = said
    if not isinstance(said, dict) or said.keys() != {*names}:
        best = next((name for name in (said, "1") if name in names), names[-1])
        shares = dict.fromkeys(names, 0.1 / (len(names) - 1)) | {best: 0.9}
    best = max(shares, key=shares.__getitem__)
    listed = [{"value": name, "probability": share} for name, share in shares.items()]
    own = {"choice": best, "confidence": shares[best]}
    return {"type": "choice", **own, "probabilities": shares if "criteria" in question else listed}
