"""Folders that downloads never go into, names of files, and files that are opened after their download."""

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from rostrum.desktop.windows.download_folders import (
    may_be_opened,
    safe_name,
    start_folders,
    why_no_folder,
    why_not_into,
)


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


def test_folders_of_programs_and_configuration_are_known_on_windows() -> None:
    variables = {"APPDATA": r"C:\Users\ann\AppData\Roaming", "LOCALAPPDATA": "relative", "SYSTEMROOT": r"C:\Windows"}
    assert start_folders(variables, "win32") == (variables["APPDATA"], variables["SYSTEMROOT"])


@pytest.mark.parametrize(
    "path",
    [
        "Downloads",
        "C:Downloads",
        r"\Downloads",
        r"C:\Users\ann\Downloads:stream",
        r"C:\Users\ann\.ssh ",
        r"C:\Users\ann\AppData.\Roaming",
        r"C:\Users\ann\..\ann\AppData",
        r"C:\Users\NUL",
        r"C:\Users\com1.txt",
        r"\\?\C:\Users\ann\.ssh",
        r"\\.\C:\Users\ann",
        r"\\?\UNC\host\share\folder",
        "//?/C:/Users/ann",
    ],
)
def test_paths_that_windows_reads_in_another_way_are_no_folders(path: str) -> None:
    assert why_no_folder(PureWindowsPath(path)) is not None


def test_usual_paths_are_folders() -> None:
    for folder in (PureWindowsPath(r"C:\Users\ann\Downloads"), PureWindowsPath(r"\\host\share\files")):
        assert why_no_folder(folder) is None
    assert why_no_folder(PurePosixPath("/home/ann/a:b.")) is None
    assert why_no_folder(PurePosixPath("Downloads")) is not None


@pytest.mark.parametrize(
    ("written", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("a.txt:stream", "a.txt_stream"),
        ("..\\..\\x", "x"),
        ("/etc/passwd", "passwd"),
        ("CON", "_CON"),
        ("nul .txt", "_nul .txt"),
        ("COM¹", "_COM¹"),
        ("conin$.log", "_conin$.log"),
        ("Desktop.ini", "_Desktop.ini"),
        ("a.exe. .", "a.exe"),
        ("\u202excod.exe", "xcod.exe"),
        ("a.pdf\u200b.exe", "a.pdf.exe"),
        ("a.pdf" + " " * 90 + ".exe", "a.pdf .exe"),
        ("a.lnk", "a.lnk.download"),
        ("a.SCF", "a.SCF.download"),
        ("a.desktop", "a.desktop.download"),
        (".htaccess", "htaccess"),
        (" . ", "download"),
        ("x" * 300 + ".exe", "x" * 147 + ".exe"),
    ],
)
def test_names_of_files_are_safe_on_all_systems(written: str, safe: str) -> None:
    assert safe_name(written) == safe
    assert safe_name(safe) == safe
