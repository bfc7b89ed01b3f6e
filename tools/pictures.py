"""Records from which sources the pictures of the guides were made, and checks that the sources are still the same.

python tools/pictures.py record   after all pictures were made (`make screenshots` does this)
python tools/pictures.py          check; `make release` requires current pictures
"""

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs/images/sources.sha256"
SHOWN = (
    "admin-ui/src",
    "platform-ui/src",
    "src/rostrum/demo_apps/pages",
    "src/rostrum/desktop/pages",
    "src/rostrum/manager/demo/content",
)
"""Folders whose files determine what the pictures show."""


def digest(root: Path = ROOT) -> str:
    """Return one digest of the tracked files that the pictures show, without tests."""
    listed = subprocess.run(["git", "ls-files", "-z", *SHOWN], cwd=root, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if name and ".test." not in name]
    total = hashlib.sha256()
    for name in sorted(names):
        content = (root / name).read_bytes()
        total.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return total.hexdigest()


def problem(root: Path = ROOT, record: Path = RECORD) -> str | None:
    """Return why the pictures are not current."""
    if not record.is_file():
        return "it is not recorded from which sources the pictures were made: run `make screenshots`"
    if record.read_text(encoding="utf-8").strip() != digest(root):
        return "the pages have changed since the pictures were made: run `make screenshots`, and look at the pictures"
    return None


def main(arguments: list[str]) -> int:
    if arguments == ["record"]:
        RECORD.write_text(f"{digest()}\n", encoding="utf-8")
        return 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    found = problem()
    if found:
        print(f"error: {found}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
