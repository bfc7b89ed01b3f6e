"""The build of the admin UI is verified, and a build that cannot be made is explained in one line."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.admin_ui import npm_version
from tools.node import find_node

ROOT = Path(__file__).resolve().parents[2]
FINISH = ROOT / "admin-ui" / "scripts" / "finish.mjs"
PAGE = '<!doctype html><script type="module" crossorigin src="./assets/a.js"></script>'


def finish(folder: Path) -> subprocess.CompletedProcess[str]:
    node = find_node()
    command = node.command("node", "--no-warnings", "--experimental-vm-modules", str(FINISH), str(folder))
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "assets" / "a.js").write_text('import { b } from "./b.js"; import("./lazy.js"); b();')
    (tmp_path / "assets" / "b.js").write_text("export const b = () => 1;")
    (tmp_path / "assets" / "lazy.js").write_text("export default 1;")
    return tmp_path


def test_a_usable_build_is_compressed_and_listed(build: Path) -> None:
    done = finish(build)

    assert (done.returncode, done.stderr) == (0, "")
    files = {path.relative_to(build).as_posix() for path in build.rglob("*") if path.is_file()}
    assert "assets/a.js.br" in files
    assert set(json.loads((build / "verified.json").read_text())["files"]) == files - {"verified.json"}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("assets/b.js", "export const b = () => {", "assets/b.js does not parse: Unexpected end of input"),
        ("assets/b.js", "export const c = 1;", "The requested module './b.js' does not provide an export named 'b'"),
        ("assets/a.js", 'import "./gone.js";', "assets/a.js imports ./gone.js, which does not exist"),
        ("assets/a.js", "import(`./gone.js`)", "assets/a.js imports ./gone.js, which does not exist"),
        ("index.html", PAGE.replace("a.js", "z.js"), "index.html names assets/z.js, which does not exist"),
        ("index.html", "<!doctype html>", "index.html starts no script"),
    ],
)
def test_an_unusable_build_fails_and_is_not_listed(build: Path, name: str, text: str, problem: str) -> None:
    (build / name).write_text(text)
    done = finish(build)

    assert (done.returncode, done.stderr) == (1, f"The build of the admin UI is unusable: {problem}\n")
    assert not (build / "verified.json").exists()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The parts of a source tree that the tool uses."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("requirements", "admin-ui"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "requirements" / "dev.txt", tmp_path / "requirements")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "admin-ui" / name, tmp_path / "admin-ui")
    return tmp_path


def install(checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [sys.executable, checkout / "tools" / "admin_ui.py", "install"]
    variables = {**os.environ, **environment}
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.long
def test_a_registry_that_cannot_be_reached_is_the_reason_in_one_line(checkout: Path, tmp_path: Path) -> None:
    # Port 9 of this machine refuses connections; the cache is empty, so npm has to ask.
    done = install(checkout, npm_config_registry="http://127.0.0.1:9/", npm_config_cache=str(tmp_path / "cache"))

    reason = "the npm package registry cannot be reached. Details: admin-ui/build.log"
    assert (done.returncode, done.stdout) == (1, f"The admin UI cannot be built: {reason}\n")
    assert "ECONNREFUSED" in (checkout / "admin-ui" / "build.log").read_text()


@pytest.mark.long
def test_a_lock_that_does_not_fit_is_the_reason_in_one_line(checkout: Path) -> None:
    package = checkout / "admin-ui" / "package.json"
    package.write_text(package.read_text().replace('"get-nonce": "1.0.1"', '"get-nonce": "1.0.0"'))
    done = install(checkout)

    assert done.returncode == 1
    assert done.stdout.startswith("The admin UI cannot be built: ")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.2.0", "0.2.0"),
        ("0.2.0.dev0", "0.2.0-dev.0"),
        ("0.2.0rc1", "0.2.0-rc.1"),
        ("1.0.0a2.dev3", "1.0.0-a.2.dev3"),
    ],
)
def test_versions_are_written_in_the_form_that_npm_requires(version: str, expected: str) -> None:
    assert npm_version(version) == expected
