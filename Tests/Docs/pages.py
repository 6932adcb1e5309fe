"""Says which relative links of Markdown files lead to no file. Usage: pages.py FILE..."""

import pathlib
import re
import sys

missing = [
    f"{page}: {link} leads nowhere"
    for page in map(pathlib.Path, sys.argv[1:])
    for link in re.findall(r"\]\(([^)#\s]+)", page.read_text())
    if "://" not in link and not (page.parent / link).exists()
]
sys.exit("\n".join(missing) or 0)
