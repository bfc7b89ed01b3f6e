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
    "admin-ui/index.html",
    "admin-ui/src",
    "platform-ui/index.html",
    "platform-ui/src",
    "src/rostrum/demo_apps/pages",
    "src/rostrum/desktop/pages",
    "src/rostrum/manager/demo/content",
)
"""Files and folders that determine what the pictures show."""


def recorded(root: Path = ROOT) -> str:
    """Return one digest of the tracked files that the pictures show, without tests, and one of each picture."""
    listed = subprocess.run(["git", "ls-files", "-z", *SHOWN], cwd=root, capture_output=True, text=True, check=True)
    names = sorted(name for name in listed.stdout.split("\0") if name and ".test." not in name)
    sources = hashlib.sha256("".join(f"{_digest(root / name)}  {name}\n" for name in names).encode()).hexdigest()
    pictures = sorted((root / RECORD.relative_to(ROOT)).parent.glob("*.png"))
    lines = [f"{sources}  sources", *(f"{_digest(file)}  {file.name}" for file in pictures)]
    return "".join(f"{line}\n" for line in lines)


def problem(root: Path = ROOT) -> str | None:
    """Return why the pictures are not current."""
    record = root / RECORD.relative_to(ROOT)
    if not record.is_file():
        return "it is not recorded from which sources the pictures were made: run `make screenshots`"
    before, now = record.read_text(encoding="utf-8").splitlines(), recorded(root).splitlines()
    if before[:1] != now[:1]:
        return "the pages have changed since the pictures were made: run `make screenshots`, and look at the pictures"
    if different := sorted({line.partition("  ")[2] for line in set(before) ^ set(now)}):
        return f"pictures were added, changed or deleted: {', '.join(different)}: run `make screenshots`"
    return None


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def main(arguments: list[str]) -> int:
    if arguments == ["record"]:
        RECORD.write_text(recorded(), encoding="utf-8")
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
