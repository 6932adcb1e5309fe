"""The waiting and the facts of the scenarios next door."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kit.facts import Facts  # noqa: E402, F401
from kit.waiting import Overdue, answers, free_port, until  # noqa: E402, F401
