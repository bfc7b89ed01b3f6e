"""Which configuration a command uses, and what it says if there is none."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from rostrum.cli.config import app as config_app
from rostrum.cli.desktop import app as desktop_app
from rostrum.cli.find_config import Found, find_desktop, find_manager
from rostrum.sources.errors import LocalConfigIncomplete
from rostrum.sources.gilding import FILES_NEEDED_LOCALLY, KEYS_NEEDED_LOCALLY
from tests.end_to_end.processes import run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("ROSTRUM_CONFIG", "API_AUTH_METHOD", "API_AUTH_METHOD_FILE"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def put(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("{}")


def manager_path(named: Path | None = None) -> str | None:
    found = find_manager(named)
    assert found is not None
    return None if found.path is None else found.path.as_posix()


def test_the_managers_configuration_is_taken_from_the_first_place_that_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_manager(None) is None

    put("rostrum-demo/rostrum.json")
    assert manager_path() == "rostrum-demo/rostrum.json"
    # A configuration that somebody wrote, even in variables, is never replaced by the demo.
    monkeypatch.setenv("API_AUTH_METHOD", "basic")
    assert manager_path() is None
    put("rostrum.json")
    assert manager_path() == "rostrum.json"
    put("other/manager.json", "folder/rostrum.json")
    monkeypatch.setenv("ROSTRUM_CONFIG", "folder")
    assert manager_path() == "folder/rostrum.json"
    monkeypatch.setenv("ROSTRUM_CONFIG", "other/manager.json")
    assert manager_path() == "other/manager.json"
    assert manager_path(Path("named.json")) == "named.json"


def test_the_desktops_configuration_is_taken_from_the_first_place_that_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def path(named: Path | None = None) -> str:
        found = find_desktop(named)
        assert found is not None
        assert found.path is not None
        return found.path.as_posix()

    assert find_desktop(None) is None
    put("rostrum-demo/desk/config/system.json")
    assert path() == "rostrum-demo/desk/config"
    put("config/system.json")
    assert path() == "config"
    # The demo's folder has both kinds, as the current folder may have.
    put("rostrum-demo/rostrum.json")
    monkeypatch.setenv("ROSTRUM_CONFIG", "rostrum-demo")
    assert path() == "rostrum-demo/desk/config"
    assert manager_path() == "rostrum-demo/rostrum.json"
    monkeypatch.setenv("ROSTRUM_CONFIG", "rostrum-demo/desk/config")
    assert path() == "rostrum-demo/desk/config"
    # A file of the manager says nothing about a desktop.
    monkeypatch.setenv("ROSTRUM_CONFIG", "rostrum-demo/rostrum.json")
    assert path() == "config"
    assert path(Path("named")) == "named"


@pytest.mark.rule("R-2.6-1", "R-2.9-13")
def test_a_9_0_installation_is_found_by_its_product_folder_and_its_gilding_file_is_an_argument(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path("Product", "Desktop", "config")
    put("Product/Desktop/config/system.json", "Other/Desktop/notes.txt", "rostrum-demo/desk/config/system.json")
    found = find_desktop(None)
    assert found is not None
    assert (found.path, found.is_here) == (folder, True)
    for named in (here, here / "Product"):
        assert find_desktop(named) == Found(here / folder)
        monkeypatch.setenv("ROSTRUM_CONFIG", str(named))
        assert find_desktop(None) == Found(here / folder, "from ROSTRUM_CONFIG")
    monkeypatch.delenv("ROSTRUM_CONFIG")

    arguments = ["fetch", "--json", "--version", "9.9", "--gildingConfigFile=mine.json"]
    fetched = CliRunner().invoke(config_app, arguments)
    assert fetched.exit_code == 1
    assert "mine.json" in fetched.stderr
    (folder / "mine.json").write_text('{"remoteConfig": {"enabled": 5}}')
    fetched = CliRunner().invoke(config_app, arguments)
    assert isinstance(fetched.exception, LocalConfigIncomplete)
    for name in FILES_NEEDED_LOCALLY:
        (folder / name).write_text("{}")
    (folder / "logger.json").write_text('{"appenders": {}, "categories": {}}')
    (folder / "system.json").write_text(json.dumps(dict.fromkeys(KEYS_NEEDED_LOCALLY)))
    fetched = CliRunner().invoke(config_app, arguments)
    assert fetched.exit_code == 0, fetched.output
    assert "remoteConfig.enabled" in [one["path"] for one in json.loads(fetched.stdout)["problems"]]
    (folder / "mine.json").rename(folder / "gilding.json")
    started = CliRunner().invoke(desktop_app, ["--headless", "--version", "9.9", "--gildingConfigFile=mine.json"])
    assert "mine.json" in str(started.exception)

    put("Second/Desktop/config/system.json")
    with pytest.raises(typer.Exit):
        find_desktop(None)
    assert "several product folders" in capsys.readouterr().err


@pytest.mark.parametrize(("value", "words"), [("gone", "does not exist"), ("empty", "contains neither")])
def test_a_variable_that_names_no_configuration_is_refused(
    value: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put("rostrum.json", "config/system.json")
    Path("empty").mkdir()
    monkeypatch.setenv("ROSTRUM_CONFIG", value)
    for find in (find_manager, find_desktop):
        with pytest.raises(typer.Exit) as ended:
            find(None)
        assert ended.value.exit_code == 2
        assert words in capsys.readouterr().err


def test_commands_need_no_option_for_a_configuration_that_they_find_here(monkeypatch: pytest.MonkeyPatch) -> None:
    put("rostrum.json", "other/rostrum.json")
    here = find_manager(None)
    monkeypatch.setenv("ROSTRUM_CONFIG", "other")
    from_variable, named = find_manager(None), find_manager(Path("rostrum.json"))

    assert here is not None
    assert here.command_line.options == ()
    # Another terminal may not have the variable.
    assert from_variable is not None
    assert from_variable.command_line.options == ("--config", str(Path("other", "rostrum.json")))
    assert named is not None
    assert named.command_line.options == ("--config", "rostrum.json")


@pytest.mark.long
def test_commands_work_in_the_folder_of_the_demo_and_state_what_they_use(here: Path) -> None:
    assert run("manager", "init", "--dir", "rostrum-demo", cwd=here).returncode == 0
    (here / "rostrum-demo" / "desk" / "config").mkdir(parents=True)
    (here / "rostrum-demo" / "desk" / "config" / "system.json").write_text('{"splash": {"width": 7}}')

    assert run("manager", "migrate", cwd=here).returncode == 0
    added = run("manager", "user", "add", "ann", "--generate", cwd=here)
    listed = run("manager", "user", "list", "--json", cwd=here)
    checked = run("config", "check", cwd=here)
    explained = run("config", "explain", "splash.width", cwd=here)
    fetched = run("config", "fetch", "--json", cwd=here)
    status = run("desktop", "status", cwd=here)
    mistaken = run("config", "check", "config", cwd=here)

    manager = f"using the configuration {Path('rostrum-demo', 'rostrum.json')} (the demo in the current folder)\n"
    desktop = f"using the configuration {Path('rostrum-demo', 'desk', 'config')} (the demo in the current folder)\n"
    assert added.stderr.startswith(manager)
    assert (listed.stderr, [user["id"] for user in json.loads(listed.stdout)]) == ("", ["ann"])
    assert (checked.returncode, checked.stderr) == (0, f"{desktop}fine\n")
    assert explained.stdout.startswith("splash.width = 7\n")
    assert explained.stderr.startswith(desktop)
    assert (fetched.stderr, json.loads(fetched.stdout)["settings"]["splash"]["width"]) == ("", 7)
    assert (status.returncode, status.stderr.startswith(desktop)) == (1, True)
    assert (mistaken.returncode, "config check rostrum-demo/desk/config" in mistaken.stderr) == (2, True)


@pytest.mark.parametrize(
    "command",
    [("manager", "user", "list"), ("config", "check"), ("config", "fetch"), ("desktop", "apps"), ("doctor",)],
    ids=" ".join,
)
def test_without_a_configuration_every_place_and_what_to_do_is_named(here: Path, command: tuple[str, ...]) -> None:
    refused = run(*command, cwd=here)

    assert (refused.returncode, refused.stdout) == (2, "")
    words = ["ROSTRUM_CONFIG", "--config", str(here)]
    words += [] if command[0] in ("config", "desktop") else ["rostrum.json", "API_AUTH_METHOD", "manager init"]
    words += [] if command[0] == "manager" else [str(Path("rostrum-demo", "desk", "config")), "config/system.json"]
    assert [word for word in words if word not in refused.stderr] == []
    assert list(here.iterdir()) == []
