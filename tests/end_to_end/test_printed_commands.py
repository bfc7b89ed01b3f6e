"""What the program prints for the reader to run, pasted into a shell in the same folder."""

import json
import os
import shlex
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.end_to_end.demo_folder import copy_demo
from tests.end_to_end.processes import PATIENCE, clean_environment, run, serving
from tests.plain_http import NO_TLS
from tests.real_manager import configuration


def paste(command: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        f"{command} {shlex.join(more)}",
        shell=True,
        cwd=folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def command_in(messages: list[str], words: str) -> str:
    (line,) = (message for message in messages if words in message)
    return line.partition("run: ")[2].strip()


@pytest.mark.long
def test_the_desktop_of_the_demo_starts_with_the_printed_command_and_is_found_in_the_same_folder(
    tmp_path: Path,
) -> None:
    copy_demo(tmp_path / "rostrum-demo")
    with serving("up", "--port", "0", "--no-simulation", cwd=tmp_path) as server:
        password = server.line_with("password").split()[1]
        printed = server.line_with("a desktop").partition("a desktop")[2].strip()
        server.line_with("ada.birch")
        credentials = tmp_path / "credentials"
        credentials.write_text(f"ada.birch:{password}")
        credentials.chmod(0o600)
        # Other tests may use the usual port of the gateway.
        system = tmp_path / "rostrum-demo" / "desk" / "config" / "system.json"
        system.write_text(json.dumps({**json.loads(system.read_text()), "gw": {"configuration": {"port": 0}}}))
        desktop = subprocess.Popen(
            [*shlex.split(printed), "--credentials", "credentials"],
            cwd=tmp_path,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            assert desktop.stdout is not None
            assert desktop.stdout.readline().startswith("ready: ")
            listed = run("desktop", "apps", "--json", cwd=tmp_path)
            assert listed.returncode == 0, listed.stderr
            assert json.loads(listed.stdout)["applications"]
            desktop.send_signal(signal.SIGTERM)
            assert desktop.wait(PATIENCE) == 0
        finally:
            if desktop.poll() is None:
                os.killpg(desktop.pid, signal.SIGKILL)
                desktop.wait(PATIENCE)
            if desktop.stdout is not None:
                desktop.stdout.close()
        assert server.stop() == 0


def served(config: str, folder: Path, user: str, password: str) -> tuple[int, list[str]]:
    """Run a manager, sign in, and stop it: the status of the answer, and all messages."""
    with serving("manager", "serve", "--config", config, cwd=folder) as server:
        status = httpx.get(f"{server.address}/me", auth=(user, password), timeout=PATIENCE, verify=NO_TLS).status_code
        assert server.stop() == 0
    return status, server.messages


@pytest.mark.long
def test_a_manager_without_users_names_the_command_that_adds_an_administrator(tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    config = configuration(tmp_path / "a folder", auth_basic={})
    status, messages = served(config, tmp_path, "admin", "any password")
    assert status == 401

    added = paste(command_in(messages, "no user can sign in"), tmp_path)

    assert added.returncode == 0, added.stderr
    status, messages = served(config, tmp_path, "admin", added.stdout.strip())
    assert status == 200
    assert not any("can sign in" in message for message in messages)


@pytest.mark.long
def test_a_changed_password_of_a_predefined_user_names_the_command_that_changes_it(tmp_path: Path) -> None:
    first, second = "the first password", "the second password"
    config = configuration(tmp_path, auth_basic={"predefinedUsers": [f"root:{first}"]})
    status, messages = served(config, tmp_path, "root", first)
    assert status == 200
    assert not any("is not used" in message for message in messages)

    config = configuration(tmp_path, auth_basic={"predefinedUsers": [f"root:{second}"]})
    status, messages = served(config, tmp_path, "root", first)
    assert status == 200
    assert not any(secret in message for secret in (first, second) for message in messages)
    changed = paste(command_in(messages, "'root' in the settings is not used"), tmp_path, "--generate")

    assert changed.returncode == 0, changed.stderr
    status, _ = served(config, tmp_path, "root", changed.stdout.strip())
    assert status == 200
