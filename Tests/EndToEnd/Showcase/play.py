"""Starts the showcase and a browser, plays the parts, stops both, and tells what held."""
import argparse
import importlib
import signal
import sys
from pathlib import Path

from driver import Driver
from browser_user import BrowserUser
from showcase import Showcase
from waiting import Facts

PARTS = (
    "signing_in", "factors", "codes", "elsewhere", "terminal", "accounts", "switches", "browsing", "access", "states",
    "guards", "bad_input", "ending")
QUICK = ("signing_in", "ending")


class World:
    """What a part is played in."""

    def __init__(self, options):
        self.options = options
        self.axe = options.axe.read_text()
        self.showcase = Showcase(options.programs, options.work)
        try:
            self.driver = Driver(options.work)
        except BaseException:
            self.showcase.stop()
            raise
        self.page = BrowserUser(self.driver, self.showcase, options.work)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.driver.quit()
        self.showcase.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--axe", required=True, type=Path)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("only", nargs="*", help="parts to play, all by default; `quick` for one path")
    options = parser.parse_args()
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, lambda *_: sys.exit(130))
    names = QUICK if options.only == ["quick"] else options.only or PARTS
    facts = Facts()
    with World(options) as world:
        for name in names:
            for title, play in importlib.import_module(f"parts.{name}").PARTS:
                facts.title(title)
                try:
                    world.page.begin()
                    play(world, world.page, facts)
                except Exception as error:
                    facts.broke(error)
    return facts.summary()


if __name__ == "__main__":
    sys.exit(main())
