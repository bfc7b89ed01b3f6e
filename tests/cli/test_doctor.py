"""rostrum doctor as an operator runs it."""

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rostrum.cli.doctor import app
from tests.end_to_end.processes import PATIENCE, ROSTRUM, clean_environment, run
from tests.real_manager import manager


@pytest.mark.long
def test_a_running_manager_and_a_desktop_are_examined_together(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "system.json").write_text('{"gw": {"configuration": {"prot": 8385}}}')
    with manager(tmp_path) as running:
        port = int(running.address.rpartition(":")[2].partition("/")[0])
        document = json.loads(Path(running.file).read_text())
        (tmp_path / "rostrum.json").write_text(json.dumps({**document, "port": port}))
        both = run("doctor", "--json", cwd=tmp_path)
        alone = run("manager", "doctor", "--config", "rostrum.json", cwd=tmp_path)

    told = json.loads(both.stdout)
    checks = {(check["part"], check["check"]): check for check in told["checks"]}
    assert "the manager is running on" in checks["manager", "port"]["message"]
    assert checks["manager", "audit"]["verdict"] == "ok"
    assert "prot" in checks["desktop configuration", "configuration"]["message"]
    assert told["ok"] is (both.returncode == 0) is True
    # The tests' secret is no secret, and the file can be read by others: worth a warning, no more.
    assert alone.returncode == 0
    assert both.stderr == ""
    assert "warning  secrets: token.secret" in alone.stdout
    assert "\x1b" not in alone.stdout + alone.stderr
    assert document["token"]["secret"] not in both.stdout + alone.stdout


def test_what_is_wrong_ends_with_1_and_nothing_to_examine_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("API_AUTH_METHOD", raising=False)
    assert CliRunner().invoke(app).exit_code == 2
    (tmp_path / "rostrum.json").write_text("{}")
    wrong = CliRunner().invoke(app)
    assert wrong.exit_code == 1
    assert "auth_method" in wrong.stdout


@pytest.mark.long
def test_another_project_called_rostrum_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "lib" / "rostrum-0.1.0.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Name: rostrum\nVersion: 0.1.0\n")
    (tmp_path / "config").mkdir()
    monkeypatch.syspath_prepend(other.parent)

    examined = CliRunner().invoke(app, ["--json", "--desktop-config", str(tmp_path / "config")])

    found = json.loads(examined.stdout)["checks"][0]
    assert (found["part"], found["check"], found["verdict"]) == ("installation", "name", "warning")
    assert f"The distribution rostrum 0.1.0 in {other.parent} is another project" in found["message"]
    assert found["advice"] == f"remove {other.parent} from PYTHONPATH"


def test_a_folder_can_be_named_like_the_file_in_it(tmp_path: Path) -> None:
    (tmp_path / "rostrum.json").write_text("{}")
    (tmp_path / "empty").mkdir()
    folder = CliRunner().invoke(app, ["--json", "--config", str(tmp_path)])
    file = CliRunner().invoke(app, ["--json", "--config", str(tmp_path / "rostrum.json")])
    assert (folder.exit_code, folder.stdout) == (file.exit_code, file.stdout)
    assert "auth_method" in folder.stdout
    refused = CliRunner().invoke(app, ["--config", str(tmp_path / "empty")])
    assert (refused.exit_code, "does not contain rostrum.json" in refused.stderr) == (2, True)


def test_advice_for_several_problems_is_printed_once_after_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    document = {"auth_method": "basic", "port": "abc", "storre": "x", "token": {"secret": 5}}
    (tmp_path / "rostrum.json").write_text(json.dumps(document))

    lines = CliRunner().invoke(app).stdout.splitlines()
    advice = [number for number, line in enumerate(lines) if "config schema manager` describes all settings" in line]
    errors = [number for number, line in enumerate(lines) if line.startswith("error ")]
    results = json.loads(CliRunner().invoke(app, ["--json"]).stdout)["checks"]

    assert len(errors) > 3
    assert len(advice) == 1
    assert advice[0] > errors[-1]
    assert lines[advice[0] + 1].startswith("skipped")
    # Programs find the advice at each problem.
    assert all("describes all settings" in one["advice"] for one in results if one["verdict"] == "error")


def test_further_lines_of_a_message_are_indented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rostrum.json").write_text("{}")

    lines = CliRunner().invoke(app).stdout.splitlines()
    added = [line for line in lines if '"auth_method": "basic"' in line or "or set the environment variable:" in line]

    assert len(added) >= 2
    assert all(line.startswith(" " * 13) for line in added)


def test_an_empty_folder_is_answered_with_the_searched_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("API_AUTH_METHOD", raising=False)
    monkeypatch.delenv("ROSTRUM_CONFIG", raising=False)

    lines = CliRunner().invoke(app).stderr.splitlines()

    assert lines[:4] == [
        "error: No configuration of the manager or the desktop was found.",
        f"The command searched {Path.cwd()} and the environment variables:",
        "- ROSTRUM_CONFIG: not set",
        "- for the manager: rostrum.json, rostrum-demo/rostrum.json, and the environment variable API_AUTH_METHOD",
    ]
    assert "Next steps:" in lines


@pytest.mark.long
def test_output_that_is_read_only_in_part_causes_no_error(tmp_path: Path) -> None:
    assert run("manager", "init", cwd=tmp_path).returncode == 0
    assert run("manager", "migrate", cwd=tmp_path).returncode == 0
    command = [*ROSTRUM, "manager", "doctor"]
    environment = clean_environment()
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        # The next line cannot be written, while the database is open.
        assert any(line.startswith("ok       database: connected") for line in process.stdout)
        process.stdout.close()
        messages = process.stderr.read()
        process.wait(PATIENCE)

    assert "Traceback" not in messages
    assert "asynchronous generator" not in messages
