"""The small app with accounts next to this folder: one device, on which it is opened, killed and opened again."""
import subprocess
from pathlib import Path

from kit.waiting import until


class Accounts:
    """`secrets`: what was typed, and must not be found on the device while a step is pending."""

    def __init__(self, program, base, folder):
        self.program = program
        self.base = base
        self.folder = folder
        self.secrets = set()
        self.leaks = []

    def run(self, *step):
        """One launch to its end: what it told, by its words."""
        return self.open(*step).close()

    def killed(self, *step, at="user"):
        """One launch that is killed where it waits for the user: where it has told that word."""
        launch = self.open(*step, at=at)
        launch.kill()
        self.look()
        return launch.told

    def open(self, *step, at="user"):
        return Launch([self.program, "accounts", self.base, str(self.folder), *step], at)

    def look(self):
        """Whether any file of the device holds what was typed."""
        kept = b"".join(path.read_bytes() for path in Path(self.folder).rglob("*") if path.is_file())
        self.leaks += [secret for secret in self.secrets if secret.encode() in kept]


class Launch:
    """Reads until it tells a word, by default who is signed in: then it waits for the user."""

    def __init__(self, arguments, word):
        self.word = word
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = []
        until(self._read, f"{arguments[4:]} comes to its end: {self.lines}", 30, pause=0)

    def _read(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the app ended: {self.lines}")
        self.lines.append(line.rstrip("\n"))
        return line.startswith(f"{self.word} ")

    @property
    def told(self):
        return Told(self.lines)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.communicate(timeout=150)
        return self.told


class Told:
    def __init__(self, lines):
        self.lines = lines
        self.words = [line.partition(" ")[::2] for line in lines]

    def all(self, word):
        return [value for name, value in self.words if name == word]

    def __getitem__(self, word):
        """The last value of a word, None where it was not told."""
        return (self.all(word) or [None])[-1]

    def __str__(self):
        return "; ".join(self.lines)
