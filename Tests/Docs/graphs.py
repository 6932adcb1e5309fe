"""Makes one site of the symbol graphs of several modules, and says what is not described.

Usage: graphs.py FOLDER   with FOLDER/apple (the graphs to use) and FOLDER/linux (those of what this system builds);
writes FOLDER/graphs, and rewrites the links of the articles in FOLDER/*.docc
"""

import json
import pathlib
import sys

from links import Links


def read(folder):
    """The graphs of a folder, by module and, for what a module adds to another's types, that module."""
    graphs = {}
    for file in sorted(folder.glob("*.symbols.json")):
        module, _, extended = file.name.removesuffix(".symbols.json").partition("@")
        graphs[module, extended or None] = json.loads(file.read_text())
    return graphs


def symbols(graphs):
    """What a user can look up: not the shells of extensions, nor what a macro makes (`$current`)."""
    for graph in graphs.values():
        for symbol in graph["symbols"]:
            if symbol["kind"]["identifier"] != "swift.extension" and not symbol["names"]["title"].startswith("$"):
                yield symbol


def description(symbol):
    return symbol.get("docComment", {}).get("lines", [])


def place(symbol):
    location = symbol.get("location")
    if not location:
        return ".".join(symbol["pathComponents"])
    file = location["uri"].removeprefix("file://").removeprefix(f"{pathlib.Path.cwd()}/")
    return f"{file}:{location['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}"


def main(folder):
    graphs = read(folder / "apple")
    links = Links(graphs)
    (folder / "graphs").mkdir()
    for (module, extended), graph in graphs.items():
        for symbol in graph["symbols"]:
            for line in description(symbol):
                line["text"] = links.in_comment(line["text"], (module, extended), tuple(symbol["pathComponents"]))
        name = module + (f"@{extended}" if extended else "")
        (folder / "graphs" / f"{name}.symbols.json").write_text(json.dumps(graph))
    for article in folder.glob("*.docc/*.md"):
        article.write_text(links.in_article(article.read_text()))

    everything = list(symbols(graphs))
    here = {symbol["identifier"]["precise"] for symbol in symbols(read(folder / "linux"))}
    apple = [symbol for symbol in everything if symbol["identifier"]["precise"] not in here]
    bare = [symbol for symbol in everything if not description(symbol)]
    shown = {symbol["names"]["title"] for symbol in everything
             if any("```" in line["text"] for line in description(symbol))}
    lacking = [name for name in (pathlib.Path(__file__).parent / "MainTypes.txt").read_text().split()
               if name not in shown]
    for symbol in bare:
        print(f"{place(symbol)}: no description", file=sys.stderr)
    for name in lacking:
        print(f"{name}: a main type without an example", file=sys.stderr)
    print(f"{len(everything)} public symbols of {len(links.modules)} modules, {len(everything) - len(bare)} described; "
          f"{len(apple)} of them exist on Apple platforms only, and are read from the build against stubs")
    sys.exit(1 if bare or lacking else 0)


main(pathlib.Path(sys.argv[1]))
