"""Which files count for the lines of a package."""

import subprocess
from pathlib import Path

import pytest

from tools.measure import sources
from tools.measure.sources import ROOT, Size, package_sizes, source_files


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small repository with files that count and files that do not, without a history."""
    files = {
        ".gitignore": "# Caches\n__pycache__/\nnode_modules\n*.log.py\n/src/rostrum/manager/page.js\n",
        "src/rostrum/__init__.py": "1\n",
        "src/rostrum/manager/app.py": "1\n\n# 3\n",
        "src/rostrum/manager/apps/style.css": "1\n2\n",
        "src/rostrum/manager/page.js": "built\n",
        "src/rostrum/manager/data.json": "{}\n",
        "src/rostrum/manager/__pycache__/app.py": "compiled\n",
        "src/rostrum/manager/old.log.py": "log\n",
        "src/rostrum/base/ids.py": "1\n",
        "admin-ui/src/page.tsx": "1\n",
        "admin-ui/src/generated/client.ts": "generated\n",
        "admin-ui/src/node_modules/library.js": "library\n",
        "admin-ui/vite.config.ts": "1\n2\n",
        "deploy/check.py": "not a package\n",
        "tests/test_app.py": "1\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


SIZES = {
    "admin-ui": Size(1, 2),
    "admin-ui/src": Size(1, 1),
    "src/rostrum": Size(1, 1),
    "src/rostrum/base": Size(1, 1),
    "src/rostrum/manager": Size(2, 5),
    "tests": Size(1, 1),
}


def test_an_export_without_history_counts_what_git_would_not_ignore(tree: Path) -> None:
    assert package_sizes(tree) == SIZES


def test_a_clone_counts_tracked_files_that_exist(tree: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tree, check=True)
    (tree / "tests/test_new.py").write_text("not added\n")
    assert package_sizes(tree) == SIZES

    (tree / "tests/test_app.py").unlink()
    assert package_sizes(tree) == {name: size for name, size in SIZES.items() if name != "tests"}


@pytest.mark.long
def test_this_repository_has_the_same_packages_with_and_without_its_history(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, tracked = package_sizes(), set(source_files())
    monkeypatch.setattr(sources, "git", lambda *_: None)
    files = set(source_files())

    # Files that are not added yet count only without the history.
    assert tracked <= files
    assert Path(__file__).relative_to(ROOT).as_posix() in files
    assert {"src/rostrum", "src/rostrum/manager", "admin-ui/src", "platform-ui/src", "tests", "tools"} <= {*sizes}
    assert "admin-ui/src/api/generated/client.ts" not in tracked
    assert all(size.files > 0 for size in sizes.values())
