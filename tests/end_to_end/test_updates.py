"""Installer builds from the installer to an update, its rollback, and archive builds, as real processes.

The bundles share the packages and the modules of this checkout; all else is as on a desk.
"""

import json
import socket
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rostrum.cli.updates import app
from rostrum.installation.build import BuildInfo, this_target
from rostrum.installation.launcher import State, read_state
from tests.end_to_end.packages import unpack
from tests.end_to_end.processes import PATIENCE, Running, clean_environment, serving
from tools.installer import archive, installer

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = f"""\
import sys
__path__.append({str(ROOT / "src" / "rostrum")!r})
sys.path.append({sysconfig.get_path("purelib")!r})
exec(open({str(ROOT / "src" / "rostrum" / "__init__.py")!r}).read())
__version__ = "{{version}}"
"""


def library(folder: Path, version: str, *, is_broken: bool = False) -> Path:
    package = folder / version / "rostrum"
    (package / "cli").mkdir(parents=True)
    (package / "__init__.py").write_text(PACKAGE.format(version=version))
    if is_broken:
        (package / "cli" / "__init__.py").write_text("raise ImportError('this version is broken')\n")
    else:
        (package / "cli").rmdir()
    return folder / version


def built(folder: Path, version: str, *, is_broken: bool = False) -> Path:
    file = folder / f"rostrum-{version}-{this_target()}.pyz"
    info = BuildInfo(version, this_target())
    return installer(library(folder, version, is_broken=is_broken), info, file, compression=zipfile.ZIP_STORED)


def configure(folder: Path, address: str, key: str) -> None:
    folder.mkdir()
    updater = {
        "enabled": True,
        "notifyUser": False,
        "publicKeys": [key],
        "updateSource": {"type": "Service", "baseUrl": address, "channel": "stable"},
    }
    system = {"gw": {"configuration": {"port": 0}}, "autoUpdater": updater}
    (folder / "system.json").write_text(json.dumps(system))


def output(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        command, cwd=cwd, env=clean_environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def publish(package: Path, folder: Path) -> None:
    options = ["--key", str(folder / "release.key"), "--to", str(folder / "feed")]
    done = CliRunner().invoke(app, ["publish", str(package), *options])
    assert done.exit_code == 0, done.output


def until(condition: Callable[[], bool], desktop: Running) -> None:
    """Wait for what the desktop makes true."""
    for _ in range(1200):
        if condition():
            return
        assert desktop.process.poll() is None, "".join(desktop.messages)
        time.sleep(0.05)
    raise AssertionError("".join(desktop.messages))


def requests(feed: Running) -> list[str]:
    """The paths that the test server was asked for."""
    return [line.split('"')[1].split()[1] for line in feed.messages if '"GET ' in line]


@pytest.mark.long
@pytest.mark.rule("R-2.7-2", "R-2.7-5")
@pytest.mark.timeout(300)
def test_an_installed_desktop_updates_itself_and_a_broken_update_is_rolled_back(tmp_path: Path) -> None:
    root, key = tmp_path / "installed here", tmp_path / "release.key"
    public = CliRunner().invoke(app, ["keygen", str(key)]).stdout.strip()
    assert output(sys.executable, built(tmp_path, "1.0.0"), "--to", root, cwd=tmp_path).startswith(
        "Installed Rostrum 1.0.0"
    )
    rostrum = root / "bin" / "rostrum"
    assert output(rostrum, "--version", cwd=tmp_path) == "rostrum 1.0.0 (installer build)"
    publish(built(tmp_path, "1.1.0"), tmp_path)

    with serving("updates", "serve", str(tmp_path / "feed"), "--port", "0") as feed:
        configure(root / "config", feed.address, public)
        with serving("desktop", "--headless", command=[str(rostrum)], cwd=tmp_path) as desktop:
            until(lambda: read_state(root) == State("1.1.0", previous="1.0.0", newest="1.1.0"), desktop)
            status = json.loads(output(rostrum, "desktop", "status", "--json", cwd=tmp_path))
            assert (status["productVersion"], status["ready"]) == ("1.1.0", True)
            assert desktop.stop() == 0
        assert "/linux/1.0.0/stable" in requests(feed) or sys.platform != "linux"

        reason = "it ended with exit code 1 before it was ready"
        publish(built(tmp_path, "1.2.0", is_broken=True), tmp_path)
        with serving("desktop", "--headless", command=[str(rostrum)], cwd=tmp_path) as desktop:
            until(lambda: read_state(root) == State("1.1.0", failed={"1.2.0": reason}, newest="1.2.0"), desktop)
            status = json.loads(output(rostrum, "desktop", "status", "--json", cwd=tmp_path))
            assert status["productVersion"] == "1.1.0"
            (step,) = (one for one in status["steps"] if one["name"] == "updates")
            assert "version 1.2.0 did not start and was rolled back" in step["note"]
            assert desktop.stop() == 0
        assert any(f"Version 1.2.0 does not start: {reason}" in line for line in desktop.messages)
        assert [path for path in requests(feed) if "1.2.0" in path] == [f"/stable/rostrum-1.2.0-{this_target()}.pyz"]
        assert sorted(path.name for path in (root / "versions").iterdir()) == ["1.1.0"]


@pytest.mark.long
@pytest.mark.rule("R-2.7-6")
def test_an_archive_states_that_it_does_not_update_itself_and_makes_no_request(tmp_path: Path) -> None:
    packed = archive(library(tmp_path, "1.0.0"), BuildInfo("1.0.0", this_target()), tmp_path / "a.tar.gz", level=0)
    unpack(packed, tmp_path)
    root = tmp_path / "rostrum-1.0.0"
    rostrum = root / "bin" / "rostrum"
    says = "Automatic updates are not available: this build was unpacked from an archive."
    assert output(rostrum, "--version", cwd=tmp_path) == "rostrum 1.0.0 (archive build, does not update itself)"
    with socket.create_server(("127.0.0.1", 0)) as feed:
        configure(root / "config", f"http://127.0.0.1:{feed.getsockname()[1]}", "ed25519:" + "A" * 43 + "=")
        with serving("desktop", "--headless", command=[str(rostrum)], cwd=tmp_path) as desktop:
            desktop.line_with("ready")
            assert desktop.stop() == 0
        assert any(says in line for line in desktop.messages)
        feed.setblocking(False)
        with pytest.raises(BlockingIOError):
            # Nobody has connected.
            feed.accept()
