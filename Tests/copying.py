"""Copies the package, or the part of it that some targets need."""

import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def copy_sources(copy, targets):
    """Makes a copy whose manifest has these targets and their dependencies.

    Only changed files are written, so that only those are compiled again.
    """
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        stdout=subprocess.PIPE).stdout.decode().split("\0")
    files = {name for name in listed if name and (ROOT / name).is_file()}
    for folder, folders, names in os.walk(copy):
        if Path(folder) == copy:
            folders[:] = [name for name in folders if name not in (".build", ".tsan", ".asan")]
        for name in names:
            path = Path(folder) / name
            if str(path.relative_to(copy)) not in files | {"Package.resolved"}:
                path.unlink()
    for name in files:
        contents = (ROOT / name).read_bytes()
        if name == "Package.swift":
            contents += only(needed(targets)).encode()
        path = copy / name
        if not path.is_file() or path.read_bytes() != contents:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)
            shutil.copymode(ROOT / name, path)


def needed(targets):
    """The names of these targets and of all that they depend on."""
    dumped = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    manifest = {target["name"]: target for target in json.loads(dumped)["targets"]}
    found, left = set(), list(targets)
    while left:
        name = left.pop()
        if name in manifest and name not in found:
            found.add(name)
            for dependency in manifest[name]["dependencies"]:
                left += [value[0] for kind, value in dependency.items() if kind in ("byName", "target")]
    return found


def only(names):
    """What makes a manifest one of these targets."""
    listed = ", ".join(f'"{name}"' for name in sorted(names))
    return f"""
let kept: Set = [{listed}]
package.targets.removeAll {{ !kept.contains($0.name) }}
package.products = []
"""
