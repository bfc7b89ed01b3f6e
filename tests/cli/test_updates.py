"""rostrum updates as an administrator runs it."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from rostrum import __version__
from rostrum.cli.updates import app
from rostrum.installation.build import this_target
from tests.installation.bundles import bundle


def updates(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def test_a_key_is_created_once_and_signs_a_release(tmp_path: Path) -> None:
    created = updates("keygen", tmp_path / "release.key")
    assert created.exit_code == 0
    assert created.stdout.startswith("ed25519:")
    again = updates("keygen", tmp_path / "release.key")
    assert (again.exit_code, "already exists" in again.stderr) == (1, True)

    options = ["--key", tmp_path / "release.key", "--to", tmp_path / "feed"]
    published = updates("publish", bundle(tmp_path, "1.1"), *options, "--notes", "Faster")
    assert published.exit_code == 0
    assert f"Published version 1.1 ({this_target()})" in published.stderr
    assert {path.name for path in (tmp_path / "feed" / "stable").iterdir()} == {"latest.json", "1.1.pyz"}
    wrong = updates("publish", bundle(tmp_path, "1.2"), *options, "--channel", "../elsewhere")
    assert (wrong.exit_code, "--channel may contain" in wrong.stderr) == (2, True)


def test_a_build_that_was_not_installed_says_that_it_does_not_update_itself() -> None:
    shown = updates("status")
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"rostrum {__version__}\nAutomatic updates are not available")
    told = json.loads(updates("status", "--json").stdout)
    assert told == {"build": "package", "version": __version__, "updates": False}
    for command in (("rollback",), ("retry", "1.0")):
        refused = updates(*command)
        assert (refused.exit_code, "Automatic updates are not available" in refused.stderr) == (1, True)
