"""rostrum updates as an administrator runs it."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import rostrum
from rostrum import __version__
from rostrum.cli.doctor import app as doctor
from rostrum.cli.find_config import find_desktop
from rostrum.cli.updates import app
from rostrum.installation.build import this_target
from rostrum.installation.versions import Installation
from rostrum.settings.parse import parse_system
from tests.installation.bundles import bundle


def updates(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def test_a_key_is_created_once_and_signs_a_release(tmp_path: Path) -> None:
    created = updates("keygen", tmp_path / "release.key")
    assert created.exit_code == 0
    assert created.stdout.startswith("ed25519:")
    again = updates("keygen", tmp_path / "release.key")
    assert (again.exit_code, "already exists" in again.stderr) == (1, True)

    options: list[str | Path] = ["--key", tmp_path / "release.key", "--to", tmp_path / "feed"]
    published = updates("publish", bundle(tmp_path, "1.1"), *options, "--notes", "Faster")
    assert published.exit_code == 0
    assert f"published version 1.1 ({this_target()})" in published.stderr
    assert {path.name for path in (tmp_path / "feed" / "stable").iterdir()} == {"latest.json", "1.1.pyz"}
    wrong = updates("publish", bundle(tmp_path, "1.2"), *options, "--channel", "../elsewhere")
    assert (wrong.exit_code, "--channel may contain" in wrong.stderr) == (2, True)


def test_a_build_that_was_not_installed_states_that_it_does_not_update_itself() -> None:
    shown = updates("status")
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"rostrum {__version__}\nAutomatic updates are not available")
    told = json.loads(updates("status", "--json").stdout)
    assert told == {"build": "package", "version": __version__, "updates": False}
    for command in (("rollback",), ("retry", "1.0")):
        refused = updates(*command)
        assert (refused.exit_code, "Automatic updates are not available" in refused.stderr) == (1, True)


@pytest.mark.long
def test_an_installation_shows_its_versions_and_returns_to_the_previous_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation = Installation(tmp_path / "rostrum")
    installation.prepare()
    for version in ("1.0", "1.1"):
        installation.add(bundle(tmp_path, version))
        installation.switch(version, trial=False)
    # This process runs as if it had been started from there.
    library = installation.root / "versions" / "1.1" / "lib"
    monkeypatch.setattr(rostrum, "__file__", str(library / "rostrum" / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    (installation.root / "config").mkdir()
    (installation.root / "config" / "system.json").write_text("{}")

    found = find_desktop(None)
    assert found is not None
    assert found.path == installation.root / "config"
    checked = CliRunner().invoke(doctor, [])
    assert "(installer build)" in checked.stdout
    assert "this installer build can update itself" in checked.stdout
    assert "current: 1.1\nprevious: 1.0\n" in updates("status").stdout

    assert updates("rollback").exit_code == 0
    assert installation.state().version == "1.0"
    assert "failed: 1.1: it was rolled back" in updates("status").stdout
    again = updates("rollback")
    assert again.exit_code == 1
    assert updates("retry", "1.1").exit_code == 0
    told = json.loads(updates("status", "--json").stdout)
    assert (told["build"], told["versions"], told["failed"]) == ("installer", ["1.0", "1.1"], {})
    assert updates("retry", "1.1").exit_code == 1


@pytest.mark.long
def test_diagnostics_of_an_archive_state_that_it_does_not_update_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "system.json").write_text("{}")
    (tmp_path / "build.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rostrum, "__file__", str(tmp_path / "lib" / "rostrum" / "__init__.py"))
    checked = CliRunner().invoke(doctor, ["--desktop-config", str(tmp_path / "config")])
    assert checked.exit_code == 0
    assert checked.stdout.startswith(f"rostrum {__version__} (archive build, does not update itself)\n")
    assert "updates: Automatic updates are not available: this build was unpacked from an archive." in checked.stdout


def test_the_guide_names_existing_commands_and_valid_settings() -> None:
    guide = (Path(__file__).parents[2] / "docs/guide/updates.md").read_text(encoding="utf-8")
    commands = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    assert set(re.findall(r"rostrum updates ([a-z]+)", guide)) == commands
    (settings,) = (text for text in re.findall(r"```json\n(.*?)```", guide, re.DOTALL) if "autoUpdater" in text)
    key = f"ed25519:{'A' * 43}="
    assert parse_system(json.loads(settings.replace("ed25519:…", key))).problems == ()
    for source in re.findall(r"\| `(\{.*?\})` \|", guide):
        assert parse_system({"autoUpdater": {"updateSource": json.loads(source)}}).problems == ()
