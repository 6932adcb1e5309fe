"""Waiting with a deadline, never a blind sleep."""
import socket
import time


class Overdue(Exception):
    pass


def until(condition, what, seconds=150, pause=0.05):
    """The first true value of `condition`, or `Overdue`."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Overdue(f"{what}: not within {seconds} s")
        time.sleep(pause)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    """Whether a server listens on loopback."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0
