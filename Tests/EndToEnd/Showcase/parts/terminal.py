"""The same device code at a terminal, which draws it."""
import os
import pty
import re
import select
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "QRCodes"))

from verify import picture_of_terminal, read  # noqa: E402


def issuer(page):
    with urllib.request.urlopen(page.showcase.address) as answer:
        return re.search(r"form-action 'self' (http://\S+?);", answer.headers["Content-Security-Policy"] + ";")[1]


def login(world, page, error):
    authctl = f"{world.options.programs}/authctl"
    command = [authctl, "login", "--issuer", issuer(page), "--client-id", "app", "--flow", "device"]
    environment = {**os.environ, "AUTHCTL_HOME": str(world.options.work / "home")}
    return subprocess.Popen(
        [*command, "--storage", "file"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=error,
        env=environment)


def said(source, process):
    """What is read of standard error, up to the sentence that follows the code."""
    text, deadline = b"", time.monotonic() + 150
    while b"The code is good for" not in text and time.monotonic() < deadline:
        if select.select([source], [], [], 0.2)[0]:
            text += os.read(source, 65_536)
    process.kill()
    process.wait()
    return text.decode().replace("\r\n", "\n")


def drawn(world, page, facts):
    terminal, side = pty.openpty()
    process = login(world, page, side)
    text = said(terminal, process)
    lines = [line for line in text.splitlines() if line.startswith("\x1b[30;107m")]
    picture = world.options.work / "terminal.pbm"
    picture.write_text(picture_of_terminal("\n".join(lines)) if lines else "")
    address = re.search(r"Or go to (\S+),", text)
    facts.check("a scanner reads from the terminal where to go", address and read(picture) == address[1], text[-400:])
    source, side = os.pipe()
    process = login(world, page, side)
    text = said(source, process)
    facts.check("a file gets sentences only", "Or go to" in text and "\x1b" not in text, text[-400:])


PARTS = (("a device code at a terminal", drawn),)
