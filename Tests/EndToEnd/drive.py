"""Starts the servers, plays the scenarios, stops everything, and tells what held."""
import argparse
import importlib
import signal
import sys
from pathlib import Path

from kit.world import World

# In this order: an earlier one shows the assumptions of a later one.
SCENARIOS = (
    "servers", "staying", "expiring", "refusing", "devices", "passwords", "profiles", "doctors", "demanding", "binding",
    "accounts", "accounts_authctl", "secrets_kept")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--authctl", required=True)
    parser.add_argument("--package", required=True, type=Path)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("only", nargs="*", help="scenario files to play, all by default")
    options = parser.parse_args()
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, lambda *_: sys.exit(130))

    options.work.mkdir(parents=True)
    with World(options.work, options.authctl, options.package) as world:
        for name in options.only or SCENARIOS:
            module = importlib.import_module(f"scenarios.{name}")
            for title, play in module.SCENARIOS:
                world.facts.title(title)
                try:
                    play(world, world.facts)
                except Exception as error:
                    world.facts.broke(error)
    return world.facts.summary()


if __name__ == "__main__":
    sys.exit(main())
