"""Makes one site of the symbol graphs of several modules, and lists the symbols without a description.

Usage: graphs.py FOLDER   with FOLDER/apple and FOLDER/linux (the graphs for a Mac, and those of this system);
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


def declared(symbol):
    """What it is, for all platforms: their precise identifiers differ where Foundation's modules do."""
    return (*symbol["pathComponents"], "".join(part["spelling"] for part in symbol.get("declarationFragments", [])))


def merged(graphs, others):
    """The graphs, with what only others have."""
    for key, other in others.items():
        graph = graphs.setdefault(key, other)
        known = set(map(declared, graph["symbols"]))
        added = [symbol for symbol in other["symbols"] if declared(symbol) not in known]
        ids = {symbol["identifier"]["precise"] for symbol in added}
        graph["symbols"] += added
        graph["relationships"] += [one for one in other["relationships"] if one["source"] in ids]
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
    linux = read(folder / "linux")
    here = set(map(declared, symbols(linux)))
    graphs = merged(read(folder / "apple"), linux)
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
    apple = [symbol for symbol in everything if declared(symbol) not in here]
    # SwiftUI describes the content of a view.
    bare = [symbol for symbol in everything if not description(symbol) and symbol["names"]["title"].split(".")[-1] != "body"]
    shown = {symbol["names"]["title"] for symbol in everything
             if any("```" in line["text"] for line in description(symbol))}
    lacking = [name for name in (pathlib.Path(__file__).parent / "MainTypes.txt").read_text().split()
               if name not in shown]
    for symbol in bare:
        print(f"{place(symbol)}: no description", file=sys.stderr)
    for name in lacking:
        print(f"{name}: a main type without an example", file=sys.stderr)
    print(f"{len(everything)} public symbols of {len(links.modules)} modules, {len(everything) - len(bare)} described; "
          f"{len(apple)} of them exist on Apple platforms only, and are read from what is compiled for a Mac")
    sys.exit(1 if bare or lacking else 0)


main(pathlib.Path(sys.argv[1]))
