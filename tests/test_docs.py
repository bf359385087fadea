"""The generated parts of the documentation, and what the pages must hold."""

import re
import runpy
from pathlib import Path

import pytest

from errata.cli import codes

ROOT = Path(__file__).parent.parent
GENERATOR = runpy.run_path(str(ROOT / "docs" / "generate.py"))
ARROW = re.compile(r"^\t(\w+) --> (\w+);$", re.MULTILINE)
SETTINGS = re.compile(r"<!-- settings .*?<!-- /settings -->", re.DOTALL)
"""The tables of settings, which are to look up in, not to read through."""
PAGE = "# Settings\n\n<!-- settings server -->\n{}\n<!-- /settings -->\n"


def test_check_names_what_is_out_of_date_and_writes_nothing(tmp_path, capsys):
    old, current = tmp_path / "old.md", tmp_path / "current.md"
    old.write_text(PAGE.format("| setting |"))
    current.write_text(PAGE.format(GENERATOR["tabulate_settings"]("server")))
    assert GENERATOR["main"]("--check", str(old), str(current)) == 1
    assert capsys.readouterr().err == f"{old} is out of date: run `make draw`\n"
    assert old.read_text() == PAGE.format("| setting |")


def test_what_is_out_of_date_is_written(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE.format("| setting |"))
    assert GENERATOR["main"](str(page)) == 0
    assert '| `ERRATA_AUTH` | `"on"` |' in page.read_text()
    assert GENERATOR["main"]("--check", str(page)) == 0


@pytest.mark.parametrize(
    ("before", "after", "equal"),
    [
        ("3 edits, 0 model calls, 1.60 s\n", "3 edits, 0 model calls, 0.07 s\n", True),
        ("3 edits, 0 model calls, 1.60 s\n", "2 edits, 0 model calls, 1.60 s\n", False),
        ("within 1.60 s of the start\n", "within 1.61 s of the start\n", False),
    ],
)
def test_timings_at_the_end_of_a_line_do_not_count(before, after, equal):
    timing = GENERATOR["_TIMING"]
    assert (timing.sub("", before) == timing.sub("", after)) is equal


def test_the_picture_of_the_rooms_shows_every_room_and_import():
    picture = GENERATOR["draw_imports"]("tools")
    rooms = {path.parent.name for path in (ROOT / "tools").glob("*/__init__.py")}
    arrows = set()
    for room in rooms:
        files = [path for path in (ROOT / "tools" / room).glob("*.py") if path.stem != "__init__"]
        assert f'\t{room}("{room}<br/>{len(files)} files")' in picture
        text = "".join(path.read_text() for path in files)
        imports = re.findall(r"^\s*(?:from|import) errata\.tools\.(\w+)", text, re.MULTILINE)
        arrows |= {(room, other) for other in imports if other != room}
    assert set(ARROW.findall(picture)) == arrows


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "README.md",
            ["$ errata correct", "```mermaid", "with RAG", "make test-fast"],
        ),
        ("docs/architecture.md", ["```mermaid", "judges --> text;", "symbolic links"]),
        ("docs/rac.md", ["| `unsupported` |"]),
        ("docs/reex.md", ["--method reex", "```mermaid", "| `steps` |"]),
        ("docs/rarr.md", ["```mermaid", "| `question_sets` |"]),
        ("docs/critic.md", ["```mermaid", "| `rounds` |"]),
        ("docs/cove.md", ["```mermaid", "| `variant` |", "section 3.3"]),
        ("docs/factool.md", ["```mermaid", "| `passage_tokens` |", "section 4.3"]),
        ("docs/batch.md", ["$ errata batch", "`OUT.run.json`"]),
        ("docs/serving.md", ["| `ERRATA_AUTH` |", "make serve"]),
        ("docs/crag.md", ["$ errata answer", "incorrect or ambiguous", "| `strips` |"]),
        ("docs/models.md", ["openai:MODEL@URL", "| `refused_calls` |"]),
    ],
)
def test_a_page_holds_its_parts_and_stays_short(name, words):
    text = (ROOT / name).read_text()
    assert all(word in text for word in words)
    written = SETTINGS.sub("", text).splitlines()
    assert len(written) < (120 if name == "docs/architecture.md" else 250)


def test_every_link_between_pages_leads_somewhere():
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_documents_and_make_run_the_same_demo():
    makefile = (ROOT / "Makefile").read_text()
    for word in " --".join(GENERATOR["DEMO"].values()).split("--"):
        assert word.strip().removeprefix("correct ") in makefile


def test_the_page_on_commands_lists_every_exit_code():
    page = (ROOT / "docs" / "commands.md").read_text()
    listed = {int(code) for code in re.findall(r"^\| (\d) \|", page, re.MULTILINE)}
    assert listed == {0, codes.STRICT, codes.BAD_INPUT, codes.OUTSIDE, codes.UNSUPPORTED}
