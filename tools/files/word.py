"""A Word document read as a draft, and edits of that draft written into the document.

Paragraphs are read as Markdown: `[^1]` stands for a note, `[words](address)` for a link, and notes
come last. Only the parts that an edit changes are written anew; of the file all else stays.
"""

import re
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from io import BytesIO
from itertools import chain, groupby
from typing import Any
from urllib.parse import quote
from zipfile import BadZipFile, ZipFile

from lxml import etree

from errata.core.errors import InputError
from errata.core.records import Edit
from errata.tools.files.main_text import MAX_UNPACKED
from errata.tools.files.word_parts import ID, LINKED, Piece, W, new_run, put_in, remove, words_of

_BODY, _NOTES = "document", {"footnote": "footnotes", "endnote": "endnotes"}
_INTO = frozenset("r hyperlink ins moveTo smartTag sdt sdtContent fldSimple customXml".split())
"""Elements of a paragraph whose content is part of its words."""
_AS_IS = "%/:=&?~#+!$,;'@*[]"
"""What stays as it is in an address; a bracket would end a link."""
_BLANK = frozenset("tab br cr ptab".split())
_NOTE = re.compile(r"\[\^(?P<label>[^\]\s]+)\]")
_LINK = re.compile(r"\[(?P<words>[^\[\]]+)\]\((?P<url>[^()\s]+)\)")
_TOKEN = re.compile(rf"{_NOTE.pattern}|{_LINK.pattern}|.", re.DOTALL)


class Word:
    """A Word document; `text` is what it says, as Markdown."""

    def __init__(self, data: bytes, name: str) -> None:
        """Read a document; raises InputError, which calls it `name`, if that fails."""
        self._data, self._pieces, self._urls = data, list[Piece](), dict[str, str]()
        self._labels = dict[tuple[str, str], str]()
        self._marks = dict[str, tuple[str, Any, Any]]()
        self._lists, self._changed = Counter[str](), set[str]()
        try:
            with ZipFile(BytesIO(data)) as file:
                if sum(part.file_size for part in file.infolist()) > MAX_UNPACKED:
                    raise InputError(f"{name} unpacks to more than {MAX_UNPACKED // 10**6} MB")
                self._parts = {
                    path: etree.fromstring(file.read(path), etree.XMLParser(resolve_entities=False))
                    for each in (_BODY, *_NOTES.values())
                    for path in (_path(each), _path_of_links(each))
                    if path in file.NameToInfo
                }
            self._read()
        except (BadZipFile, etree.XMLSyntaxError, KeyError, ValueError) as error:
            raise InputError(f"{name} is not a readable Word document: {error}") from error
        self.text = "".join(piece.text for piece in self._pieces)

    def _read(self) -> None:
        self._read_paragraphs(_BODY, self._parts[_path(_BODY)])
        for kind, part in _NOTES.items():
            notes = {each.get(f"{W}id"): each for each in self._parts.get(_path(part), ())}
            for (own, name), label in self._labels.items():
                if own == kind and name in notes:
                    self._read_paragraphs(part, notes[name], f"[^{label}]: ")

    def _read_paragraphs(self, part: str, block: Any, lead: str = "") -> None:
        links = self._parts.get(_path_of_links(part), ())
        self._urls = {
            each.get("Id"): each.get("Target") for each in links if each.get("TargetMode")
        }
        for paragraph in block.iter(f"{W}p"):
            if any(str(each.tag).endswith("}Fallback") for each in paragraph.iterancestors()):
                continue  # the same words once more, for old programs
            opening = lead or self._opening(paragraph)
            before = len(self._pieces)
            self._put(opening, "auto", paragraph, paragraph)
            self._read_inline(paragraph, paragraph)
            if len(self._pieces) == before + bool(opening):
                del self._pieces[before:]
                continue
            self._put("\n\n", "break", paragraph, paragraph)
            lead = "    " if lead else ""

    def _opening(self, paragraph: Any) -> str:
        """What Markdown writes before a heading or an item of a list."""
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        named = "" if style is None else style.get(f"{W}val", "")
        number = paragraph.find(f"{W}pPr/{W}numPr/{W}numId")
        own = "" if number is None else number.get(f"{W}val", "")
        if named.startswith("Heading") or named == "Title":
            return "# "
        if own or re.match("List(?:Number|Bullet)", named):
            self._lists[own or named] += 1
            return f"{self._lists[own or named]}. "
        return ""

    def _read_inline(self, element: Any, paragraph: Any) -> None:
        for child in element:
            kind = str(child.tag).removeprefix(W)
            note, url = kind.removesuffix("Reference"), self._urls.get(child.get(ID))
            if kind == "t":
                self._put(words_of(child), "text", child, paragraph)
            elif kind in _BLANK:
                self._put(" ", "auto", child, paragraph)
            elif note in _NOTES:
                self._put(f"[^{self._label(note, child)}]", "note", child, paragraph)
            elif kind == "hyperlink" and url:
                self._put("[", "link", child, paragraph)
                self._read_inline(child, paragraph)
                self._put(f"]({quote(url, safe=_AS_IS)})", "link", child, paragraph)
            elif kind in _INTO:
                self._read_inline(child, paragraph)

    def _label(self, kind: str, mark: Any) -> str:
        """What the mark of a note is called: its number in the order of the text."""
        key = kind, mark.get(f"{W}id")
        number = sum(kind == own for own, _ in self._labels) + 1
        label = self._labels.setdefault(key, f"{'e' if kind == 'endnote' else ''}{number}")
        self._marks.setdefault(label, (kind, mark, mark.getparent()))
        return label

    def _put(self, text: str, kind: Any, element: Any, paragraph: Any) -> None:
        start = self._pieces[-1].end if self._pieces else 0
        if text:
            self._pieces.append(Piece(text, start, kind, element, paragraph))

    def edited(self, edits: Sequence[Edit]) -> tuple[bytes, list[Edit]]:
        """The file with some edits, and those that it has no place for. To be called once."""
        latest = sorted(edits, key=lambda edit: edit.start, reverse=True)
        undone = [edit for edit in latest if not self._apply(edit)]
        new = BytesIO()
        with ZipFile(BytesIO(self._data)) as old, ZipFile(new, "w") as file:
            for part in old.infolist():
                content = old.read(part)
                if part.filename in self._changed:
                    root = self._parts[part.filename]
                    content = etree.tostring(root, encoding="UTF-8", standalone=True)
                file.writestr(part, content)
        return new.getvalue(), undone[::-1]

    def _apply(self, edit: Edit) -> bool:
        """Make one edit; false if it has no place. Those that stand after it are made already."""
        start, end, after = _trim(edit)
        own = [piece for piece in self._pieces if piece.start < end and start < piece.end]
        if own and all(piece.kind == "auto" for piece in own):
            return True  # Word numbers its lists itself
        site, gone = self._site(start, own), [] if after else self._emptied(own, start, end)
        if not self._is_whole(own, start, end, gone) or (after and not site):
            return False
        new = [self._made(token, site) for token in after] if site else []
        if None in new:
            return False
        self._changed |= {_path(piece.part) for piece in (*own, *filter(None, [site]))}
        for piece in own:
            remove(piece, start, end)
        if new and site:
            put_in(new, site, start)
        for paragraph in gone:
            if paragraph.getparent().findall(f"{W}p")[1:]:
                paragraph.getparent().remove(paragraph)
        return True

    def _site(self, place: int, own: Sequence[Piece]) -> Piece | None:
        """The piece beside which a new text stands: the first one that it replaces, if of words."""
        real = [p for p in self._pieces if p.kind in ("text", "note", "link")]
        left = (p for p in real if p.start < place <= p.end and not p.is_opening)
        right = (p for p in real if p.start == place and (p.kind != "link" or p.is_opening))
        first = (piece for piece in own[:1] if piece.kind == "text")
        return next(chain(first, left, right), None)

    def _emptied(self, own: Sequence[Piece], start: int, end: int) -> list[Any]:
        """The paragraphs that have no words without a stretch of the text."""
        rest = (p for p in self._pieces if not (start <= p.start and p.end <= end))
        kept = {p.paragraph for p in rest if p.kind in ("text", "note", "link")}
        return [each for each in dict.fromkeys(p.paragraph for p in own) if each not in kept]

    @staticmethod
    def _is_whole(own: Sequence[Piece], start: int, end: int, gone: Sequence[Any]) -> bool:
        """Whether a stretch cuts no mark and no link, and joins no paragraphs."""
        links = Counter(piece.element for piece in own if piece.kind == "link")
        cut = (p for p in own if p.kind != "text" and not (start <= p.start and p.end <= end))
        return not (
            1 in links.values()
            or any(piece.kind in ("note", "link") for piece in cut)
            or any(piece.kind == "break" and piece.paragraph not in gone for piece in own)
        )

    def _made(self, token: str, site: Piece) -> Any:
        """A run, the mark of a new note like another one, or a link; None if it has no place."""
        own = site.element.getparent() if site.kind == "text" else None
        if note := _NOTE.fullmatch(token):
            return self._copied(note["label"])
        if not (link := _LINK.fullmatch(token)):
            return None if "\n" in token else new_run(token, own)
        links = self._parts.get(_path_of_links(site.part))
        if links is None or (own is not None and own.getparent().tag == f"{W}hyperlink"):
            return None
        name = f"rIdErrata{len(links) + 1}"
        about = {"Id": name, "Type": f"{LINKED}/hyperlink", "Target": link["url"]}
        links.append(links.makeelement(links[0].tag, about | {"TargetMode": "External"}))
        self._changed.add(_path_of_links(site.part))
        others = (p.element.find(f"{W}r") for p in self._pieces if p.kind == "link")
        made = etree.Element(f"{W}hyperlink", {ID: name})
        made.append(new_run(link["words"], next(others, own)))
        return made

    def _copied(self, label: str) -> Any:
        """The mark of a new note that says what another one says; None if there is none."""
        if label not in self._marks:
            return None
        kind, mark, own = self._marks[label]
        notes = self._parts[_path(_NOTES[kind])]
        note = next(each for each in notes if each.get(f"{W}id") == mark.get(f"{W}id"))
        number = str(max(int(each.get(f"{W}id")) for each in notes) + 1)
        notes.append(deepcopy(note))
        notes[-1].set(f"{W}id", number)
        self._changed.add(_path(_NOTES[kind]))
        run = new_run("", own)
        run.replace(run[-1], deepcopy(mark))
        run[-1].set(f"{W}id", number)
        return run


def _path(part: str) -> str:
    return f"word/{part}.xml"


def _path_of_links(part: str) -> str:
    return f"word/_rels/{part}.xml.rels"


def _trim(edit: Edit) -> tuple[int, int, list[str]]:
    """An edit without what it leaves as it was: its place, and the words, marks and links put in.

    >>> _trim(Edit(start=9, end=14, before="a [1]", after="a [2]"))
    (12, 13, ['2'])
    """
    before, after = ([m[0] for m in _TOKEN.finditer(text)] for text in (edit.before, edit.after))
    start, end = edit.start, edit.end
    while before and after and before[0] == after[0]:
        start += len(before.pop(0))
        after.pop(0)
    while before and after and before[-1] == after[-1]:
        end -= len(before.pop())
        after.pop()
    groups = groupby(enumerate(after), lambda each: -1 if len(each[1]) == 1 else each[0])
    return start, end, ["".join(token for _, token in group) for _, group in groups]
