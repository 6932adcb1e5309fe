"""Writes every Swift example of the documentation to a file that a compiler can read.

Usage: fences.py FOLDER FILE...   FILE is Markdown, or a Swift file with examples in its comments

FOLDER/whole      examples with imports, as they stand: with their imports, and the others of their article
FOLDER/fragments  all others: they may use everything that the package has, and the names of Given
FOLDER/linux      those of them that use declarations of Linux alone
FOLDER/manifest   parts of a package manifest
FOLDER/rules      the examples of an article for contributors, one program in their order
"""

import pathlib
import re
import sys

EVERYTHING = """
import AuthenticationAccount
import AuthenticationAccountPresentation
import AuthenticationBrowser
import AuthenticationCognito
import AuthenticationDiagnostics
import AuthenticationEncryption
import AuthenticationFirebase
import AuthenticationKit
import AuthenticationLanguages
import AuthenticationMovingIn
import AuthenticationMultiAccount
import AuthenticationNativeSignIn
import AuthenticationOpenID
import AuthenticationPasskeys
import AuthenticationResources
import AuthenticationScreens
import AuthenticationServices
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import AuthenticationUI
import AuthenticationVerifier
import AuthenticationWorkload
import Crypto
import Foundation
import Given
import SwiftUI
import Testing
""".split("\n")
NOT_LINUX = ("import AuthenticationServices", "import SwiftUI")
DECLARATION = re.compile(
    r"(?:public |final |static |@\w+(?:\(.*?\))? )*(struct|class|enum|actor|protocol|extension|func)\b")
NAME = re.compile(r"\b(?:struct|class|enum|actor|protocol|func|let|var) (`[^`]*`|\w+)")


def fences(file):
    """The Swift examples of a file, each with the line on which its code begins."""
    begun = None
    for number, line in enumerate(file.read_text().split("\n"), 1):
        if file.suffix == ".swift":
            comment = re.match(r"\s*/// ?(.*)", line)
            if not comment:
                begun = None
                continue
            line = comment[1]
        if begun is None:
            if line.startswith("```"):
                begun, lines = number + 1, []
                wanted = line.strip() == "```swift"
        elif line.startswith("```"):
            if wanted:
                yield begun, lines
            begun = None
        else:
            lines.append(line)


def written(file, number, lines, title):
    """An example as a file: in a function, unless it declares what can only stand outside of one."""
    imports = [line for line in lines if line.startswith("import ")]
    place = [f'#sourceLocation(file: "{file}", line: {number})']
    if imports and any(DECLARATION.match(line) for line in lines):
        return place + lines
    rest = ["" if line in imports else line for line in lines]
    if not any(DECLARATION.match(line) for line in lines):
        rest = [f"@MainActor func {title}() async throws {{"] + place + rest + ["#sourceLocation()", "}"]
    else:
        rest = place + rest
    return (imports or EVERYTHING) + rest


def main(folder, files):
    groups, count = [], 0
    for file in files:
        for number, lines in fences(file):
            count += 1
            title = re.sub(r"\W", "_", f"{file.stem}_{number}")
            kind = f"whole/{file.stem}"
            if file.name == "SessionRules.md":
                target = folder / "rules" / "main.swift"
                target.parent.mkdir(exist_ok=True)
                with target.open("a") as program:
                    program.write("\n".join([f'#sourceLocation(file: "{file}", line: {number})'] + lines) + "\n")
                continue
            if lines[0].startswith((".package(", ".target(")):
                role = "Package.Dependency" if lines[0].startswith(".package(") else "Target"
                kind, text = "manifest", ["import PackageDescription", f"let {title}: {role} ="] + lines
            else:
                text = written(file, number, lines, title)
                if not any(line.startswith("import ") for line in lines):
                    names = set(NAME.findall("\n".join(lines))) if DECLARATION.search("\n".join(lines)) else set()
                    free = next((at for at, taken in enumerate(groups) if not taken & names), len(groups))
                    if free == len(groups):
                        groups.append(set())
                    groups[free] |= names
                    kind = f"fragments/{free}"
                    # The macro of a test needs a real SDK; its function compiles without it.
                    text = [re.sub(r"^( *)@(Test|Suite)\b(\(.*?\))? ?", r"\1", line) for line in text]
                    if any("ecretService" in line for line in lines):
                        kind = "linux"
                        text = [line for line in text if line not in NOT_LINUX]
            target = folder / kind / f"{title}.swift"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(text) + "\n")
    print(count)


main(pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]])
