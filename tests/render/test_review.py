"""The review page in a real browser, by keyboard; its server is killed in between."""

import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from errata.cli.review_page import Review
from errata.core.edits import apply_edits
from errata.core.jsonable import to_json
from errata.core.records import Claim, Document, Edit, Quote, Verdict
from example import correction_of

ATTACK = "<img src=x onerror=document.title='pwned'>"
OWN = f"about 1850 {ATTACK}"


class ReviewCommand:
    """The running command, with the address of its page."""

    def __init__(self, folder, *arguments):
        code = "from errata.cli import main; main()"
        command = [sys.executable, "-c", code, "review", *arguments]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, cwd=folder, **streams)
        self.told = ""
        while not (line := self.process.stderr.readline()).startswith("review: "):
            assert line, self.told
            self.told += line
        self.url = line.split()[1]

    def end(self, *, kill=False):
        if kill:
            self.process.kill()
        output, told = self.process.communicate(timeout=60)
        return output, self.told + told, self.process.returncode


class ReviewPage:
    """What is pressed on a page, and what it says."""

    def __init__(self, browser, url=""):
        self.browser = browser
        if url:
            browser.get(url)
            self.says("decided")

    def press(self, *keys):
        self.browser.switch_to.active_element.send_keys(*keys)

    def says(self, words):
        self._wait(lambda own: words in own.find_element("id", "status").text)

    def made(self):
        return self.browser.execute_script(
            "return [...document.querySelectorAll('details.edit')].map(e => e.dataset.decision)"
        )

    def _wait(self, until):
        try:
            WebDriverWait(self.browser, 60, 0.02).until(until)
        except TimeoutException:
            pytest.fail(f"the page says: {self.browser.find_element('id', 'status').text}")


def forty(number=40):
    """A correction of so many edits, each of one wrong year."""
    draft, claims, verdicts, edits = "", [], [], []
    page = f"{ATTACK} They did it in 1900."
    for n in range(number):
        sentence = f"Person {n} {ATTACK} did it in {1800 + n}. "
        at = len(draft) + sentence.rindex(" ", 0, -1) + 1
        quote = Quote(document="d1", start=0, end=len(page), text=page)
        own = {"evidence": (quote,), "explanation": f"it was 1900 {ATTACK}"}
        claims.append(Claim(id=f"c{n}", text=sentence, start=len(draft), end=at + 5))
        verdicts.append(Verdict(claim=f"c{n}", label="refuted", score=0.1, **own))
        own |= {"claims": (f"c{n}",), "before": str(1800 + n), "after": "1900"}
        edits.append(Edit(start=at, end=at + 4, **own))
        draft += sentence
    document = Document(id="d1", text=page, title=f"Page {ATTACK}", url="https://a.example")
    fields = {"question": f"Who? {ATTACK}", "documents": (document,), "claims": tuple(claims)}
    fields |= {"verdicts": tuple(verdicts), "edits": tuple(edits)}
    return correction_of(draft, apply_edits(draft, edits), **fields)


@pytest.mark.slow
def test_forty_edits_by_keyboard_alone_and_a_kill_loses_nothing(browser, tmp_path):
    result = forty()
    (tmp_path / "r.json").write_text(json.dumps(to_json(result)))
    command = ReviewCommand(tmp_path, "r.json")
    page = ReviewPage(browser, command.url)
    page.press("j")
    for number in range(1, 19):
        page.press("a" if number % 3 else "r")
        page.says(f"{number} of 40 decided; kept")
    page.press("e")
    page.press(Keys.CONTROL, "a", Keys.NULL, OWN, Keys.CONTROL, Keys.ENTER)
    page.says("19 of 40 decided; kept")
    page.press("a")
    page.says("20 of 40 decided; kept")
    command.end(kill=True)
    page.press("a")
    page.says("NOT kept: the server is gone")
    before = page.made()
    assert before == ["accept", "accept", "reject"] * 6 + ["replace", "accept"] + [""] * 20

    command = ReviewCommand(tmp_path, "r.json")
    page = ReviewPage(browser, command.url)
    assert page.made() == before
    page.press("f")
    page.says("decide on all edits first")
    page.press(*"a" * 20)  # faster than the disk
    page.says("40 of 40 decided; kept")
    assert browser.title == f"errata: Who? {ATTACK}"
    page.press("f")
    page.says("finished")
    output, told, code = command.end()
    assert (code, "was replaced in review" in told) == (0, True)
    stands = [edit for n, edit in enumerate(result.edits, 1) if n > 18 or n % 3]
    stands = [replace(e, after=OWN) if e.before == "1818" else e for e in stands]
    assert output == apply_edits(result.draft, stands) + "\n"
    rows = map(json.loads, (tmp_path / "r.json.decisions.jsonl").read_text().splitlines())
    assert [row["decision"] for row in rows].count("reject") == 6


def test_the_page_is_marked_up_for_readers_of_all_kinds(browser, tmp_path, start_review):
    server = start_review(Review(forty(3), tmp_path / "d.jsonl"))
    page = ReviewPage(browser, server.url)
    parts = browser.find_elements("css selector", "main, footer")
    assert [each.aria_role for each in parts] == ["main", "contentinfo"]
    page.press("j")
    focused = browser.switch_to.active_element
    assert focused.accessible_name == "edit 1: 1800 becomes 1900"
    page.press("a")
    page.says("1 of 3 decided; kept")
    assert browser.switch_to.active_element.accessible_name.startswith("edit 2")
    first = browser.find_element("id", "e1")
    assert first.find_element("id", "e1-made").text == "✓ accepted"
    wide = "return document.documentElement.scrollWidth > window.innerWidth"
    assert not browser.execute_script(wide)
    page.press("?")
    browser.find_element("id", "on").click()
    page.press(Keys.ESCAPE)
    page.press("a")
    time.sleep(0.1)
    assert page.made() == ["accept", "", ""]
    assert not [each for each in browser.get_log("browser") if "favicon" not in each["message"]]
