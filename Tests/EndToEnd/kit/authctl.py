"""The built program, run as a user or a script would run it."""
import json
import os
import pty
import queue
import re
import select
import subprocess
import threading
import time

from kit.waiting import Overdue


class Result:
    def __init__(self, arguments, code, out, err):
        self.arguments = arguments
        self.code = code
        self.out = out
        self.err = err

    @property
    def events(self):
        return [event for event in map(parsed, self.out.splitlines()) if event is not None]

    def event(self, name):
        return next((event for event in self.events if event.get("event") == name), None)

    @property
    def tells_one_line(self):
        """A failure's one line for users, after whatever was said before it."""
        lines = self.err.splitlines()
        return bool(lines) and [line for line in lines if line.startswith("authctl: ")] == lines[-1:]

    @property
    def object(self):
        """The last JSON object on stdout."""
        return self.events[-1] if self.events else {}

    def __str__(self):
        command = " ".join(("authctl", *self.arguments))
        return f"{command}: exit {self.code}, stdout {self.out[-500:]!r}, stderr {self.err[-500:]!r}"


def parsed(line):
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


class Running:
    """A command that goes on while the browser works."""

    def __init__(self, arguments, process, results):
        self.arguments = arguments
        self.process = process
        self.results = results
        self.lines = []
        self.arriving = queue.Queue()
        self.err = []
        self.readers = [
            threading.Thread(target=self._read_out, daemon=True), threading.Thread(target=self._read_err, daemon=True)]
        for reader in self.readers:
            reader.start()

    def _read_out(self):
        for line in self.process.stdout:
            self.lines.append(line)
            self.arriving.put(line)
        self.arriving.put(None)

    def _read_err(self):
        for line in self.process.stderr:
            self.err.append(line)

    def wait_for(self, name, seconds=150):
        """The event of that name, or None where the command ends without it."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self.arriving.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                self.process.kill()
                raise Overdue(f"no event {name} from authctl {' '.join(self.arguments)}: {''.join(self.err)}") from None
            if line is None:
                return None
            event = parsed(line)
            if event and event.get("event") == name:
                return event

    def kill(self):
        """As the system kills it: at once, with no time to clean up."""
        self.process.kill()
        return self.finish()

    def finish(self, seconds=300):
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Overdue(f"authctl {' '.join(self.arguments)} does not end: {''.join(self.err)}") from None
        for reader in self.readers:
            reader.join(5)
        result = Result(self.arguments, code, "".join(self.lines), "".join(self.err))
        self.results.append(result)
        return result


class AuthCTL:
    """The program with a separate home; `results` gets all that is printed."""

    def __init__(self, command, home, results):
        self.command = command
        self.home = home
        self.state = home / "state"
        self.results = results
        home.mkdir(parents=True, mode=0o700)

    def start(self, *arguments, stdin=None, open_input=False):
        """`open_input`: whether it goes on waiting where the input ends."""
        environment = {**os.environ, "AUTHCTL_HOME": str(self.state), "HOME": str(self.home)}
        process = subprocess.Popen(
            [*self.command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=environment)
        if stdin is not None:
            process.stdin.write(stdin)
        if open_input:
            process.stdin.flush()
        else:
            process.stdin.close()
        return Running(list(arguments), process, self.results)

    def run(self, *arguments, stdin=None, seconds=300):
        return self.start(*arguments, stdin=stdin).finish(seconds)

    def at_terminal(self, *arguments):
        environment = {**os.environ, "AUTHCTL_HOME": str(self.state), "HOME": str(self.home)}
        return Terminal([*self.command, *arguments], environment)


class Terminal:
    """A command at a separate terminal: what it says is read there, and lines are typed."""

    def __init__(self, arguments, environment):
        self.terminal, end = pty.openpty()
        self.process = subprocess.Popen(
            arguments, stdin=end, stdout=end, stderr=end, env=environment, start_new_session=True)
        os.close(end)
        self.said = ""
        self.read = 0

    def wait_for(self, pattern, seconds=150):
        """What matches, after what was waited for before; None where the command ends without it."""
        deadline = time.monotonic() + seconds
        while not (match := re.compile(pattern).search(self.said, self.read)):
            if not select.select([self.terminal], [], [], max(0.0, deadline - time.monotonic()))[0]:
                self.process.kill()
                raise Overdue(f"a terminal does not show {pattern}: {self.said[-500:]}")
            try:
                text = os.read(self.terminal, 4096)
            except OSError:
                return None
            if not text:
                return None
            self.said += text.decode(errors="replace")
        self.read = match.end()
        return match

    def type(self, line):
        os.write(self.terminal, f"{line}\n".encode())

    def finish(self, seconds=150):
        self.wait_for("(?!)", seconds)
        code = self.process.wait(seconds)
        os.close(self.terminal)
        return code
