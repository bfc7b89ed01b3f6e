"""Makes two libraries from the client of FINOS; with --check, compares.

One gives pages of the desktop `window.fdc3`. With the other, the demo apps find their agent in a browser.

python tools/fdc3_library.py           write them
python tools/fdc3_library.py --check   fail when one is stale

It needs `make tests/fdc3/node/node_modules/.installed`, which installs the client and the bundler.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from node import find_node

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "src" / "rostrum" / "desktop" / "services" / "fdc3_library.js"
DEMO_LIBRARY = ROOT / "src" / "rostrum" / "demo_apps" / "pages" / "shared" / "get-agent.js"
_SOURCES = {
    LIBRARY: ("platform-ui/desktop-library/window.ts", "iife"),
    DEMO_LIBRARY: ("platform-ui/demo-library/get-agent.ts", "esm"),
}
_HEAD = (
    "// Made by tools/fdc3_library.py from {source}; do not edit.\n"
    "// Contains @finos/fdc3-agent-proxy, @finos/fdc3-get-agent, @finos/fdc3-standard and @finos/fdc3-schema 2.2.0:\n"
    "// Copyright FINOS FDC3 contributors, Apache License 2.0.\n"
)


def main() -> int:
    """Write or compare the libraries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    is_check = parser.parse_args().check
    is_stale = False
    for library, (source, form) in _SOURCES.items():
        text = built(source, form)
        if library.exists() and library.read_text("utf-8") == text:
            continue
        if is_check:
            print(f"stale: {library.relative_to(ROOT)}; run `python tools/fdc3_library.py`")
            is_stale = True
        else:
            library.write_text(text, "utf-8")
    return 1 if is_stale else 0


def built(source: str, form: str) -> str:
    """Bundle a library."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "library.js"
        options = {"entryPoints": [str(ROOT / source)], "outfile": str(made), "format": form, "minify": True}
        script = ROOT / "tests" / "fdc3" / "node" / "build.mjs"
        subprocess.run([find_node().node, str(script), json.dumps(options)], check=True)
        return _HEAD.format(source=source) + made.read_text("utf-8")


if __name__ == "__main__":
    sys.exit(main())
