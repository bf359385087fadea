"""Tags inside untrusted text, also in look-alike spellings, lose their opening bracket."""

import re
import unicodedata
from collections.abc import Collection
from functools import cache

_OPENING = "<\uff1c\ufe64\u02c2\u1438\u276e\u27e8\u2329\u3008"
_SLASHES = "/\uff0f\u2044\u2215\u29f8\\\\\uff3c"
_INVISIBLE = (
    "\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_CONFUSABLE = dict(
    zip("\u0430\u0441\u0435\u043e\u0455\u0456\u0501\u051b\u051d", "aceosidqw", strict=True)
)
_CONFUSABLE |= dict(zip("\u03b1\u03bf\u03b9\u03ba\u03bd\u03c4", "aoikvt", strict=True))
_STYLED = (
    range(0x2100, 0x2190),
    range(0x249C, 0x24EA),
    range(0xFF21, 0xFF5B),
    range(0x1D400, 0x1D6A6),
)
"""Letters in other styles: letter-like symbols, enclosed, full-width, mathematical."""


def neutralise(text: str, tags: Collection[str]) -> str:
    """The text with a typographic quotation mark for the < of each such tag; still readable.

    Tags with invisible characters, doubled slashes, or letters and brackets that look alike count
    too. Takes time linear in the text.
    """
    return _tag_pattern(frozenset(tags)).sub("‹", text)


@cache
def _tag_pattern(tags: frozenset[str]) -> re.Pattern[str]:
    """Tags in letters that look like their own, with invisible ones between."""
    spelt = [
        f"[{_INVISIBLE}]*+".join(f"[{re.escape(x)}{_look_alikes().get(x, '')}]" for x in tag)
        for tag in sorted(tags)
    ]
    before = rf"[\s{_INVISIBLE}{_SLASHES}]*+"
    return re.compile(rf"[{_OPENING}](?={before}(?:{'|'.join(spelt)})(?!\w))", re.IGNORECASE)


@cache
def _look_alikes() -> dict[str, str]:
    """The characters that look like each small letter."""
    alike = dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "")
    for char in [*_CONFUSABLE, *(chr(code) for block in _STYLED for code in block)]:
        plain = _CONFUSABLE.get(char) or unicodedata.normalize("NFKC", char).strip("()").lower()
        if plain in alike:
            alike[plain] += char
    return alike
