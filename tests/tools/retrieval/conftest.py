import json

import pytest


@pytest.fixture
def texts(tmp_path):
    """A folder with one file of each kind, and one that cannot be read."""
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "tower.md").write_text("# Eiffel Tower\n\nThe tower was opened in 1889. It is tall.")
    (folder / "bees.txt").write_text("Bees make honey.\n")
    (folder / "page.html").write_text(
        f"<html><body><article><p>{'The canal of Panama was opened in 1914. ' * 9}</p></article>"
    )
    rows = [{"id": "r1", "title": "Moon", "text": "Apollo 11 landed on the moon in July 1969."}]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "notes.bin").write_bytes(b"\x80")
    return folder
