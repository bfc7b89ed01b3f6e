"""Builds the page that shows workspaces on the desktop; with --check, compares.

python tools/workspaces_page.py           write it
python tools/workspaces_page.py --check   fail when it is stale

It needs the packages of admin-ui (`make platform-ui`) and the bundler (`make tests/fdc3/node/node_modules/.installed`).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.node import find_node

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "src" / "rostrum" / "desktop" / "pages"
NAME = "workspaces-page"
_SOURCE = "platform-ui/desktop-workspaces/index.ts"
_HEAD = (
    f"/* Made by tools/workspaces_page.py from {_SOURCE}; do not edit.\n"
    "   Contains dockview: Copyright (c) 2020 mathuo, MIT License. */\n"
)


def main() -> int:
    """Write or compare the script and the style sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    is_check = parser.parse_args().check
    is_stale = False
    for name, text in built().items():
        file = PAGES / name
        if file.exists() and file.read_text("utf-8") == text:
            continue
        if is_check:
            print(f"stale: {file.relative_to(ROOT)}; run `python tools/workspaces_page.py`")
            is_stale = True
        else:
            file.write_text(text, "utf-8")
    return 1 if is_stale else 0


def built() -> dict[str, str]:
    """Bundle the page; return its files."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{NAME}.js"
        options = {"entryPoints": [str(ROOT / _SOURCE)], "outfile": str(made), "format": "iife", "minify": True}
        script = ROOT / "tests" / "fdc3" / "node" / "build.mjs"
        subprocess.run([find_node().node, str(script), json.dumps(options)], check=True)
        return {f"{NAME}.{kind}": _HEAD + made.with_suffix(f".{kind}").read_text("utf-8") for kind in ("js", "css")}


if __name__ == "__main__":
    sys.exit(main())
