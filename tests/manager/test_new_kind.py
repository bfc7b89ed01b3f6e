"""The recipe for a document kind in CONTRIBUTING is complete, and a part that is missing is noticed."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import rostrum
from rostrum.manager.database.schema import HEAD
from tests.tables import add_tables

EXAMPLE = Path(__file__).parent / "new_kind"
EMPTY = "manager/notices/__init__.py"
SOURCE = Path(rostrum.__file__).parent
FILES = {
    "topic.txt": "manager/notices/topic.py",
    "routes.txt": "manager/notices/routes.py",
    "migration.txt": "manager/database/migrations/versions/v9999_notices.py",
}
RIGHTS = "rights_table.py"
"""The table of rights, which each copy contains."""
PAGES = "routes.tsx"
"""The pages of the admin UI, which each copy contains."""
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Line:
    """A line of the recipe, which comes before another line of a file."""

    file: str
    before: str
    text: str


LINES = (
    Line(
        "manager/access/permissions.py",
        "    PREFERENCES_READ =",
        '    NOTICES_READ = "PLATFORM_MANAGER:NOTICES:READ"\n    NOTICES_WRITE = "PLATFORM_MANAGER:NOTICES:WRITE"\n',
    ),
    Line("manager/kinds.py", "    DEFAULT_LAYOUT =", '    NOTICE = "notice"\n'),
    Line(
        "manager/kinds.py",
        "    Kind.GROUP: DocumentKind(",
        """    Kind.NOTICE: DocumentKind(
        noun="notice",
        path="/admin/notices",
        operations="Notice",
        read=Permission.NOTICES_READ,
        write=Permission.NOTICES_WRITE,
        is_large=False,
    ),
""",
    ),
    Line(
        "manager/topics.py",
        "from rostrum.manager.password_links import",
        "from rostrum.manager.notices import topic as notices\n",
    ),
    Line("manager/topics.py", "    apps.TOPIC,", "    notices.TOPIC,\n"),
    Line(
        PAGES,
        '  page("/preferences",',
        '  page("/notices", () => import("./features/notices/list-page"), "NoticesPage"),\n',
    ),
    Line(
        RIGHTS,
        '    "readOwnUsage": USER,',
        """    "listNotices": "NOTICES:READ",
    "createNotice": "NOTICES:WRITE",
    "changeNotice": "NOTICES:WRITE",
    "listNoticeRevisions": "NOTICES:READ",
    "readNoticeRevision": "NOTICES:READ",
    "compareNoticeRevisions": "NOTICES:READ",
    "rollBackNotice": "NOTICES:WRITE",
    "rollBackAllNotices": "NOTICES:WRITE",
""",
    ),
)
WORKS = {
    "listed": ["first"],
    "revisions": 2,
    "audited": 3,
    "previewed": 0,
    "exported": True,
    "rights": True,
    "pages": True,
    "altered": None,
}


def created_files() -> list[str]:
    """Return the files that the recipe creates; `make measure` counts them."""
    return sorted([*FILES.values(), EMPTY])


def changed_files() -> list[str]:
    """Return the files that the recipe changes."""
    return sorted({line.file for line in LINES if line.file not in (RIGHTS, PAGES)})


def add_kind(product: Path, *, without: Line | str | None = None) -> None:
    for name, target in FILES.items():
        if name != without:
            path = product / target
            path.parent.mkdir(exist_ok=True)
            path.write_text((EXAMPLE / name).read_text().replace("{head}", HEAD))
    (product / EMPTY).touch()
    for line in LINES:
        if line != without:
            path = product / line.file
            text = path.read_text()
            assert text.count(line.before) == 1, f"{line.file} has no place for the line before {line.before!r}"
            # The files of all copies are the same ones until they are written.
            path.unlink()
            path.write_text(text.replace(line.before, line.text + line.before))


def copies_with_new_kind(folder: Path, *omissions: Line | str | None) -> list[Path]:
    first = folder / "first"
    ignored = shutil.ignore_patterns("build", "demo_apps", "desktop")
    shutil.copytree(SOURCE, first, ignore=ignored)
    shutil.copy(Path(__file__).parent / "http" / RIGHTS, first)
    shutil.copy(ROOT / "admin-ui/src" / PAGES, first)
    copies = []
    for number, without in enumerate(omissions):
        copies.append(folder / str(number))
        shutil.copytree(first, copies[-1] / "rostrum", copy_function=os.link)
        add_kind(copies[-1] / "rostrum", without=without)
    return copies


def use(folder: Path, copies: list[Path]) -> tuple[list[object], str]:
    """Use the new kind in each copy; gives what was found, and the error output."""
    scenario = folder / "scenario.py"
    shutil.copy(EXAMPLE / "scenario.txt", scenario)
    done = subprocess.run([sys.executable, scenario, *copies], capture_output=True, text=True, timeout=240, check=False)
    results = [copy / "result.json" for copy in copies]
    return [json.loads(result.read_text()) if result.exists() else None for result in results], done.stderr


@pytest.mark.long
async def test_a_new_kind_is_listed_revisioned_audited_exported_and_announced(tmp_path: Path) -> None:
    # Without the other files and the imports, the product does not start.
    parts: list[Line | str] = ["migration.txt", *(line for line in LINES if not line.text.startswith("from "))]
    copies = copies_with_new_kind(tmp_path, None, *parts)
    for copy in copies:
        await add_tables(f"sqlite:///{copy}/manager.db")

    [complete, *incomplete], errors = await asyncio.to_thread(use, tmp_path, copies)

    assert complete == WORKS, errors
    unnoticed = [part for part, found in zip(parts, incomplete, strict=True) if found == WORKS]
    assert unnoticed == [], "the product works without these parts of the recipe"
