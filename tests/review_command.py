"""`errata review` as a process that tests decide in, or kill."""

import subprocess
import sys
import time

import httpx


class ReviewCommand:
    """The running command, with the address of its page."""

    def __init__(self, folder, *arguments):
        code = "from errata.cli import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "review", *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.told = ""
        while not (line := self.process.stderr.readline()).startswith("review: "):
            assert line, self.told
            self.told += line
        self.url = line.split()[1]

    def decide(self, **decisions):
        """Decide as the page does, as soon as the run lets one."""
        for name, decision in decisions.items():
            body = {"id": name, "decision": decision}
            while httpx.post(f"{self.url}decisions", json=body).is_error:
                assert self.process.poll() is None
                time.sleep(0.05)

    def finish(self):
        """Output, what was told, and the exit code of the command once it is finished."""
        assert httpx.post(f"{self.url}finish", json={}).is_success
        return self.end()

    def end(self, *, kill=False):
        if kill:
            self.process.kill()
        output, told = self.process.communicate(timeout=60)
        return output, self.told + told, self.process.returncode
