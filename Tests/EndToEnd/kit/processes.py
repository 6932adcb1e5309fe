"""Servers started here, each in a separate process group, so that they can be ended with all they started."""
import os
import signal
import subprocess

from kit.waiting import answers, until


class Processes:
    def __init__(self, folder):
        self.logs = folder / "logs"
        self.pids = folder / "pids"
        for made in (self.logs, self.pids):
            made.mkdir(parents=True, exist_ok=True)
        self.running = {}

    def start(self, name, arguments, port, environment=None):
        """Starts a server and waits until it listens."""
        log = open(self.logs / name, "ab")
        process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            env={**os.environ, **(environment or {})})
        log.close()
        self.adopt(name, process)

        def ready():
            if process.poll() is not None:
                raise RuntimeError(f"{name} ended at its start: {self.tail(name)}")
            return answers(port)

        until(ready, f"{name} listens", 60)

    def adopt(self, name, process):
        """A process that leads a separate group."""
        self.running[name] = process
        (self.pids / name).write_text(str(process.pid))

    def tail(self, name):
        return (self.logs / name).read_text(errors="replace")[-500:]

    def stop(self, name):
        process = self.running.pop(name, None)
        if process is None:
            return
        for signum, timeout in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            try:
                os.killpg(process.pid, signum)
                process.wait(timeout)
                break
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
        process.poll()
        (self.pids / name).unlink(missing_ok=True)

    def stop_all(self):
        for name in list(self.running):
            self.stop(name)
