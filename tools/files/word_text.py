"""What a reader sees of a Word document: what was put in, none of what was taken out or hidden."""

from io import BytesIO
from typing import Any
from zipfile import ZipFile

from errata.tools.files.seen import raise_number

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


def read_word(content: bytes) -> str:
    """The paragraphs of a document in order, the rows of its tables among them, its notes last."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, remove_comments=True, remove_pis=True)
    texts = list[str]()
    with ZipFile(BytesIO(content)) as file:
        for name in (f"word/{part}.xml" for part in _PARTS):
            if name in file.namelist():
                root = etree.fromstring(file.read(name), parser)
                for element in root.xpath(_GONE, namespaces=_NAMES):
                    element.clear(keep_tail=True)
                texts += _read(root)
    return "\n\n".join(filter(None, texts))


def _read(root: Any) -> list[str]:
    """The paragraphs in an element; of a table each row is one, its cells parted by bars."""
    from lxml import etree

    pieces, depth = list[str](), 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        kind, is_start = etree.QName(element).localname, event == "start"
        if kind == "tc":
            depth += 1 if is_start else -1
            pieces.append("" if is_start else " | ")
        elif kind in ("p", "tr"):
            pieces.append(" " if depth else "\n")
        elif is_start:
            pieces.append(_placed(element, pieces) if kind == "t" else _SIGNS.get(kind, ""))
    return [" ".join(line.split()).strip(" |") for line in "".join(pieces).split("\n")]


def _placed(text: Any, pieces: list[str]) -> str:
    """A run's text, raised numbers in signs of their own."""
    said, before = text.text or "", "".join(pieces[-9:])
    align = text.getparent().find(f"{_W}rPr/{_W}vertAlign")
    place = "" if align is None else align.get(f"{_W}val")
    if place != "superscript" and not any(e.tag.endswith("}sup") for e in text.iterancestors()):
        return said
    raised = raise_number(said.strip(), before)
    return said if raised is None else raised
