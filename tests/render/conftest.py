import threading

import pytest

from errata.cli.desk import Desk, Sheet


@pytest.fixture
def serving_sheet():
    """Serves sheets on loopback while a test runs; each has its `url`."""
    desks = []

    def serve():
        sheet = Sheet()
        desk = Desk(lambda: {"it": "a draft"}, {"it": sheet}.__getitem__, 0)
        threading.Thread(target=desk.serve_forever, daemon=True).start()
        desks.append(desk)
        sheet.url = f"{desk.url}it/"
        return sheet

    yield serve
    for desk in desks:
        desk.shutdown()
        desk.server_close()
