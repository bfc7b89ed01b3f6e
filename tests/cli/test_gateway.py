"""rostrum gateway on the command line, without a port of its own."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from rostrum.cli.gateway_settings import gateway_options, read_settings
from rostrum.cli.gateway_top import _view
from rostrum.cli.main import app
from rostrum.gateway.options import GatewayOptions
from rostrum.gateway.status_file import StatusFile
from rostrum.settings.settings import Settings


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def run(*arguments: str, text: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(app, ["gateway", *arguments], input=text)
    return result.exit_code, result.output


def options(folder: Path, configuration: dict[str, Any], **document: Any) -> GatewayOptions:
    path = folder / "config" / "system.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"gw": {"configuration": configuration}, **document}))
    return gateway_options(read_settings(path), folder)


def test_every_setting_reaches_the_gateway(folders: Path) -> None:
    found = options(
        folders,
        {
            "port": 0,
            "authentication": {"basic": {"usernameCaseSensitive": True}},
            "memory": {
                "dump_location": "dumps",
                "dump_prefix": "mine",
                "max_backups": 3,
                "memory_limit": 1000,
                "report_interval": 1500,
            },
            "limits": {"large_msg_threshold": 5, "max_connections": 7},
        },
    )

    assert (found.port, found.case_sensitive_users) == (0, True)
    memory = found.memory
    assert (memory.folder, memory.prefix, memory.most_snapshots) == (folders / "dumps", "mine", 3)
    assert (memory.limit, memory.interval) == (1000, 1.5)
    assert (found.limits.large_message, found.limits.connections) == (5, 7)


@pytest.mark.rule("R-2.10-1", "R-2.10-4", "R-2.10-7", "R-2.10-8", "L-D-3", "L-D-4", "L-8-4", "L-8-5", "L-8-6")
def test_the_defaults_are_the_specifications(folders: Path) -> None:
    found = gateway_options(Settings(), None)

    assert (found.port, found.case_sensitive_users, found.host) == (8385, False, "127.0.0.1")
    assert (found.memory.prefix, found.memory.most_snapshots) == ("gw", 10)
    assert (found.memory.limit, found.memory.interval) == (1073741824, 300.0)
    assert (found.limits.large_message, found.limits.connections) == (20000, None)
    # Users of a central gateway have one limit for all apps, whose names are not verified.
    assert not found.limits.has_shares
    assert found.memory.folder is not None
    assert found.memory.folder.name == "heapsnapshots"


def test_snapshots_go_to_the_user_data_folder_of_the_pair(folders: Path) -> None:
    found = options(folders, {}, env="DEMO", region="EU")
    assert found.memory.folder == folders / "UserData" / "DEMO-EU" / "heapsnapshots"


@pytest.mark.rule("R-2.10-3")
def test_the_misspelt_name_of_the_specification_wins(folders: Path) -> None:
    found = options(folders, {"memory": {"dump_locaton": "/a", "dump_location": "/b"}})
    assert found.memory.folder == Path("/a")


def test_a_configuration_with_mistakes_is_refused_with_their_places(folders: Path) -> None:
    path = folders / "system.json"
    path.write_text('{"gw": {"configuration": {"port": "x", "limits": {"max_conections": 3}}}, "splash": 7}')

    code, output = run("--config", str(path))

    assert code == 2
    assert "system.json:1:27: error: gw.configuration.port" in output
    assert "did you mean gw.configuration.limits.max_connections?" in output
    assert "splash" not in output


@pytest.mark.parametrize("content", [None, '{"gw":', "[]"])
def test_a_configuration_that_cannot_be_read_is_refused(folders: Path, content: str | None) -> None:
    path = folders / "system.json"
    if content is not None:
        path.write_text(content)

    code, output = run("--config", str(path))

    assert code == 2
    assert "system.json" in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host", "0.0.0.0"], "sign-ins must be checked"),
        (["--users", "a", "--manager", "http://b"], "cannot be used together"),
        (["--manager", "manager.example.com"], "--manager must be an address"),
        (["--port", "70000"], "65535"),
        (["--log-level", "loud"], "--log-level"),
    ],
)
def test_what_does_not_fit_together_is_said(arguments: list[str], words: str) -> None:
    code, output = run(*arguments)

    assert code == 2
    assert words in output


def test_a_users_file_that_is_missing_is_named(folders: Path) -> None:
    with pytest.raises(Exception, match=r"users\.json cannot be read"):
        CliRunner().invoke(
            app, ["gateway", "--port", "0", "--users", str(folders / "users.json")], catch_exceptions=False
        )


def test_users_are_added_with_a_made_up_or_a_given_secret(folders: Path) -> None:
    path = folders / "users.json"

    code, output = run("add-user", str(path), "ada", "--generate")
    assert code == 0
    assert len(output.split()[-1]) == 16
    assert run("add-user", str(path), "svc", "--secret-stdin", "--service", text="well hidden\n")[0] == 0
    assert run("add-user", str(path), "ben")[0] == 2
    for secret in ("", "x", "seven77"):
        code, output = run("add-user", str(path), "ben", "--secret-stdin", text=f"{secret}\n")
        assert (code, "at least 8 characters" in output) == (2, True)
    assert run("add-user", str(path), " ", "--generate")[0] == 2

    users = json.loads(path.read_text())["users"]
    assert set(users) == {"ada", "svc"}
    assert users["svc"]["service"] is True
    assert "hidden" not in path.read_text()


def test_top_reports_that_no_gateway_is_running() -> None:
    assert "No gateway of this user is running" in run("top")[1]
    assert "on port 4711" in run("top", "--port", "4711")[1]


def test_top_requires_a_port_if_several_are_running_and_reports_one_that_does_not_answer(folders: Path) -> None:
    for port in (1, 2):
        StatusFile(folders / "run" / "rostrum").write(f"ws://127.0.0.1:{port}", port)

    code, output = run("top")
    assert (code, "select one with --port: 1, 2" in output) == (2, True)
    assert "does not answer" in run("top", "--port", "1")[1]


def test_the_view_shows_rates_and_slow_readers_and_no_control_characters() -> None:
    from rich.console import Console

    peer = {
        "id": "p", "application": "evil\x1b[31m[red]", "user": "ada", "received": 0, "sent": 0, "unread": 0,
        "is_slow": False, "calls_waiting": 0, "calls_to_answer": 0,
    }  # fmt: skip
    method = {"name": "Demo", "server": "p", "application": "a", "uses": 0, "subscribers": 3}
    context = {"id": "c", "name": "ctx", "user": "ada", "members": 2, "changes": 0}
    counts = {"peers": 1, "contexts": 1, "received": 0, "received_bytes": 0, "frames": 0}
    before = {
        "address": "ws://x", "uptime": 1.0, "counts": counts,
        "peers": [peer], "methods": [method], "contexts": [context],
    }  # fmt: skip
    now = {
        **before,
        "counts": {**counts, "received": 200, "received_bytes": 20480, "frames": 400},
        "peers": [{**peer, "received": 20, "sent": 40, "unread": 2048, "is_slow": True}],
        "methods": [{**method, "uses": 60}],
        "contexts": [{**context, "changes": 80}],
    }
    console = Console(width=120, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(_view(now, before, 2.0))
    text = console.export_text()
    console.file.close()

    assert "in 100/s" in text
    assert "out 200/s" in text
    assert "10" in text
    assert "2 KiB" in text
    assert "slow" in text
    assert "evil·[31m[red]" in text
    assert "\x1b" not in text


def test_help_names_every_command() -> None:
    code, output = run("--help")

    assert code == 0
    assert "top" in output
    assert "add-user" in output
    assert isinstance(app, typer.Typer)
