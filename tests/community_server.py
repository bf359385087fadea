"""The services that classes of langchain-community ask, each in its own wire format."""

import json

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

ARTICLE = """<PubmedArticleSet><PubmedArticle><MedlineCitation><Article>
<ArticleTitle>Radium</ArticleTitle>
<Abstract><AbstractText>Marie Curie discovered radium in 1898.</AbstractText></Abstract>
<ArticleDate><Year>1911</Year><Month>12</Month><Day>10</Day></ArticleDate>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"""


class CommunityServer:
    """SearxNG, Brave, PubMed and a remote retriever; `reply` replaces what the first two find."""

    KEY = "brave-secret-key"

    def __init__(self):
        self.requests, self.rows, self.address = [], [], ""
        paths = {
            "/searx": self.searx,
            "/brave": self.brave,
            "/esearch": self.esearch,
            "/efetch": self.efetch,
            "/remote": self.remote,
        }
        methods = ["GET", "POST"]
        self.app = Starlette(routes=[Route(p, run, methods=methods) for p, run in paths.items()])

    async def searx(self, request):
        self.requests.append(dict(request.query_params))
        extra = {"engines": ["a"], "category": "general"}
        reply = {"results": [row | extra for row in self.rows], "answers": []}
        return Response(json.dumps(reply), media_type="application/json")

    async def brave(self, request):
        self.requests.append(dict(request.query_params))
        if request.headers["X-Subscription-Token"] != self.KEY:
            return JSONResponse({}, 401)
        rows = [{**row, "description": row["content"]} for row in self.rows]
        return JSONResponse({"web": {"results": rows}})

    async def esearch(self, request):
        self.requests.append(request.url.query)
        return JSONResponse({"esearchresult": {"webenv": "w", "idlist": ["7"]}})

    async def efetch(self, _):
        return Response(ARTICLE, media_type="text/xml")

    async def remote(self, request):
        self.requests.append(await request.json())
        return Response(self.reply, media_type="application/json")

    reply = '{"response": []}'

    @property
    def pubmed(self):
        """The spec of PubMed's retriever on this server."""
        paths = ("esearch", "efetch")
        fields = "&".join(f"base_url_{path}={self.address}/{path}%3F" for path in paths)
        return f"community:pubmed?{fields}"

    @property
    def retriever(self):
        """The spec of a retriever on this server, by its class."""
        return f"community:RemoteLangChainRetriever?url={self.address}/remote"
