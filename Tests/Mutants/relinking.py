"""Compiles one changed file of a debug build on Linux, and links programs with it, without the package manager.

The package manager takes longer to plan a build than the compiler to do it. Its plan stands in debug.yaml:
the compiler is called just as there, so that it compiles again all files of the module that depend on it, and the
linker with the same objects but the changed ones. A change that other modules see, in the files that are written of a module for
them, is found by comparing these with the earlier ones, and is left to the package manager.
"""

import json
import re
import shutil
from pathlib import Path

from processes import Ran


class NotCompiled(Exception):
    pass


class SeenByOtherModules(Exception):
    """Objects of other modules would have to be compiled again, too."""


class Module:
    def __init__(self, name, sources, arguments, package):
        self.name, self.sources, self.package = name, sources, package
        # The compiler's account of itself is for the package manager.
        self.arguments = [word for word in arguments if word != "-parseable-output"]
        self.interface = Path(value_of("-emit-module-path", arguments))
        self.folder = Path(value_of("-output-file-map", arguments)).parent
        self.originals = None

    def keep_originals(self, folder):
        self.originals = folder / self.folder.name
        shutil.copytree(self.folder, self.originals)
        shutil.copytree(self.interface.parent, self.originals / "Modules", ignore=self.all_but_interface)

    def all_but_interface(self, _, names):
        return [name for name in names if not name.startswith(self.interface.stem + ".")]

    def outputs(self):
        """Each file that compiling may change, and its original."""
        for original in self.originals.rglob("*"):
            if original.is_file():
                path = original.relative_to(self.originals)
                is_interface = path.parts[0] == "Modules"
                yield (self.interface.parent / path.name if is_interface else self.folder / path), original

    def changed(self):
        return [(path, original) for path, original in self.outputs() if is_newer(path, original)]

    def compile(self, folder):
        """Returns, by the original, a copy in `folder` of each object that was compiled again."""
        try:
            ran = Ran(self.arguments, 600, self.package)
            if ran.status != 0:
                raise NotCompiled(ran.output)
            if self.interface.read_bytes() != (self.originals / "Modules" / self.interface.name).read_bytes():
                raise SeenByOtherModules
            return {
                path: Path(shutil.copy(path, folder / f"{self.name}.{path.name}"))
                for path, _ in self.changed() if path.suffix == ".o"
            }
        finally:
            for path, original in self.changed():
                shutil.copy2(original, path)


class Plan:
    """What the package manager's last debug build was made of."""

    def __init__(self, package):
        self.modules, self.links = [], {}
        for name, command in commands((package / ".build/debug.yaml").read_text()):
            arguments = command.get("args", [])
            if name.endswith("-debug.module"):
                sources = {Path(path) for path in command["inputs"] if path.endswith(".swift")}
                self.modules.append(Module(value_of("-module-name", arguments), sources, arguments, package))
            elif name.endswith("-debug.exe") or name.endswith("-debug.test"):
                self.links[Path(value_of("-o", arguments)).name] = arguments
        self.tests = next((name for name in self.links if name.endswith(".xctest")), None)

    def module(self, source):
        """None where it is not a Swift source of this build."""
        return next((module for module in self.modules if source in module.sources), None)

    def link(self, program, objects, folder):
        """Links a program into `folder`, with objects in the place of others of the build."""
        arguments = self.links[program]
        listed = next(word for word in arguments if word.startswith("@"))
        kept = {module.folder: module.originals for module in self.modules if module.originals}
        lines = []
        for line in Path(listed[1:]).read_text().splitlines():
            path = Path(line.strip("'\""))
            path = objects.get(path) or kept.get(path.parent, path.parent) / path.name
            lines.append(f"'{path}'\n")
        (folder / f"{program}.objects").write_text("".join(lines))
        instead = {listed: f"@{folder}/{program}.objects", value_of("-o", arguments): str(folder / program)}
        command = [instead.get(word, word) for word in arguments if word != "-g"]
        ran = Ran(command + ["-use-ld=lld", "-Xlinker", "--strip-debug"], 600, folder)
        if ran.status != 0:
            raise NotCompiled(ran.output)
        return folder / program


def commands(manifest):
    """The names of the build's commands, and what is known of each."""
    name = None
    for line in manifest.splitlines():
        begins = re.fullmatch(r'  "C\.(.+)":', line)
        if begins:
            if name:
                yield name, command
            name, command = begins[1], {}
        elif name and line.startswith(("    args: [", "    inputs: [")):
            key, _, value = line.strip().partition(": ")
            command[key] = json.loads(value)
    if name:
        yield name, command


def value_of(option, arguments):
    return arguments[arguments.index(option) + 1]


def is_newer(path, original):
    return not path.is_file() or path.stat().st_mtime_ns != original.stat().st_mtime_ns
