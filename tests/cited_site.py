"""A draft that cites pages of a site on loopback, and that site."""

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Route

HISTORY = (
    "Skarvik bridge was opened in 1932. Skarvik bridge is 240 metres long. "
    "“We built it in two long summers,” Ida Lund said."
)
GUIDE = "The bakery of Skarvik sells bread on Sundays. Its museum has a collection of old boats."
PAINT = "Skarvik bridge was painted red in 1975. Paint keeps steel from rust."
PAY = (
    '<html><script>{"isAccessibleForFree": false}</script><p>The first words of a page.</p></html>'
)
DRAFT = """# Skarvik bridge

Skarvik bridge was opened in 1932 [1]. Skarvik bridge is 240 metres long [2]. "We built it in a
single summer," Ida Lund said [1]. Skarvik bridge was painted red in 1975. A ferry ran there until
the war [9]. Its lamps were lit by gas [4].

## References

[1] History of Skarvik bridge. SITE/history
[2] Guide to the town. SITE/moved
[3] Paint on bridges. SITE/paint
[4] Lamps. SITE/gone
[5] Archive. SITE/locked
[6] Newspaper. SITE/pay
[7] Almanac. SITE/broken
"""
REPAIRED = (
    DRAFT.replace("long [2]", "long [1]")
    .replace("We built it in a\nsingle summer", "We built it in two long summers")
    .replace("in 1975.", "in 1975 [3].")
)
STATUSES = {
    "1": "open",
    "2": "moved",
    "3": "open",
    "4": "dead",
    "5": "blocked",
    "6": "paywalled",
    "7": "failed",
    "9": "dead",
}
"""What becomes of each source; 9 has no reference."""


class CitedSite:
    """The pages, and the paths that were asked for."""

    def __init__(self):
        self.asked = []
        self.answers = {
            "/history": PlainTextResponse(HISTORY),
            "/moved": RedirectResponse("/guide"),
            "/guide": PlainTextResponse(GUIDE),
            "/paint": PlainTextResponse(PAINT),
            "/gone": PlainTextResponse("gone", 404),
            "/locked": PlainTextResponse("no", 403),
            "/pay": HTMLResponse(PAY),
            "/broken": PlainTextResponse("no", 500),
        }
        self.app = Starlette(routes=[Route(path, self.answer) for path in self.answers])

    async def answer(self, request):
        self.asked.append(request.url.path)
        return self.answers[request.url.path]
