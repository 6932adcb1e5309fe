"""django-allauth, from PyPI, with a separate database and port."""
import json
import re
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from kit.waiting import free_port, until
from kit.witness import Witness

PROGRAM = Path(__file__).with_name("backend.py")
CODE = re.compile(r"^\s*([A-Z0-9]{3,6}-?[A-Z0-9]{2,6})\s*$", re.MULTILINE)


class DjangoAllauth:
    """`code_seconds`: how long a code is good for. Passkeys need the host to be `localhost`."""

    def __init__(self, name, folder, processes, code_seconds):
        self.name = name
        self.folder = folder / name
        self.folder.mkdir(parents=True)
        self.outbox = self.folder / "outbox.jsonl"
        self.processes = processes
        self.code_seconds = code_seconds
        self.port = free_port()
        self.witness = Witness(self.port, "localhost", self.folder / "exchanges.log")
        self.base = self.witness.base
        self.arguments = [sys.executable, "-B", PROGRAM, self.folder, str(self.port), str(code_seconds)]
        self.start()

    def start(self):
        self.processes.start(self.name, self.arguments, self.port)
        self.witness.open()

    def stop(self):
        self.witness.close()
        self.processes.stop(self.name)

    def ask(self, method, path, token, body=None):
        """What the backend says to a client without the library; 4xx too."""
        request = urllib.request.Request(
            f"{self.base}/_allauth/app/v1/{path}", None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def messages(self, to):
        messages = map(json.loads, self.outbox.read_text().splitlines()) if self.outbox.exists() else ()
        return [message for message in messages if message["to"] == to]

    def sent(self, to):
        """The codes that went to an address or a number, the latest last."""
        return [code for message in self.messages(to) for code in CODE.findall(message["text"])]

    def wait_out(self, to):
        """Until the last code that went there is not good any more."""
        end = [message["at"] for message in self.messages(to)][-1] + self.code_seconds
        until(lambda: time.time() > end + 0.1, f"the code for {to} expires", self.code_seconds + 150)

    def code(self, to, nth=1):
        """The `nth` code that went there."""
        return until(lambda: len(self.sent(to)) >= nth and self.sent(to)[nth - 1], f"code {nth} for {to}")
