"""The page of a review as a person at the keyboard has it."""

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.ui import WebDriverWait

ATTACK = "<img src=x onerror=document.title='pwned'>"


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
