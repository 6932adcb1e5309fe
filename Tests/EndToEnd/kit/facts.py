"""What is claimed, and whether it held: a line per fact."""
import sys
import time
import traceback


class Facts:
    def __init__(self):
        self.held = 0
        self.failed = []
        self.part = ""
        self.began = time.monotonic()

    def title(self, text):
        self.part = text
        print(f"== {text}  [{time.monotonic() - self.began:.0f} s]", flush=True)

    def check(self, text, holds, seen=None):
        """`seen` is told where the fact does not hold."""
        if holds:
            self.held += 1
            print(f"ok      {text}", flush=True)
        else:
            self.failed.append(f"{self.part}: {text}")
            print(f"FAILED  {text}" + ("" if seen is None else f"\n        seen: {seen}"), flush=True)
        return bool(holds)

    def equal(self, text, seen, wanted):
        return self.check(text, seen == wanted, f"{seen!r}, wanted {wanted!r}")

    def broke(self, error):
        """A scenario that could not be carried to its end."""
        where = traceback.extract_tb(error.__traceback__)
        ours = next((frame for frame in reversed(where) if "/scenarios/" in frame.filename), where[-1])
        name = ours.filename.rsplit("/", 1)[-1]
        self.check("the scenario runs to its end", False, f"{type(error).__name__} at {name}:{ours.lineno}: {error}")

    def summary(self):
        for line in self.failed:
            print(f"FAILED  {line}")
        print(f"{self.held} facts held, {len(self.failed)} failed in {time.monotonic() - self.began:.0f} s")
        sys.stdout.flush()
        return 1 if self.failed else 0
