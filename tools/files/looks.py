"""What the styles of elements say of whether their words are seen."""

import re
from typing import Any, NamedTuple

_OFF_SCREEN, _FAINT, _TINY, _ALIKE = -500.0, 0.05, 1.5, 24
"""Pixels beside the page, opacity, pixels of a letter, and difference of a colour's parts."""
_PIXELS = {"em": 16.0, "rem": 16.0, "%": 0.16, "vw": 10.0, "vh": 10.0}
_IDLE = re.compile(r"/\*.*?(?:\*/|\Z)|!\s*important", re.DOTALL)
_LENGTH = re.compile(r"([+-]?(?:\d{1,9}\.?\d{0,9}|\.\d{1,9}))([a-z]{1,4}|%)?")
_CUT = re.compile(r"rect\([01](?:px)?\b|inset\((?:50|100)%|circle\(0|scale\(0\)")
_COLOUR = re.compile(r"#([0-9a-f]{3,8})\b|rgba?\(([^()]{1,60})\)|[a-z]+")
_PART = re.compile(r"(\d{1,5}(?:\.\d{1,9})?|\.\d{1,9})(%?)")
_OPEN = re.compile(r"url\(|gradient|var\(|inherit|initial|unset|currentcolor")
Style = dict[str, str]
Colour = str | tuple[int, ...] | None


class Look(NamedTuple):
    """What an element has from those around it."""

    is_tiny: bool = False
    is_invisible: bool = False
    colour: Colour = None
    ground: Colour = None

    @property
    def is_unseen(self) -> bool:
        """Whether words of its own cannot be seen; those in an element within it may be."""
        colour, ground = self.colour, self.ground
        if isinstance(colour, tuple) and isinstance(ground, tuple):
            same = all(abs(a - b) < _ALIKE for a, b in zip(colour, ground, strict=False))
        else:
            same = colour == "transparent" or (colour is not None and colour == ground)
        return self.is_tiny or self.is_invisible or same

    def within(self, element: Any, style: Style) -> "Look":
        """The look of an element in one of this look."""
        colour = style.get("color") or element.get("color")
        ground = style.get("background-color") or style.get("background") or element.get("bgcolor")
        if not (style or colour or ground):
            return self
        size, unit = _measure(style.get("font-size", ""))
        is_own = size is not None and not (self.is_tiny and unit in ("em", "%"))
        return Look(
            (size or 0.0) < _TINY if is_own else self.is_tiny,
            style.get("visibility", "hidden" * self.is_invisible) in ("hidden", "collapse"),
            _colour(colour) if colour else self.colour,
            _colour(ground) if ground and ground != "transparent" else self.ground,
        )


def read_style(text: str) -> Style:
    """What an element's own style says, each property once: the last time counts."""
    parts = (part.partition(":") for part in _IDLE.sub("", text).lower().split(";"))
    return {name.strip(): value.strip() for name, colon, value in parts if colon}


def hides(style: Style) -> bool:
    """Whether a style strikes out or hides all that is in an element, whatever is said within."""
    if not style:
        return False
    lines = style.get("text-decoration", "") + style.get("text-decoration-line", "")
    return (
        style.get("display") == "none"
        or style.get("content-visibility") == "hidden"
        or "line-through" in lines
        or _pixels(style, "opacity", 1.0) < _FAINT
        or _is_beside(style)
    )


def _is_beside(style: Style) -> bool:
    """Whether an element stands where no window shows it, or in a box too small for words."""
    moved = ["text-indent", "margin-left", "margin-top"]
    if style.get("position") in ("absolute", "fixed"):
        moved += ["left", "right", "top", "bottom"]
    is_cut = style.get("overflow", "").startswith(("hidden", "clip"))
    sides = ("width", "height", "max-width", "max-height")
    shape = " ".join(style.get(name, "") for name in ("clip", "clip-path", "transform"))
    return (
        any(_pixels(style, name, 0.0) <= _OFF_SCREEN for name in moved)
        or (is_cut and any(_pixels(style, name, 2.0) <= 1 for name in sides))
        or _CUT.search(shape) is not None
    )


def _pixels(style: Style, name: str, default: float) -> float:
    size, _ = _measure(style.get(name, ""))
    return default if size is None else size


def _measure(value: str) -> tuple[float | None, str]:
    """A length in pixels and the unit it had; None if it is no length."""
    found = _LENGTH.match(value)
    unit = (found[2] or "") if found else ""
    return (float(found[1]) * _PIXELS.get(unit, 1.0) if found else None), unit


def _colour(value: str) -> Colour:
    """A colour's parts, or its name; None if it may be any."""
    found = _COLOUR.search(value.lower())
    if not found or _OPEN.search(value.lower()):
        return None
    if found[2]:
        parts = [float(n) * (2.55 if sign else 1) for n, sign in _PART.findall(found[2])]
        return "transparent" if parts[3:] == [0.0] else tuple(map(round, parts[:3]))
    digits = {"white": "ffffff", "black": "000000"}.get(found[0], found[1])
    if not digits:
        return found[0]
    digits = digits if digits[4:] else "".join(2 * digit for digit in digits)
    return tuple(int(digits[n : n + 2], 16) for n in (0, 2, 4))
