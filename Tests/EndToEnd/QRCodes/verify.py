"""Reads each code with zbar, an independent reader, and compares."""
import re
import subprocess
import sys
from pathlib import Path

BLOCKS = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


def picture_of_terminal(text, scale=4):
    """What a terminal shows, dot by dot."""
    rows = []
    for line in text.splitlines():
        cells = [BLOCKS[cell] for cell in re.sub(r"\x1b\[[0-9;]*m", "", line)]
        for half in (0, 1):
            row = "".join(str(cell[half]) * scale for cell in cells)
            rows.extend([row] * scale)
    return f"P1\n{len(rows[0])} {len(rows)}\n" + "\n".join(rows) + "\n"


def read(picture):
    result = subprocess.run(
        ["zbarimg", "--quiet", "--raw", "--set", "disable", "--set", "qrcode.enable", str(picture)],
        capture_output=True, text=True)
    return result.stdout.removesuffix("\n")


def main():
    folder = Path(sys.argv[1])
    (folder / "terminal.pbm").write_text(picture_of_terminal((folder / "terminal.ansi").read_text()))
    pictures = sorted(folder.glob("*.pbm"))
    unread = [picture.stem for picture in pictures if read(picture) != picture.with_suffix(".txt").read_text()]
    for name in unread:
        print(f"FAILED  zbar does not read {name}: {(folder / name).with_suffix('.txt').read_text()!r}")
    print(f"{len(pictures) - len(unread)} codes of {len(pictures)} were read as they were written")
    return 1 if unread or len(pictures) != int(sys.argv[2]) else 0


if __name__ == "__main__":
    sys.exit(main())
