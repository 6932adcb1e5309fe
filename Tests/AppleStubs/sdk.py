"""Replacements of Apple's SDKs: modules for a triple of theirs, compiled without the bodies of their functions.

The standard library and swift-testing are the toolchain's own interfaces for Linux, with another target. Foundation,
Dispatch, CryptoKit and the packages are those that the modules for Linux declare (`swift-synthesize-interface`). The frameworks
are SDK/*.interface: of each the used part, with the availability and the isolation that Apple's pages name.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from gates import LACKING

STUBS = Path(__file__).resolve().parent
ROOT = STUBS.parent.parent
SCRATCH = ROOT / ".stub"
TOOLCHAIN = Path(json.loads(subprocess.run(
    ["swiftc", "-print-target-info"], check=True, stdout=subprocess.PIPE).stdout)["paths"]["runtimeResourcePath"]).parent.parent
LINUX = TOOLCHAIN / "lib/swift/linux"
HOST = f"{os.uname().machine}-unknown-linux-gnu"
ARCH = "arm64" if os.uname().machine == "aarch64" else "x86_64"
TRIPLES = {
    "iOS": f"{ARCH}-apple-ios18.0-simulator",
    "macCatalyst": f"{ARCH}-apple-ios18.0-macabi",
    "macOS": f"{ARCH}-apple-macosx15.0",
    "tvOS": f"{ARCH}-apple-tvos18.0-simulator",
    "visionOS": f"{ARCH}-apple-xros2.0-simulator",
    "watchOS": f"{ARCH}-apple-watchos11.0-simulator",
}
# In the order in which they import each other.
FRAMEWORKS = [
    "CoreFoundation", "CoreGraphics", "Security", "LocalAuthentication", "Network", "CoreImage", "Accessibility", "UIKit",
    "AppKit", "WatchKit", "AuthenticationServices", "SwiftUI",
]
PACKAGES = ["CryptoExtras", "ArgumentParser", "FlyingSocks", "FlyingFox"]
# The platform for which they are made first; code that compiles there does so elsewhere.
MAKER = "macOS"
IMPORTS = "import Swift\nimport _Concurrency\n"
BARE = ["-disable-implicit-concurrency-module-import", "-disable-implicit-string-processing-module-import"]


class Failed(Exception):
    pass


def interface(module, triple, text):
    """A text as an interface for a triple."""
    return (f"// swift-interface-format-version: 1.0\n// swift-compiler-version: Swift version 6.3\n"
            f"// swift-module-flags: -target {triple} -disable-objc-interop -enable-library-evolution "
            f"-disable-availability-checking -swift-version 5 -Onone -experimental-skip-all-function-bodies "
            f"-enable-experimental-feature NoncopyableGenerics2 -enable-experimental-feature SuppressedAssociatedTypes "
            f"-enable-experimental-feature LifetimeDependence -module-name {module}\n{text}")


def retargeted(module, triple):
    """An interface of the toolchain for another triple."""
    path = LINUX / f"{module}.swiftmodule" / f"{HOST}.private.swiftinterface"
    text = (path if path.exists() else path.with_name(f"{HOST}.swiftinterface")).read_text()
    text = text.replace(f"-target {HOST}", f"-target {triple}")
    text = text.replace("-enable-library-evolution", "-enable-library-evolution -disable-availability-checking", 1)
    text = text.replace(" -O ", " -Onone -experimental-skip-all-function-bodies ", 1)
    text = re.sub(r"@backDeployed\([^)]*\)\s", "", text)
    return text.replace("import Glibc\n", "import Darwin\n").replace("import SwiftGlibc\n", "").replace(
        "import _SynchronizationShims\n", "")


def synthesized(module, *flags):
    """What a module of Linux declares, as an interface can say it."""
    text = subprocess.run(
        [TOOLCHAIN / "bin/swift-synthesize-interface", "-module-name", module, "-target", HOST, "-I", LINUX,
         "-resource-dir", TOOLCHAIN / "lib/swift", *flags],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    text = re.sub(r"^(import .*|\s*//.*)\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\n\n+", "\n", text).replace("@inlinable ", "")
    text = re.sub(r"^(.*\blet .*?) \{ get \}$", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r"\b(open|public) \w+\(set\) var (.*) \{ get \}$", r"\1 var \2 { get }", text, flags=re.MULTILINE)
    text = re.sub(r"^(.*\bvar \w+: [^{}=\n]*)$", r"\1 { get set }", text, flags=re.MULTILINE)
    return re.sub(r"(\bsubscript.*[^}])$", r"\1 { get set }", text, flags=re.MULTILINE)


def block(text, start):
    """The declaration that begins with these words, and the text without it."""
    begin = text.index(start)
    end = text.index("\n}\n", begin) + 3
    return text[begin:end], text[:begin] + text[end:]


class Platform:
    """The modules for one triple, in .stub/NAME. A module is kept until its sources change."""

    def __init__(self, name):
        self.name = name
        self.triple = TRIPLES[name]
        self.folder = SCRATCH / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.sdk_digest = ""  # of all modules of the SDK so far, in order
        self.flags = [
            "-target", self.triple, "-disable-objc-interop", "-resource-dir", TOOLCHAIN / "lib/swift", "-I", self.folder,
            "-module-cache-path", self.folder / "cache", "-plugin-path", TOOLCHAIN / "lib/swift/host/plugins"]

    def compile(self, module, inputs, arguments, made_of=(), step=""):
        """Compiles a module, or takes one made of the same sources; returns their digest.

        A module that is compiled in more than one way names each step.
        """
        digest = hashlib.sha256("".join((self.sdk_digest, *made_of)).encode())
        digest.update(repr([word for word in arguments if isinstance(word, str)]).encode())
        for path in inputs:
            digest.update(f"{path.name}\n".encode() + path.read_bytes())
        output, note = self.folder / f"{module}.swiftmodule", self.folder / f"{module}{step}.sha256"
        made = digest.hexdigest()
        if not (note.exists() and note.read_text() == made):
            note.unlink(missing_ok=True)
            # A module that nothing imports is not written, and its bodies end before SIL, where the compiler asserts that those of
            # the SDK are there.
            written = [] if "-typecheck" in arguments else ["-o", output]
            if "-emit-module" in arguments:  # with its comments
                written += ["-emit-module-doc-path", output.with_suffix(".swiftdoc"),
                            "-emit-module-source-info-path", output.with_suffix(".swiftsourceinfo")]
            command = ["swiftc", "-frontend", *arguments, *inputs, "-module-name", module, *self.flags]
            result = subprocess.run(
                list(map(str, command + written)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.returncode:
                raise Failed(f"{self.name}, {module}:\n{result.stdout}")
            note.write_text(made)
        return made

    def interface(self, module, text, *flags):
        if self.name == "visionOS":  # An SDK says which of its versions stands for each of iOS.
            text = re.sub(r"(@available\((?![^)]*visionOS)[^)]*)\biOS [\d.]+", r"\1visionOS 1.0", text)
        path = self.folder / f"{module}.text.swiftinterface"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        self.sdk_digest = self.compile(module, [path], ["-compile-module-from-interface", *flags])

    def standard(self):
        for module in ("Swift", "SwiftOnoneSupport", "_Builtin_float", "_Concurrency", "_StringProcessing"):
            self.interface(module, retargeted(module, self.triple), *(["-parse-stdlib"] if module == "Swift" else BARE))
            comments = LINUX / f"{module}.swiftmodule/{HOST}.swiftdoc"
            if comments.exists():
                shutil.copy(comments, self.folder / f"{module}.swiftdoc")
        for module in ("_DarwinTypes", "Darwin"):
            self.interface(module, interface(module, self.triple, stub(module)), *BARE)
        for module in ("Observation", "Synchronization", "Testing"):
            self.interface(module, retargeted(module, self.triple), BARE[1])

    def sdk(self, texts):
        self.standard()
        for module, text in texts.items():
            if self.name not in LACKING.get(module, ()):
                self.interface(module, interface(module, self.triple, text))


def stub(module):
    # The Objective-C names in it are for Tests/AppleStubs/names.
    return re.sub(r"@objc\([^)]*\) ?", "", (STUBS / f"SDK/{module}.interface").read_text())


def pruned(platform, module, text, added=""):
    """A text without the declarations that do not compile there: those of Linux alone, and those that an interface cannot hold.

    The text added to it by hand must compile.
    """
    path = platform.folder / f"{module}.text.swiftinterface"
    before = platform.sdk_digest
    for _ in range(8):
        try:
            platform.interface(module, interface(module, platform.triple, text + added))
            return text + added
        except Failed as failure:
            platform.sdk_digest = before
            offset = interface(module, platform.triple, "").count("\n")
            errors = {int(number) - 1 - offset for number in re.findall(
                re.escape(str(path)) + r":(\d+):\d+: error: (?!failed to build)", str(failure))}
            lines = text.split("\n")
            errors = {number for number in errors if number < len(lines) - 1}
            if not errors:
                raise
        refused = set()
        for number in errors:
            indent = re.match(r" *", lines[number]).group()
            begin = end = number
            if lines[number].rstrip().endswith("{"):
                while lines[end].rstrip() != indent + "}":
                    end += 1
            while begin and re.match(r"\s*@\w+(\(.*\))?\s*$", lines[begin - 1]):
                begin -= 1
            refused.update(range(begin, end + 1))
        text = "\n".join(line for number, line in enumerate(lines) if number not in refused)
    raise Failed(f"{module} does not compile, whatever is left out")


def foundation(platform):
    dispatch = synthesized("Dispatch").replace("dispatch_fd_t", "Int32").replace("dispatch_time_t", "UInt64")
    dispatch = dispatch.replace("override public init()", "public init()")
    yield "Dispatch", IMPORTS + "import Darwin\n" + dispatch, stub("Dispatch")
    text = "".join(map(synthesized, (
        "FoundationEssentials", "FoundationInternationalization", "Foundation", "FoundationNetworking")))
    # Date has types of these names; and of two such initializers, one is disfavoured, which is not printed.
    text = re.sub(r"\bwhere (\w+) : (ParseStrategy|FormatStyle)\b", r"where \1 : Foundation.\2", text)
    text = re.sub(r".*init<T, Value>\(_ value: Value, strategy: T\).*\n", "", text)
    # Foundation is the same on all platforms but for these.
    lacking = "".join(f"@available({name}, unavailable)\n" for name in ("iOS", "tvOS", "watchOS", "visionOS"))
    text = re.sub(r"^(open class|extension) Process\b", f"{lacking}\\g<0>", text, flags=re.MULTILINE)
    text = text.replace("    open var homeDirectoryForCurrentUser", f"{lacking}    open var homeDirectoryForCurrentUser")
    protocol, text = block(text, "public protocol NSObjectProtocol")
    root, text = block(text, "open class NSObject ")
    yield "ObjectiveC", IMPORTS + protocol + root, stub("ObjectiveC")
    exported = "".join(f"@_exported import {name}\n" for name in ("Darwin", "Dispatch", "ObjectiveC"))
    yield "Foundation", exported + IMPORTS + "import Synchronization\nimport _StringProcessing\n" + text, (
        stub("Foundation"))


def packages():
    maps = sorted({line for line in (ROOT / ".build/debug.yaml").read_text().split('"')
                   if line.startswith("-fmodule-map-file=")})
    flags = ["-I", ROOT / ".build/debug/Modules", *(word for line in maps for word in ("-Xcc", line))]
    exported = IMPORTS + "@_exported import Foundation\n"
    yield "CryptoKit", exported + synthesized("Crypto", *flags).replace("Crypto.", "CryptoKit."), stub("CryptoKit")
    for module in PACKAGES:
        imported = {"CryptoExtras": "import CryptoKit\n", "FlyingFox": "import FlyingSocks\n"}.get(module, "")
        # Swift takes the replacement of a disfavoured declaration; that it is disfavoured is not printed.
        text = re.sub(r"^ *@available\(\*, deprecated.*\n.*[^{]\n", "", synthesized(module, *flags), flags=re.MULTILINE)
        # An unavailable declaration is not printed, and a property wrapper without an initial value is looked up by this.
        text = re.sub(r"(struct (Option|Argument)<Value> .*\{\n)", r"\1@available(*, unavailable) public init()\n", text)
        yield module, exported + imported + re.sub(r"\bCrypto\.", "CryptoKit.", text), ""


def texts():
    """The interfaces that are made of what Linux has, once for all platforms, and the stubs."""
    key = hashlib.sha256(Path(__file__).read_bytes())
    for path in (*sorted((STUBS / "SDK").iterdir()), ROOT / "Package.resolved"):
        key.update(path.read_bytes() if path.exists() else b"")
    key.update(subprocess.run(["swiftc", "--version"], check=True, stdout=subprocess.PIPE).stdout)
    kept = SCRATCH / f"interfaces-{key.hexdigest()}"
    made = ["Dispatch", "ObjectiveC", "Foundation", "CryptoKit", *PACKAGES]
    if not kept.exists():
        platform = Platform(MAKER)
        platform.standard()
        folder = Path(f"{kept}.part")
        folder.mkdir(parents=True, exist_ok=True)
        for source in (foundation(platform), packages()):
            for name, text, added in source:
                (folder / name).write_text(pruned(platform, name, text, added))
        folder.rename(kept)
    result = {name: (kept / name).read_text() for name in made[:3]}
    result |= {name: IMPORTS + stub(name) for name in FRAMEWORKS}
    result |= {"CryptoKit": (kept / "CryptoKit").read_text(), "Crypto": "@_exported import CryptoKit\n"}
    return result | {name: (kept / name).read_text() for name in PACKAGES}
