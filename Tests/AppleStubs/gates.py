"""Which lines of a Swift or C source a platform compiles, by the conditions around them."""

import re

APPLE = ("iOS", "macOS", "tvOS", "watchOS", "visionOS", "macCatalyst")
PLATFORMS = (*APPLE, "Linux")
# The modules to import on Linux; all other modules that a condition names are Apple's.
ON_LINUX = {"FoundationEssentials", "Foundation", "FoundationNetworking", "Glibc", "Musl", "Crypto", "CryptoExtras"}
# Frameworks that some of Apple's platforms lack.
LACKING = {
    "UIKit": {"macOS", "watchOS"}, "AppKit": set(APPLE) - {"macOS"}, "WatchKit": set(APPLE) - {"watchOS"},
    "CoreImage": {"watchOS"},
}
NOT_APPLE = {"FoundationEssentials", "FoundationNetworking", "Glibc", "Musl"}
CALL = re.compile(r"(os|canImport|targetEnvironment|compiler|swift|hasFeature|defined)\s*\(([^)]*)\)")


def holds(condition, platform):
    """Whether a condition is true on a platform; a name alone, such as a trait, is."""

    system = "Linux" if platform == "Musl" else platform

    def fact(match):
        kind, of = match.group(1), match.group(2).strip()
        if kind == "os":
            value = of == ("iOS" if platform == "macCatalyst" else system)
        elif kind == "canImport":
            value = of in ON_LINUX - {"Glibc" if platform == "Musl" else "Musl"} if system == "Linux" else of not in NOT_APPLE | {
                name for name, lacking in LACKING.items() if platform in lacking}
        elif kind == "targetEnvironment":
            value = of == "macCatalyst" == platform
        elif kind == "defined":
            value = of in ("__linux__", "__GLIBC__") if system == "Linux" else of == "__APPLE__"
        else:
            value = True
        return str(value)

    # A name alone is a trait's, but for the one that the tests on Linux are compiled with.
    text = re.sub(r"\bTESTS\b", str(system == "Linux"), CALL.sub(fact, condition))
    text = re.sub(r"\b(?!True\b|False\b)[A-Za-z_]\w*\b", "True", text)
    return bool(eval(text.replace("&&", " and ").replace("||", " or ").replace("!", " not "), {}))


def lines(source, platform):
    """Each line that says something, with its number and whether the platform compiles it."""
    branches = []  # of each open `#if`: whether this branch is compiled, and whether this or an earlier one was
    for number, line in enumerate(source.splitlines(), 1):
        line = line.strip()
        word, _, condition = line.partition(" ")
        if word == "#if":
            branches.append((holds(condition, platform),) * 2)
        elif word == "#elseif":
            earlier = branches[-1][1]
            now = not earlier and holds(condition, platform)
            branches[-1] = (now, earlier or now)
        elif word == "#else":
            branches[-1] = (not branches[-1][1], True)
        elif word == "#endif":
            branches.pop()
        elif line and not line.startswith("//"):
            yield number, line, all(now for now, _ in branches)
