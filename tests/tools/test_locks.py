"""Lock files cover every supported platform, and the check notices when one does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from tools.locks import PLATFORMS, ROOT, check, npm_problems, requirement_problems

PINNED = "anyio==4.9.0 \\\n    --hash=sha256:673c0c24\n"


def bundler(*systems: tuple[str, str]) -> dict[str, Any]:
    """A lock of a package whose program is in one optional package for each system."""
    names = [f"@bundler/{system}-{cpu}" for system, cpu in ALL]
    locked = {
        f"node_modules/@bundler/{system}-{cpu}": {"os": [system], "cpu": [cpu], "integrity": "sha512-x"}
        for system, cpu in systems
    }
    package = {"version": "1.0.0", "integrity": "sha512-x", "optionalDependencies": dict.fromkeys(names, "1.0.0")}
    return {"packages": {"": {}, "node_modules/bundler": package, **locked}}


ALL = [(platform.os, platform.cpu) for platform in PLATFORMS]


@pytest.mark.long
def test_the_locks_of_this_repository_are_complete() -> None:
    assert list(check(ROOT)) == []


def test_a_lock_for_every_platform_is_accepted() -> None:
    assert list(npm_problems(bundler(*ALL))) == []


@pytest.mark.parametrize("dropped", ALL)
def test_a_platform_that_an_upgrade_drops_is_reported(dropped: tuple[str, str]) -> None:
    lock = bundler(*(each for each in ALL if each != dropped))

    assert list(npm_problems(lock)) == [f"bundler 1.0.0 has no package for {dropped[0]} {dropped[1]}"]


def test_a_native_package_of_another_c_library_does_not_count() -> None:
    lock = bundler(*ALL)
    lock["packages"]["node_modules/@bundler/linux-x64"]["libc"] = ["musl"]

    assert list(npm_problems(lock)) == ["bundler 1.0.0 has no package for linux x64"]


def test_an_entry_that_names_a_registry_or_has_no_digest_is_reported() -> None:
    lock = bundler(*ALL)
    lock["packages"]["node_modules/bundler"]["resolved"] = "https://registry.example.com/bundler.tgz"
    del lock["packages"]["node_modules/@bundler/linux-x64"]["integrity"]

    assert sorted(npm_problems(lock)) == [
        "@bundler/linux-x64 has no digest",
        "bundler names a registry; lock with --omit-lockfile-registry-resolved",
    ]


def test_python_requirements_are_pinned_by_digest_and_name_no_registry() -> None:
    assert list(requirement_problems(PINNED)) == []
    assert list(requirement_problems("anyio==4.9.0\n")) == ["anyio==4.9.0 is not pinned by version and digest"]
    assert list(requirement_problems("--index-url https://registry.example.com\n")) == [
        "a line names a registry or an option: --index-url https://registry.example.com"
    ]


def test_problems_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "package-lock.json").write_text(json.dumps(bundler(*ALL[1:])))
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "run.txt").write_text("anyio\n")

    assert list(check(tmp_path)) == [
        "ui/package-lock.json: bundler 1.0.0 has no package for linux x64",
        "requirements/run.txt: anyio is not pinned by version and digest",
    ]
