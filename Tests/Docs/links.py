"""Where the symbol links of several modules lead: DocC finds a name of another module only by its whole path."""

import re

LINK = re.compile(r"(?<!`)``([^`\s]+)``(?!`)")


class Links:
    """Knows the path of every public symbol: by its module, and the module whose types it extends."""

    def __init__(self, graphs):
        self.paths = {}
        for (module, extended), graph in graphs.items():
            known = self.paths.setdefault((module, extended), set())
            known.update(tuple(symbol["pathComponents"]) for symbol in graph["symbols"])
        self.modules = {module for module, _ in self.paths}

    def in_comment(self, text, place, scope):
        """A line of the description of a symbol: `scope` is its own path in the module, or extension, `place`."""
        return LINK.sub(lambda found: f"``{self.resolved(found[1], place, scope)}``", text)

    def in_article(self, text):
        """An article as a whole; what stands between fences is code, and stays."""
        parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
        return "".join(part if part.startswith("```") else self.in_comment(part, None, ()) for part in parts)

    def resolved(self, link, place, scope):
        path = tuple(re.sub(r"-[0-9a-z]{4,5}$", "", part) for part in link.strip("/").split("/"))
        if path[0] in self.modules and not self.at((path[0], None), path[1:], ()):
            return self.resolved(link.strip("/").partition("/")[2], place, scope) if path[1:] else link
        if link.startswith("/") or path[0] in self.modules:
            return link
        if place and self.at(place, path, scope):
            return link
        for other in sorted(self.paths, key=lambda one: (one[1] is not None, one)):
            found = self.at(other, path, ()) or (place and place[1] == other[0] and self.at(other, path, scope))
            if found:
                names = link.split("/")
                return "/" + "/".join([part for part in other if part] + list(found[: len(found) - len(names)]) + names)
        return link

    def at(self, place, path, scope):
        """The whole path of a name that is looked up from a scope outwards; None if it is not there."""
        for length in range(len(scope), -1, -1):
            if scope[:length] + path in self.paths[place]:
                return scope[:length] + path
        return None
