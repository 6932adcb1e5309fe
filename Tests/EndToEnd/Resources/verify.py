"""Has authctl sign in at protected resources that it knows by their address alone, at real servers.

usage: verify.py PROGRAM WORK-FOLDER [PART...]"""
import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from kit.facts import Facts  # noqa: E402
from stage import Stage  # noqa: E402

PARTS = ("registering", "refreshing", "restarting", "secrets", "documents", "managing", "protocol", "devices")


def main():
    program, work, wanted = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:] or PARTS
    unknown = [name for name in wanted if name not in PARTS]
    if unknown:
        sys.exit(f"There is no part '{unknown[0]}': {', '.join(PARTS)}.")
    facts = Facts()
    for name in wanted:
        part = importlib.import_module(f"scenarios.{name}")
        facts.title(part.__doc__.strip().rstrip("."))
        stage = Stage(HERE, work / name, program)
        try:
            part.play(stage, facts)
        except Exception as error:
            facts.broke(error)
        finally:
            stage.end()
    status = facts.summary()
    return status or int(not facts.held)


sys.exit(main())
