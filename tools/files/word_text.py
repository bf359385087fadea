"""What a reader sees of a Word document: what was put in, none of what was taken out or hidden."""

from io import BytesIO
from typing import Any
from zipfile import ZipFile

from errata.tools.files.rows import describe_rows
from errata.tools.files.seen import lower_number, raise_number

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_NAMES = {
    "w": _W[1:-1],
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
}
_GONE = (
    "//w:del | //w:moveFrom | //w:instrText | //mc:Fallback | //w:tr[w:trPr/w:del]"
    " | //w:r[w:rPr/*[self::w:strike or self::w:dstrike or self::w:vanish]"
    "[not(@w:val = '0' or @w:val = 'false' or @w:val = 'off')]]"
)
_SIGNS = {"tab": " ", "br": " ", "cr": " ", "ptab": " ", "noBreakHyphen": "-"}
_PARTS = ("document", "footnotes", "endnotes")
_WIDEST = 63
"""The most columns that Word gives a table."""


def read_word(content: bytes) -> str:
    """The paragraphs of a document in order, its tables as lines, and its notes last."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, remove_comments=True, remove_pis=True)
    texts = list[str]()
    with ZipFile(BytesIO(content)) as file:
        for name in (f"word/{part}.xml" for part in _PARTS):
            if name in file.namelist():
                root = etree.fromstring(file.read(name), parser)
                for element in root.xpath(_GONE, namespaces=_NAMES):
                    element.clear(keep_tail=True)
                texts += _read(root).split("\n")
    return "\n\n".join(filter(None, texts))


def _read(root: Any) -> str:
    """The paragraphs in an element, a line each; of a table each row is one."""
    from lxml import etree

    pieces, walk = list[str](), etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        kind = etree.QName(element).localname
        if kind == "p":
            pieces.append("\n")
        elif event == "start" and kind == "tbl":
            pieces += ["\n", describe_rows(_rows(element)), "\n"]
            walk.skip_subtree()
        elif event == "start":
            is_text = kind == "t"
            pieces.append(_placed(element, pieces) if is_text else _SIGNS.get(kind, ""))
    return "\n".join(" ".join(line.split()) for line in "".join(pieces).split("\n"))


def _placed(text: Any, pieces: list[str]) -> str:
    """A run's text, raised or lowered numbers in signs of their own."""
    said, before = text.text or "", "".join(pieces[-9:])
    align = text.getparent().find(f"{_W}rPr/{_W}vertAlign")
    place = "" if align is None else align.get(f"{_W}val")
    placed = None
    if place == "superscript" or any(each.tag.endswith("}sup") for each in text.iterancestors()):
        placed = raise_number(said.strip(), before)
    elif place == "subscript":
        placed = lower_number(said.strip(), before)
    return said if placed is None else placed


def _rows(table: Any) -> list[list[str]]:
    """The cells of a table, a wide one once for each of its columns."""
    rows = list[list[str]]()
    for row in _own(table, "tr"):
        rows.append([])
        for cell in _own(row, "tc"):
            wide = cell.find(f"{_W}tcPr/{_W}gridSpan")
            times = 1 if wide is None else min(int(wide.get(f"{_W}val")), _WIDEST)
            rows[-1] += [" ".join(_read(cell).split())] * times
    return [row for row in rows if any(row)]


def _own(element: Any, name: str) -> list[Any]:
    """The rows or cells of a table, also those in controls, without those of a table within it."""
    inner = element.iter(f"{_W}{name}")
    return [each for each in inner if next(each.iterancestors(element.tag)) is element]
