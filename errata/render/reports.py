"""Findings in the forms that other programs read: SARIF, Markdown and lines."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from errata.core.errors import count
from errata.core.records import Correction
from errata.render.findings import LEVELS, Finding, find
from errata.render.terminal import visible

Json = dict[str, Any]
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INERT = str.maketrans({sign: f"\\{sign}" for sign in r"\`<["} | {"@": "@\u200b"})
"""Signs by which a text could link, show pictures, hide or call people in Markdown."""


@dataclass(frozen=True)
class Report:
    """One draft, by the path that the caller gave, with its result or why there is none."""

    path: str
    result: Correction | None = None
    error: str = ""

    @cached_property
    def faults(self) -> list[Finding]:
        """What was found in it and is not sound."""
        found = find(self.result) if self.result else []
        return [each for each in found if each.level != "none"]

    def line(self, offset: int) -> tuple[int, str]:
        """The number of the line that an offset is in, from 1, and that line before the offset."""
        draft = self.result.draft if self.result else ""
        return draft.count("\n", 0, offset) + 1, draft[draft.rfind("\n", 0, offset) + 1 : offset]

    @property
    def artifact(self) -> Json:
        """The draft's file in SARIF."""
        path = PurePath(self.path)
        return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}

    def region(self, start: int, end: int) -> Json:
        """A stretch of the draft in SARIF."""
        (first, before), (last, until) = self.line(start), self.line(end)
        return {
            "startLine": first,
            "startColumn": len(before) + 1,
            "endLine": last,
            "endColumn": len(until) + 1,
            "charOffset": start,
            "charLength": end - start,
        }


def as_sarif(reports: Sequence[Report]) -> str:
    """SARIF 2.1.0: a rule for each kind, fixes from edits, failed drafts as notifications."""
    kinds = dict.fromkeys(each.kind for report in reports for each in report.faults)
    failed = [_notification(report) for report in reports if report.error]
    rules = [{"id": k, "defaultConfiguration": {"level": LEVELS[k]}} for k in kinds]
    run = {
        "tool": {"driver": {"name": "errata", "version": version("errata"), "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not failed, "toolExecutionNotifications": failed}],
        "results": [_result(report, each) for report in reports for each in report.faults],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _notification(report: Report) -> Json:
    place = {"physicalLocation": {"artifactLocation": report.artifact}}
    return {"level": "error", "message": {"text": report.error}, "locations": [place]}


def _result(report: Report, finding: Finding) -> Json:
    region = report.region(finding.start, finding.end)
    place = {"artifactLocation": report.artifact, "region": region}
    replacements = [
        {"deletedRegion": report.region(e.start, e.end), "insertedContent": {"text": e.after}}
        for e in finding.edits
    ]
    change = {"artifactLocation": report.artifact, "replacements": replacements}
    return {
        "ruleId": finding.kind,
        "level": finding.level,
        # What a text says must not become a link.
        "message": {"text": finding.message.replace("](", "] (")},
        "locations": [{"physicalLocation": place}],
        **({"fixes": [{"artifactChanges": [change]}]} if replacements else {}),
    }


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
    (number, _), text = report.line(finding.start), _inert(finding.text)
    for word in map(_inert, " ".join(finding.unfounded).split()):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda m: f"**{m[0]}**", text, count=1)
    yield f"- **{finding.label}**, line {number}: {text}"
    for line in (*finding.why, *_changes(finding)):
        yield f"  - {_inert(line)}"


def _changes(finding: Finding) -> list[str]:
    return [" ".join(f"“{e.before}” → “{e.after}”".split()) for e in finding.edits]


def _inert(text: str) -> str:
    """A text that formats nothing in Markdown, and moves no cursor."""
    return visible(text).translate(_INERT)


def as_lines(reports: Sequence[Report]) -> str:
    """A line for each finding, as compilers write them: FILE:LINE:COLUMN: LEVEL: what."""
    lines = [f"{report.path}:1:1: error: {report.error}" for report in reports if report.error]
    lines += [_line(report, each) for report in reports for each in report.faults]
    return "".join(f"{visible(line)}\n" for line in lines)


def _line(report: Report, finding: Finding) -> str:
    number, before = report.line(finding.start)
    said = " – ".join([*finding.message.splitlines(), *_changes(finding)])
    return f"{report.path}:{number}:{len(before) + 1}: {finding.level}: {said}"


REPORTS = {"sarif": as_sarif, "markdown": as_markdown, "lines": as_lines}
"""What writes each form, for all drafts of a command at once."""
