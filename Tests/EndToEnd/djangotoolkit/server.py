"""django-oauth-toolkit, from PyPI, with a separate database and port."""
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from kit.waiting import free_port
from kit.witness import Witness

PROGRAM = Path(__file__).with_name("provider.py")


class DjangoToolkit:
    """`advertises`: whether discovery names the device, revocation and introspection endpoints, as it should."""

    redirect_port = None  # a loopback redirect may come to any port, as RFC 8252 has it

    def __init__(self, name, folder, processes, lifetime, advertises):
        self.name = name
        self.folder = folder / name
        self.folder.mkdir(parents=True)
        self.processes = processes
        self.port = free_port()
        self.witness = Witness(self.port, "127.0.0.1", self.folder / "exchanges.log")
        self.base = self.witness.base
        self.issuer = f"{self.base}/o"
        self.arguments = [sys.executable, "-B", PROGRAM, self.folder, str(self.port), self.base, str(lifetime)]
        if advertises:
            self.arguments.append("--advertise")
        self.start()

    def start(self):
        self.processes.start(self.name, self.arguments, self.port)
        self.witness.open()

    def stop(self):
        self.witness.close()
        self.processes.stop(self.name)

    def expire(self, access_token):
        """Ends a token before its time: now, because its refresh token's time is counted from there."""
        with closing(sqlite3.connect(self.folder / "database.sqlite", timeout=150)) as database:
            ended = database.execute(
                "UPDATE oauth2_provider_accesstoken SET expires = datetime('now') WHERE token = ?", [access_token])
            database.commit()
            if ended.rowcount != 1:
                raise RuntimeError(f"{ended.rowcount} tokens ended")
