"""What a reader sees of a Word document: what was put in, none of what was taken out or hidden."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from errata.tools.files.rows import describe_rows
from errata.tools.files.seen import lower_number, raise_number

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_GONE = frozenset("del moveFrom delText instrText delInstrText pPr rPr tblPr trPr tcPr rt".split())
_BLANK = frozenset("tab br cr ptab".split())
_NOTES = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}
_PLACES = {"superscript": "sup", "subscript": "sub"}
_OFF = ("0", "false", "off")
_WIDEST = 63
"""The most columns that Word gives a table."""


def read_word(document: Any) -> str:
    """The paragraphs of a document of python-docx in order, tables as lines, and notes last."""
    from docx.oxml import parse_xml

    reader = _Reader()
    texts = [*reader.blocks(document.element.body)]
    for name in _NOTES.values():
        links = (each for each in document.part.rels.values() if each.reltype.endswith(f"/{name}"))
        notes = {e.get(f"{_W}id"): e for each in links for e in parse_xml(each.target_part.blob)}
        own = [key for kind, key in reader.notes if kind == name and key in notes]
        texts += [text for key in own for text in reader.blocks(notes[key])]
    return "\n\n".join(filter(None, texts))


@dataclass
class _Reader:
    """Reads blocks, and keeps what their notes are and the words of the paragraph being read."""

    notes: dict[tuple[str, str], None] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)

    def blocks(self, element: Any) -> Iterator[str]:
        """The paragraphs and tables in an element, each in one piece; text boxes after theirs."""
        for child in _children(element):
            kind = _kind(child)
            if kind == "p":
                self.words, self.boxes = [], []
                self._read(child)
                boxes = self.boxes
                yield " ".join("".join(self.words).split())
                for box in boxes:
                    yield from self.blocks(box)
            elif kind == "tbl":
                yield describe_rows(self._rows(child))
            elif kind not in _GONE:
                yield from self.blocks(child)

    def _read(self, element: Any, place: str = "") -> None:
        """Read the words of an inline element; `place` says whether they are raised or lowered."""
        for child in _children(element):
            kind = _kind(child)
            if kind == "t":
                self.words.append(self._placed(child.text or "", place))
            elif kind in _BLANK or kind == "noBreakHyphen":
                self.words.append("-" if kind == "noBreakHyphen" else " ")
            elif kind in _NOTES:
                self.notes[_NOTES[kind], child.get(f"{_W}id")] = None
            elif kind == "txbxContent":
                self.boxes.append(child)
            elif kind not in _GONE and not _says(child, "strike", "dstrike", "vanish"):
                self._read(child, kind if kind in ("sup", "sub") else _place(child) or place)

    def _placed(self, text: str, place: str) -> str:
        before, bare = "".join(self.words[-4:]), text.strip()
        if place == "sup":
            text = raised if (raised := raise_number(bare, before)) is not None else text
        elif place == "sub":
            text = lower_number(bare, before) or text
        return text

    def _rows(self, table: Any) -> list[list[str]]:
        rows = list[list[str]]()
        for row in _within(table, "tr"):
            if row.find(f"{_W}trPr/{_W}del") is None:
                rows.append(self._cells(row, rows[-1] if rows else []))
        return rows

    def _cells(self, row: Any, above: list[str]) -> list[str]:
        """What the cells of a row say, a wide one for each of its columns, a tall one in each."""
        cells = list[str]()
        for cell in _within(row, "tc"):
            tall, wide = (cell.find(f"{_W}tcPr/{_W}{name}") for name in ("vMerge", "gridSpan"))
            text = " ".join(" ".join(self.blocks(cell)).split())
            if tall is not None and tall.get(f"{_W}val") != "restart":
                text = "".join(above[len(cells) : len(cells) + 1])
            cells += [text] * (1 if wide is None else min(int(wide.get(f"{_W}val")), _WIDEST))
        return cells


def _kind(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _children(element: Any) -> list[Any]:
    """The elements in one; of the same content in several forms the first."""
    return list(element)[: 1 if _kind(element) == "AlternateContent" else None]


def _within(element: Any, name: str) -> Iterator[Any]:
    """The rows or cells of a table, those in controls too."""
    for child in element:
        if _kind(child) == name:
            yield child
        elif _kind(child) in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            yield from _within(child, name)


def _says(run: Any, *names: str) -> bool:
    """Whether a run has one of some properties."""
    found = (run.find(f"{_W}rPr/{_W}{name}") for name in names)
    return any(each is not None and each.get(f"{_W}val") not in _OFF for each in found)


def _place(run: Any) -> str:
    align = run.find(f"{_W}rPr/{_W}vertAlign")
    return "" if align is None else _PLACES.get(align.get(f"{_W}val"), "")
