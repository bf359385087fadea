"""`errata review` as a process that tests decide in, or kill."""

import subprocess
import sys


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

    def end(self, *, kill=False):
        if kill:
            self.process.kill()
        output, told = self.process.communicate(timeout=60)
        return output, self.told + told, self.process.returncode
