"""A stand-in for a server of decision models, in both forms, spoken to over loopback."""

import json
import re

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

NAMED = re.compile(r"<(?:claim|document|errors)>\n(.*?)\n</", re.DOTALL)


class DecisionsServer:
    """Answers by `says`: the likeliest option of questions about a claim, a document, or the draft.

    It may be all the probabilities, or a function of the state that gives either. `spoils` changes
    single answers by what they are about. A plan of statuses, and of bodies as text, comes first.
    Over its limits, which are vLLM's, it answers 400.
    """

    def __init__(self):
        self.says, self.spoils, self.plan, self.requests = {}, {}, [], []
        self.most_questions, self.most_options, self.share = 64, 26, 0.9

    @property
    def app(self):
        forms = (self.decisions, self.systemone)
        return Starlette(
            routes=[Route(f"/v1/{f.__name__}", f, methods=["POST"]) for f in forms],
        )

    async def decisions(self, request):
        body = await request.json()
        asked = {row.get("name", str(n)): row for n, row in enumerate(body["questions"])}
        return self.respond(body, body["input"], asked, typed=False)

    async def systemone(self, request):
        body = await request.json()
        return self.respond(body, body["state"], body["questions"], typed=True)

    def respond(self, body, state, asked, *, typed):
        self.requests.append({"state": state, "questions": asked})
        step = self.plan.pop(0) if self.plan else 200
        if isinstance(step, str):
            return Response(step, media_type="application/json")
        options = [row.get("choices") or row.get("criteria") or () for row in asked.values()]
        over = len(asked) > self.most_questions or max(map(len, options)) > self.most_options
        if step != 200 or over:
            fault = {"error": {"message": "too many" if over else "no good"}}
            return JSONResponse(fault, 400 if over else step, {"retry-after-ms": "20"})
        rows = {name: self.answer(row, state, typed=typed) for name, row in asked.items()}
        rows = {name: row for name, row in rows.items() if row is not None}
        usage = {"input_tokens": 100, "output_tokens": 0}
        if not typed:
            read, written = {"cached_tokens": 0, "cache_write_tokens": 0}, {"reasoning_tokens": 0}
            usage |= {"input_tokens_details": read, "output_tokens_details": written}
            usage |= {"total_tokens": 100}
        answers = rows if typed else [{"name": name, **row} for name, row in rows.items()]
        reply = {"model": body["model"], "answers": answers, "usage": usage}
        return Response(json.dumps(reply), media_type="application/json")  # which may hold NaN

    def answer(self, question, state, *, typed):
        about = ["the draft", *NAMED.findall(question["instructions"])][-1]
        said = self.says.get(about)
        said = said(state) if callable(said) else said
        yes = question["type"] in ("predicate", "noul")
        row = self.yes_or_no(said, typed=typed) if yes else self.one_of(question, said, typed)
        return self.spoils[about](row) if about in self.spoils and not yes else row

    def yes_or_no(self, said, *, typed):
        p = said if isinstance(said, float) else 0.1
        if not typed:
            return {"type": "predicate", "probability": p}
        shares = {"yes": p, "no": 1 - p}
        return {"type": "noul", "noul": p, "probabilities": shares, "confidence": max(p, 1 - p)}

    def one_of(self, question, said, typed):
        names = [*question["criteria"]] if typed else [row["value"] for row in question["choices"]]
        if isinstance(said, dict) and said.keys() == {*names}:
            best, shares = max(said, key=said.__getitem__), said
        else:
            best = next((name for name in (said, "1") if name in names), names[-1])
            rest = (1 - self.share) / (len(names) - 1)
            shares = dict.fromkeys(names, rest) | {best: self.share}
        listed = [{"value": name, "probability": share} for name, share in shares.items()]
        return {
            "type": "choice",
            "choice": best,
            "probabilities": shares if typed else listed,
            "confidence": shares[best],
        }
