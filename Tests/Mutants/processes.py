"""Runs a command in a separate session, of which nothing is left when its time is over."""

import os
import signal
import subprocess
import time


class Ran:
    def __init__(self, command, limit, folder, environment={}):
        started = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=dict(os.environ, **environment), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.is_hanging = False
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            self.is_hanging = True
            end_session(process.pid)
            output, _ = process.communicate()
        self.output = output.decode(errors="replace")
        self.status = process.returncode
        self.seconds = time.monotonic() - started


def end_session(leader):
    """Also ends what runs in a separate group, as the tests of `swift test` do."""
    subprocess.run(["pkill", "-KILL", "-s", str(leader)], check=False)
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass
