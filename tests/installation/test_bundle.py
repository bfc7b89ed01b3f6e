"""Bundles: what unpacking refuses, and that nothing is written then."""

import stat
import zipfile
from pathlib import Path

import pytest

from rostrum.installation.build import BuildInfo, InstallationError, version_key
from rostrum.installation.bundle import check_target, unpack
from tests.installation.bundles import bundle, info, write_bundle


def refusal(package: Path, folder: Path) -> str:
    """Unpack; nothing may be written, neither in the folder nor beside it."""
    before = sorted(folder.iterdir())
    with pytest.raises(InstallationError) as refused:
        unpack(package, folder / "new")
    assert sorted(folder.iterdir()) == before
    return str(refused.value)


@pytest.mark.parametrize(
    "name",
    [
        "../outside.py",
        "lib/../../outside.py",
        "lib/./x.py",
        "lib//x.py",
        "/etc/outside.py",
        "lib\\..\\outside.py",
        "C:/outside.py",
        "lib/x.py\n",
        "elsewhere/x.py",
        "launcher.py",
    ],
)
def test_a_path_that_leaves_the_folder_or_that_no_bundle_has_is_refused(tmp_path: Path, name: str) -> None:
    package = write_bundle(tmp_path / "bad.pyz", {"build.json": info("1.0"), "lib/a.py": "", name: "evil"})
    assert "is not allowed" in refusal(package, tmp_path)


def test_links_doubles_and_encrypted_entries_are_refused(tmp_path: Path) -> None:
    package = tmp_path / "bad.pyz"
    link = zipfile.ZipInfo("lib/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(package, "w") as file:
        file.writestr("build.json", info("1.0"))
        file.writestr(link, "/etc/passwd")
    assert "not a regular file" in refusal(package, tmp_path)

    write_bundle(package, {"build.json": info("1.0"), "lib/a.py": "1", "lib/A.py": "2"})
    assert "twice" in refusal(package, tmp_path)

    write_bundle(package, {"build.json": info("1.0"), "lib/a.py": "1"})
    content = bytearray(package.read_bytes())
    # The flag of an encrypted entry, in the central directory.
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    package.write_bytes(content)
    assert "not a regular file" in refusal(package, tmp_path)


def test_too_many_files_and_too_many_bytes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = write_bundle(tmp_path / "big.pyz", {"build.json": info("1.0"), "lib/a": b"0" * 5000, "lib/b": ""})
    monkeypatch.setattr("rostrum.installation.bundle.MAX_FILES", 2)
    assert "more than 2 files" in refusal(package, tmp_path)
    monkeypatch.setattr("rostrum.installation.bundle.MAX_FILES", 3)
    monkeypatch.setattr("rostrum.installation.bundle.MAX_BYTES", 4000)
    assert "more than 4,000 bytes" in refusal(package, tmp_path)


def test_a_damaged_or_truncated_file_leaves_nothing_behind(tmp_path: Path) -> None:
    package = write_bundle(tmp_path / "bad.pyz", {"build.json": info("1.0"), "lib/a.py": "a" * 100, "lib/b.py": "b"})
    content = package.read_bytes()
    package.write_bytes(content.replace(b"a" * 100, b"a" * 99 + b"x"))
    assert "is damaged" in refusal(package, tmp_path)
    package.write_bytes(content[: len(content) // 2])
    assert "is damaged" in refusal(package, tmp_path)
    package.write_bytes(b"#!/bin/sh\n")
    assert "is damaged" in refusal(package, tmp_path)


@pytest.mark.parametrize(
    "about",
    [
        b"[]",
        b"{",
        b'{"version": 1, "target": "x"}',
        info("../1.0"),
        info("1.0", target="../x"),
        info("1.0", launcher="1"),
        info("1.0", launcher=True),
        b" " * 70_000,
    ],
)
def test_an_invalid_description_is_refused(tmp_path: Path, about: bytes) -> None:
    package = write_bundle(tmp_path / "bad.pyz", {"build.json": about, "lib/a.py": ""})
    assert "build.json" in refusal(package, tmp_path) or "version" in refusal(package, tmp_path)
    write_bundle(package, {"lib/a.py": ""})
    assert "contains no build.json" in refusal(package, tmp_path)


def test_a_bundle_for_another_machine_python_or_c_library_is_refused(tmp_path: Path) -> None:
    here = unpack(bundle(tmp_path, "1.0"), tmp_path / "new")
    check_target(here)
    with pytest.raises(InstallationError, match="This package is for plan9-vax-cp311"):
        check_target(BuildInfo("1.0", "plan9-vax-cp311"))
    with pytest.raises(InstallationError, match=r"requires glibc 99\.1 or newer"):
        check_target(BuildInfo("1.0", here.target, glibc="99.1"))


def test_versions_are_ordered_as_releases_are() -> None:
    ordered = ["0.9", "0.10.0.dev1", "0.10.0a1", "0.10.0b2", "0.10.0rc1.dev2", "0.10.0rc1", "0.10", "0.10.0.1", "1"]
    assert sorted(set(ordered), key=version_key) == ordered
    assert version_key("1.0") == version_key("1.0.0")
    for wrong in ("", "1.", "spring", "1.0/../..", "1.0\n", "9" * 10, "١"):
        with pytest.raises(InstallationError, match="is not a version"):
            version_key(wrong)
