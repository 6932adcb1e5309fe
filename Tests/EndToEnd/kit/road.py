"""The small app Road next to this folder, a launch at a time."""
import subprocess


class Step:
    """One launch of the program."""

    def __init__(self, program, name, party, folder, api):
        self.process = subprocess.Popen(
            [program, "road", name, party.issuer, party.client_id, str(party.redirect_port), str(folder), api],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = []

    def page(self):
        """The page it asks to be opened."""
        line = self.process.stdout.readline()
        self.lines.append(line)
        word, _, url = line.strip().partition(" ")
        return url if word == "open" else None

    def finish(self, redirect=None):
        """Hands it the redirect, and returns what it told, by its words."""
        out, _ = self.process.communicate(f"{redirect}\n" if redirect else None, timeout=300)
        self.lines.append(out)
        return dict(line.split(" ", 1) for line in "".join(self.lines).splitlines() if " " in line)
