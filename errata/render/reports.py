"""Findings in the forms that other programs read: SARIF, rdjson, JUnit, Markdown, annotations."""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from errata.core.errors import count
from errata.core.records import Correction
from errata.render.findings import KINDS, Finding, find
from errata.render.terminal import visible

Json = dict[str, Any]
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ANNO = "http://www.w3.org/ns/anno.jsonld"
_AROUND = 32
"""Characters before and after a stretch that an annotation quotes."""
_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}
_FAILS = ("error", "warning")
"""The levels that fail a test case."""
_INERT = str.maketrans({sign: f"\\{sign}" for sign in r"\`<["} | {"@": "@\u200b"})
"""Signs by which a text could link, show pictures, hide or call people in Markdown."""
_ILLEGAL = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""What XML cannot hold, beside control characters."""


@dataclass(frozen=True)
class Report:
    """One draft, by the path that the caller gave, with its result or why there is none."""

    path: str
    result: Correction | None = None
    error: str = ""

    @cached_property
    def findings(self) -> list[Finding]:
        """All that was found in it."""
        return find(self.result) if self.result else []

    @property
    def faults(self) -> list[Finding]:
        """What is not sound."""
        return [each for each in self.findings if each.level != "none"]

    @property
    def draft(self) -> str:
        """The text of its file."""
        return self.result.draft if self.result else ""

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.draft))]

    def line(self, offset: int) -> tuple[int, str]:
        """The number of the line that an offset is in, from 1, and that line before the offset."""
        number = bisect_right(self._lines, offset)
        return number, self.draft[self._lines[number - 1] : offset]


def as_sarif(reports: Sequence[Report]) -> str:
    """One run of SARIF 2.1.0: a rule for each kind, fixes from the edits; columns count characters.

    Notes and drafts that failed are notifications of the run.
    """
    kinds = list(dict.fromkeys(each.kind for report in reports for each in report.faults))
    driver = {"name": "errata", "version": version("errata"), "rules": [*map(_rule, kinds)]}
    told = [_notification(report, "error", report.error) for report in reports if report.error]
    for report in reports:
        notes = report.result.notes if report.result else ()
        told += [_notification(report, "note", note) for note in notes]
    successful = not any(report.error for report in reports)
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {"executionSuccessful": successful, "toolExecutionNotifications": told},
        ],
        "results": [
            _result(report, each, kinds.index(each.kind))
            for report in reports
            for each in report.faults
        ],
    }
    return _dump({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(kind: str) -> Json:
    level, meaning = KINDS[kind]
    return {
        "id": kind,
        "shortDescription": {"text": kind.replace("_", " ")},
        "help": {"text": meaning},
        "defaultConfiguration": {"level": level},
    }


def _notification(report: Report, level: str, text: str) -> Json:
    place = {"physicalLocation": {"artifactLocation": _artifact(report)}}
    return {"level": level, "message": {"text": text}, "locations": [place]}


def _result(report: Report, finding: Finding, rule: int) -> Json:
    region = _region(report, finding.start, finding.end)
    place = {"artifactLocation": _artifact(report), "region": region}
    replacements = [
        {
            "deletedRegion": _region(report, edit.start, edit.end),
            "insertedContent": {"text": edit.after},
        }
        for edit in finding.edits
    ]
    change = {"artifactLocation": _artifact(report), "replacements": replacements}
    return {
        "ruleId": finding.kind,
        "ruleIndex": rule,
        "level": finding.level,
        # What a text says must not become a link.
        "message": {"text": finding.message.replace("](", "] (")},
        "locations": [{"physicalLocation": place}],
        **({"fixes": [{"artifactChanges": [change]}]} if replacements else {}),
    }


def _artifact(report: Report) -> Json:
    path = PurePath(report.path)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}


def _region(report: Report, start: int, end: int) -> Json:
    (first, before), (last, until) = report.line(start), report.line(end)
    return {
        "startLine": first,
        "startColumn": len(before) + 1,
        "endLine": last,
        "endColumn": len(until) + 1,
        "charOffset": start,
        "charLength": end - start,
    }


def as_rdjson(reports: Sequence[Report]) -> str:
    """Reviewdog's diagnostics, with suggestions from the edits; columns count bytes of UTF-8."""
    found: list[Json] = [
        {"message": report.error, "location": {"path": report.path}, "severity": "ERROR"}
        for report in reports
        if report.error
    ]
    found += [_diagnostic(report, each) for report in reports for each in report.faults]
    return _dump({"source": {"name": "errata"}, "diagnostics": found})


def _diagnostic(report: Report, finding: Finding) -> Json:
    return {
        "message": _inert(finding.message),
        "location": {"path": report.path, "range": _range(report, finding.start, finding.end)},
        "severity": _SEVERITIES[finding.level],
        "code": {"value": finding.kind},
        "suggestions": [
            {"range": _range(report, edit.start, edit.end), "text": edit.after}
            for edit in finding.edits
        ],
    }


def _range(report: Report, start: int, end: int) -> Json:
    names = (("start", report.line(start)), ("end", report.line(end)))
    return {
        name: {"line": number, "column": len(before.encode("utf-8", "surrogatepass")) + 1}
        for name, (number, before) in names
    }


def as_junit(reports: Sequence[Report]) -> str:
    """A suite for each draft and a test case for each statement, as most CI systems show them.

    Errors and warnings fail; what else is not supported is skipped.
    """
    suites = Element("testsuites", name="errata")
    for report in reports:
        suite = SubElement(suites, "testsuite", name=report.path)
        if report.error:
            case = SubElement(suite, "testcase", classname=report.path, name="draft")
            SubElement(case, "error", message=report.error)
        for finding in report.findings:
            _add_case(suite, report, finding)
    for group in (*suites, suites):
        group.set("tests", str(len(group.findall(".//testcase"))))
        for plural, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            group.set(plural, str(len(group.findall(f".//{tag}"))))
    indent(suites)
    text = _ILLEGAL.sub("\ufffd", visible(tostring(suites, "unicode")))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_case(suite: Element, report: Report, finding: Finding) -> None:
    number, path = report.line(finding.start)[0], report.path
    name = f"line {number}: {finding.text}"
    case = SubElement(suite, "testcase", classname=path, name=name, file=path, line=str(number))
    if finding.level in _FAILS:
        fault = SubElement(case, "failure", type=finding.kind, message=finding.label)
        fault.text = finding.message
    elif finding.kind != "supported":
        SubElement(case, "skipped", message=finding.label)


def as_markdown(reports: Sequence[Report]) -> str:
    """What is wrong with each draft, as a comment on a pull request says it."""
    faults = sum(len(report.faults) for report in reports)
    parts = [f"**errata**: {count(faults, 'finding')} in {count(reports, 'file')}"]
    for report in reports:
        lines = [f"- **failed**: {_inert(report.error)}"] if report.error else []
        lines += [line for each in report.faults for line in _item(report, each)]
        parts += [f"#### {_inert(report.path)}", "\n".join(lines) or "Nothing found."]
    return "\n\n".join(parts) + "\n"


def _item(report: Report, finding: Finding) -> Iterator[str]:
    number, _ = report.line(finding.start)
    yield f"- **{finding.label}**, line {number}: {_inert(finding.text)}"
    edits = (" ".join(f"“{e.before}” → “{e.after}”".split()) for e in finding.edits)
    for line in (*finding.why, *edits):
        yield f"  - {_inert(line)}"


def as_annotations(reports: Sequence[Report]) -> str:
    """A collection of W3C Web Annotations: one for each finding, sound ones too, and each edit.

    Places count characters (code points). Drafts that failed have an annotation as a whole.
    """
    items = [each for report in reports for each in _annotations(report)]
    for number, each in enumerate(items, start=1):
        each["id"] = _name(f"{number} {each}")
    page = {"id": _name(f"page {items}"), "type": "AnnotationPage", "startIndex": 0, "items": items}
    kind = {"@context": _ANNO, "id": _name(str(items)), "type": "AnnotationCollection"}
    return _dump({**kind, "total": len(items), "first": page})


def _name(text: str) -> str:
    """The same IRI for the same text, as each annotation must have one."""
    return uuid5(NAMESPACE_URL, text).urn


def _annotations(report: Report) -> Iterator[Json]:
    if report.error:
        yield _annotation("commenting", report.error, _artifact(report)["uri"])
    for finding in report.findings:
        label = {"type": "TextualBody", "value": finding.kind, "purpose": "classifying"}
        place = _stretch(report, finding.start, finding.end)
        yield _annotation("assessing", finding.message, place, label)
        for edit in finding.edits:
            yield _annotation("editing", edit.after, _stretch(report, edit.start, edit.end))


def _annotation(motivation: str, text: str, target: object, *bodies: Json) -> Json:
    body = {"type": "TextualBody", "value": text, "format": "text/plain", "purpose": motivation}
    kind = {"id": "", "type": "Annotation", "motivation": motivation}
    return {**kind, "body": [*bodies, body], "target": target}


def _stretch(report: Report, start: int, end: int) -> Json:
    """A stretch of the draft as a target: its place, and its words with those around them."""
    draft, quote = report.draft, {"type": "TextQuoteSelector"}
    quote |= {"exact": draft[start:end], "prefix": draft[max(0, start - _AROUND) : start]}
    place = {"type": "TextPositionSelector", "start": start, "end": end}
    selectors = [place, {**quote, "suffix": draft[end : end + _AROUND]}]
    return {"source": _artifact(report)["uri"], "selector": selectors}


def _inert(text: str) -> str:
    """A text that formats nothing in Markdown, and moves no cursor."""
    return visible(text).translate(_INERT)


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


REPORTS: dict[str, Callable[[Sequence[Report]], str]] = {
    "sarif": as_sarif,
    "rdjson": as_rdjson,
    "junit": as_junit,
    "markdown": as_markdown,
    "annotations": as_annotations,
}
"""What writes each form, for all drafts of a command at once."""
