"""The diagnostics of the browser engine: version, age of the security fixes, missing libraries."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from rostrum.desktop.hosts.engine_report import fixes_finding
from rostrum.desktop.hosts.engines import ENGINES, installed_version
from tests.end_to_end.processes import clean_environment, run

NOW = date(2026, 11, 16)


def test_an_engine_with_old_fixes_is_for_tests_and_trusted_pages_only() -> None:
    old = ENGINES["6.8.0.2"]

    found = fixes_finding("6.8.0.2", old.chromium, old.fixes, NOW)

    assert found.verdict == "warning"
    assert found.message == (
        "PySide6 6.8.0.2, based on Chromium 122.0.6261.171, with security fixes up to Chromium 129.0.6668.70"
        " (released 25 months ago)"
    )
    assert "only for tests and trusted pages" in found.advice


def test_the_newest_engine_is_fine_until_its_fixes_are_old() -> None:
    new = ENGINES["6.11.3"]

    fresh = fixes_finding("6.11.3", new.chromium, new.fixes, NOW)
    later = fixes_finding("6.11.3", new.chromium, new.fixes, date(2027, 4, 1))

    assert (fresh.verdict, fresh.advice) == ("ok", "")
    assert fresh.message.endswith("security fixes up to Chromium 155.0.8059.85 (released 26 days ago)")
    assert later.verdict == "warning"
    assert (
        later.advice
        == "use the desktop with windows only for tests and trusted pages, or install a newer PySide6-Addons"
    )


def test_an_engine_of_another_version_is_described_without_a_date() -> None:
    found = fixes_finding("6.10.0", "134.0.1.1", "140.0.2.2", NOW)

    assert found.verdict == "ok"
    assert found.message == (
        "PySide6 6.10.0, based on Chromium 134.0.1.1, with security fixes up to Chromium 140.0.2.2"
        " (release date unknown)"
    )


@pytest.mark.long
def test_doctor_examines_the_installed_engine_and_loads_it_in_a_child_process_only(tmp_path: Path) -> None:
    version = installed_version()
    if version is None:
        pytest.skip("the browser engine is not installed: make test says why")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "system.json").write_text("{}")

    told = json.loads(run("doctor", "--json", cwd=tmp_path, HOME=str(tmp_path)).stdout)

    [engine] = [check for check in told["checks"] if check["part"] == "browser engine"]
    assert engine["check"] == "engine"
    assert f"PySide6 {version}, based on Chromium {ENGINES[version].chromium}" in engine["message"]
    assert f"security fixes up to Chromium {ENGINES[version].fixes}" in engine["message"]


def in_process(code: str, **environment: str) -> str:
    """Run code in a process of its own, because it changes what can be imported."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=clean_environment(**environment), capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


EXAMINE = (
    "import sys; from datetime import date; from rostrum.desktop.hosts.engine_report import examine_engine;"
    "[print(f.verdict, f.message, f.advice) for f in examine_engine(date(2026, 11, 16))];"
    "assert not any(name.startswith('PySide6') for name in sys.modules)"
)


@pytest.mark.long
def test_the_process_that_examines_never_imports_the_engine(tmp_path: Path) -> None:
    assert in_process(EXAMINE, HOME=str(tmp_path)).strip()


@pytest.mark.long
def test_an_engine_that_cannot_be_loaded_is_an_error(tmp_path: Path) -> None:
    if installed_version() is None:
        pytest.skip("the browser engine is not installed: make test says why")
    # A package of the same name that comes first is broken.
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ImportError('a broken engine')")

    said = in_process(EXAMINE, HOME=str(tmp_path), PYTHONPATH=str(tmp_path))

    assert said.startswith("error the browser engine")
    assert "cannot be loaded: ImportError: a broken engine" in said


def test_a_folder_of_links_that_others_can_write_to_is_an_error(tmp_path: Path) -> None:
    if installed_version() != "6.8.0.2" or sys.platform != "linux":
        pytest.skip("only the engine for old systems needs links")
    folder = tmp_path / "rostrum" / "engine-libraries"
    folder.mkdir(parents=True)
    folder.chmod(0o777)

    said = in_process(EXAMINE, XDG_CACHE_HOME=str(tmp_path))

    assert said.startswith(f"error {folder} must be a folder that only its owner can write to")


def test_without_an_engine_the_reason_or_the_extra_is_named() -> None:
    code = (
        "import sys; import importlib.metadata as m; found = m.version;"
        "m.version = lambda name: (_ for _ in ()).throw(m.PackageNotFoundError(name)) if 'PySide6' in name"
        f" else found(name); {EXAMINE}"
    )

    assert in_process(code).startswith("skipped not installed desktops run without windows")
