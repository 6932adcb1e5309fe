"""The Swift programs next to this folder, for what authctl has no command for: one executable, a name for each."""
import functools
import subprocess


class Products:
    def __init__(self, package):
        self.package = package

    @functools.cache
    def build(self):
        """The executable, or an exception with the compiler's words."""
        arguments = ["swift", "build", "--package-path", self.package, "--product", "endtoend"]
        built = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if built.returncode:
            raise RuntimeError(f"endtoend does not build: {built.stdout[-1500:]} {built.stderr[-500:]}")
        folder = subprocess.run([*arguments, "--show-bin-path"], capture_output=True, text=True, check=True)
        return f"{folder.stdout.strip()}/endtoend"
