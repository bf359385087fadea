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
PAY = '<html><script>{"isAccessibleForFree": false}</script><p>The first words of it.</p></html>'
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
_STATES = "open moved open dead blocked paywalled failed dead".split()
STATUSES = dict(zip("12345679", _STATES, strict=True))
"""What becomes of each source; 9 has no reference."""


class CitedSite:
    """The pages, and the paths that were asked for."""

    def __init__(self):
        self.asked = []
        texts = {"/history": HISTORY, "/guide": GUIDE, "/paint": PAINT}
        faults = {"/gone": 404, "/locked": 403, "/broken": 500}
        self.answers = {path: PlainTextResponse(text) for path, text in texts.items()}
        self.answers |= {path: PlainTextResponse("no", code) for path, code in faults.items()}
        self.answers |= {"/moved": RedirectResponse("/guide"), "/pay": HTMLResponse(PAY)}
        self.app = Starlette(routes=[Route(path, self.answer) for path in self.answers])

    async def answer(self, request):
        self.asked.append(request.url.path)
        return self.answers[request.url.path]
