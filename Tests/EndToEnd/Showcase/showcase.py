"""The showcase, run as a user runs it."""
import os
import re
import signal
import subprocess


class Showcase:
    def __init__(self, programs, folder):
        self.log = open(folder / "showcase.log", "ab")
        self.process = subprocess.Popen(
            [f"{programs}/showcase", "--no-browser"], stdout=subprocess.PIPE, stderr=self.log, text=True,
            start_new_session=True)
        first = self.process.stdout.readline()
        match = re.fullmatch(r"The showcase is at (http://localhost:(\d+)/)\n", first)
        if not match:
            self.stop()
            raise RuntimeError(f"the command printed {first!r} first")
        self.address, self.port = match[1], int(match[2])

    def stop(self):
        """Control-C; returns the exit status."""
        try:
            os.killpg(self.process.pid, signal.SIGINT)
            return self.process.wait(100)
        except ProcessLookupError:
            return self.process.wait()
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            return None
