"""What installers contain: the desktop with everything it needs, as it was installed from the lock, and no more."""

from importlib.metadata import PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools.installer import closure, copy, glibc

REQUIREMENTS = [Requirement(text) for text in distribution("rostrum-platform").requires or ()]


def test_the_packages_of_the_desktop_are_found_directly_and_indirectly() -> None:
    names = {package.name.lower().replace("-", "_") for package in closure(REQUIREMENTS, ("desktop",))}
    assert {"httpx", "httpcore", "pydantic_core", "cryptography", "cffi", "picows", "filelock", "typer"} <= names
    assert names.isdisjoint({"litestar", "granian", "sqlalchemy", "asyncpg", "pytest", "hatchling", "rostrum_platform"})


def test_what_is_missing_or_has_another_version_is_refused() -> None:
    with pytest.raises(SystemExit, match="no-such-package is not installed"):
        closure([Requirement("no-such-package")], ())
    with pytest.raises(SystemExit, match=r"httpx .* is installed, but httpx>=999 is required"):
        closure([Requirement("httpx>=999")], ())
    assert closure([Requirement("no-such-package; extra == 'kerberos'")], ("desktop",)) == []


def installed(folder: Path, record: str) -> PathDistribution:
    (folder / "x.dist-info").mkdir()
    (folder / "x.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: x\nVersion: 1\n")
    (folder / "x.dist-info" / "RECORD").write_text(record)
    (folder / "x.py").write_text("")
    return PathDistribution(folder / "x.dist-info")


def test_files_are_copied_if_they_are_as_recorded_and_programs_and_local_notes_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    empty = "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
    record = f"x.py,{empty},0\n../bin/x,,\n/etc/passwd,,\n__pycache__/x.pyc,,\nx.dist-info/direct_url.json,,\n"
    package = installed(tmp_path / "site", record)
    copy(package, tmp_path / "lib")
    assert [path.name for path in (tmp_path / "lib").rglob("*")] == ["x.py"]
    (tmp_path / "site" / "x.py").write_text("changed")
    with pytest.raises(SystemExit, match="differs from what its package records"):
        copy(package, tmp_path / "lib")


def test_the_oldest_c_library_is_that_of_the_most_demanding_package(tmp_path: Path) -> None:
    assert glibc(tmp_path) == ""
    for name, tags in (
        (
            "a",
            "Tag: cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64\nTag: cp311-cp311-manylinux_2_34_x86_64\n",
        ),
        ("b", "Tag: cp39-abi3-manylinux_2_28_x86_64\n"),
        ("c", "Tag: py3-none-any\n"),
    ):
        (tmp_path / f"{name}.dist-info").mkdir()
        (tmp_path / f"{name}.dist-info" / "WHEEL").write_text(tags)
    assert glibc(tmp_path) == "2.28"
