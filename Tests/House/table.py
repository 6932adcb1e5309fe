"""Values beside their goals, and the lists of files in CONTRIBUTING."""

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CONTRIBUTING = ROOT / ".github" / "CONTRIBUTING.md"


def is_past(value, goal):
    low, high = goal if isinstance(goal, tuple) else (None, goal)
    return low is not None and value < low or high is not None and value > high


def words(goal):
    if not isinstance(goal, tuple):
        return f"≤ {goal:,}"
    return f"{goal[0]}–{goal[1]}" if goal[1] else f"≥ {goal[0]}"


def report(rows, until_then, faults):
    """Prints the rows (name, value, goal), and fails for one that is past its limit: its goal, or the value that it has
    until that is reached."""
    failed = list(faults)
    print(f"{'':88}{'now':>8}  {'goal':>9}")
    names = set()
    for name, value, goal in rows:
        names.add(name)
        limit = until_then.get(name)
        past = is_past(value, goal)
        is_minimum = isinstance(goal, tuple) and goal[1] is None
        if past and (limit is None or (value < limit if is_minimum else value > limit)):
            failed.append(f"{name}: {value:,} is past {limit or words(goal)}")
        if not past and limit is not None:
            failed.append(f"{name}: the goal is reached: remove its line from UNTIL_THEN")
        print(f"{name:88}{value:>8,}  {words(goal):>9}{'  not yet' if past else ''}")
    failed += [f"{name}: no such row" for name in sorted(set(until_then) - names)]
    for line in failed:
        print(line, file=sys.stderr)
    return 1 if failed else 0


def lists():
    """Each list of CONTRIBUTING: the walk, its ends, and the files that it enters."""
    return re.finditer(r"^- A ([\w -]+), (from [^:]*):([^:]*?)\.$", CONTRIBUTING.read_text(), re.MULTILINE)


def listed(walk):
    """The files that CONTRIBUTING lists for a password sign-in, a refresh or a sign-out, without `.swift`."""
    return next(re.findall(r"\w+", found[3]) for found in lists() if found[1] == walk)


def list_files(walk, files):
    """Writes a list of CONTRIBUTING."""
    found = next(found for found in lists() if found[1] == walk)
    text = f"- A {walk}, {' '.join(found[2].split())}: {', '.join(f'`{file}`' for file in files)}."
    lines = textwrap.fill(text, 120, subsequent_indent="  ", break_on_hyphens=False)
    CONTRIBUTING.write_text(CONTRIBUTING.read_text().replace(found[0], lines))
