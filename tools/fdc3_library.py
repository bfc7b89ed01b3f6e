"""Makes the library that gives pages of the desktop `window.fdc3`, from the client of FINOS; with --check, compares.

python tools/fdc3_library.py           write it
python tools/fdc3_library.py --check   fail when it is stale

It needs `make tests/fdc3/node/node_modules/.installed`, which installs the client and the bundler.
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
SOURCE = ROOT / "platform-ui" / "desktop-library" / "window.ts"
LIBRARY = ROOT / "src" / "rostrum" / "desktop" / "services" / "fdc3_library.js"
_HEAD = (
    "// Made by tools/fdc3_library.py from platform-ui/desktop-library/window.ts; do not edit.\n"
    "// Contains @finos/fdc3-agent-proxy, @finos/fdc3-standard and @finos/fdc3-schema 2.2.0: Copyright FINOS FDC3\n"
    "// contributors, Apache License 2.0.\n"
)


def main() -> int:
    """Write or compare the library."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    is_check = parser.parse_args().check
    text = built()
    if LIBRARY.exists() and LIBRARY.read_text("utf-8") == text:
        return 0
    if is_check:
        print(f"stale: {LIBRARY.relative_to(ROOT)}; run `python tools/fdc3_library.py`")
        return 1
    LIBRARY.write_text(text, "utf-8")
    return 0


def built() -> str:
    """Bundle the library."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "library.js"
        options = {"entryPoints": [str(SOURCE)], "outfile": str(made), "format": "iife", "minify": True}
        script = ROOT / "tests" / "fdc3" / "node" / "build.mjs"
        subprocess.run([find_node().node, str(script), json.dumps(options)], check=True)
        return _HEAD + made.read_text("utf-8")


if __name__ == "__main__":
    sys.exit(main())
