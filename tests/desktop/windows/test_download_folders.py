"""Folders that downloads never go into, and files that are opened after their download."""

from pathlib import Path

import pytest

from rostrum.desktop.windows.download_folders import may_be_opened, start_folders, why_not_into


@pytest.mark.parametrize("name", ["report.PDF", "data.csv", "picture.png", "table.xlsx"])
def test_documents_may_be_opened(name: str) -> None:
    assert may_be_opened(name)


@pytest.mark.parametrize(
    "name",
    ["run.sh", "app.desktop", "page.html", "table.xlsm", "report.pdf.exe", "x.jar", "picture.svg", "pdf", ".pdf"],
)
def test_programs_scripts_and_files_with_macros_may_not_be_opened(name: str) -> None:
    assert not may_be_opened(name)


def test_folders_of_the_platform_and_of_configuration_are_refused(tmp_path: Path) -> None:
    home, kept = tmp_path / "home", tmp_path / "kept"
    for folder in (home / "Downloads", home / ".ssh", kept / "apps"):
        folder.mkdir(parents=True)
    (home / "link").symlink_to(kept)
    for folder in (kept, kept / "apps" / "new", home / "link" / "apps", home / "Downloads" / ".." / ".ssh"):
        assert why_not_into(folder, [str(kept)], home), folder
    assert why_not_into(home / ".config" / "autostart", [], home)
    # Outside the home folder, a dot means nothing.
    for folder in (home, home / "Downloads" / "new", tmp_path / ".shared", tmp_path / "kept2"):
        assert why_not_into(folder, [str(kept), str(tmp_path / "missing")], home) is None, folder


def test_folders_of_programs_that_start_with_the_system_are_known() -> None:
    found = start_folders({"XDG_CONFIG_HOME": "/somewhere/config", "XDG_CONFIG_DIRS": "relative:/etc/other"})
    assert found
    assert all(Path(one).is_absolute() for one in found)
