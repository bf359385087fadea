"""Take the picture of the review page anew: python docs/picture.py (needs Chromium, its driver)."""

import shutil
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from PIL import Image
from selenium import webdriver

from errata import correct
from errata.cli.review_page import Review, ReviewServer

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "pictures" / "review.png"


def take_picture(url: str) -> None:
    """Accept the first edit of the page by keyboard, and photograph the second."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("headless", "no-sandbox", "disable-gpu", "window-size=760,660"):
        options.add_argument(f"--{flag}")
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    driver.implicitly_wait(10)
    driver.get(url)
    driver.switch_to.active_element.send_keys("ja")
    driver.find_element("css selector", "#e2[open]")
    driver.execute_script("scrollTo(0, 0)")
    photo = Image.open(BytesIO(driver.get_screenshot_as_png()))
    photo.convert("RGB").quantize(64).save(PICTURE, optimize=True)
    driver.quit()


if __name__ == "__main__":
    draft = (ROOT / "demo" / "drafts" / "marie-curie.txt").read_text("utf-8").strip()
    result = correct("Who was Marie Curie?", draft, corpus=str(ROOT / "demo" / "corpus"))
    with TemporaryDirectory() as folder:
        shown = ReviewServer(Review(result, Path(folder) / "decisions.jsonl"))
        Thread(target=shown.serve_forever, daemon=True).start()
        take_picture(shown.url)
