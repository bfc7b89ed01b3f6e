"""Addresses that start the platform: which ones are opened, and their registration with the system."""

import configparser
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.address_handler import (
    AddressScheme,
    BadAddress,
    address_schemes,
    app_of_address,
    applications_folder,
    register_schemes,
)
from rostrum.desktop.errors import DesktopError

SCHEMES = address_schemes({"enabled": True, "protocol": "MyApp", "apps": ["clock", "a b&c", "--config=/tmp/x", 5]})
COMMAND = ('/opt/a "$b"`c`\\d%e/python', "-m", "rostrum", "desktop", "--config", "/home/ann/my config")


@pytest.mark.parametrize(
    ("address", "app"),
    [
        ("myapp:", None),
        ("myapp://", None),
        ("MYAPP://", None),
        ("myapp:app/clock", "clock"),
        ("myapp://app/clock", "clock"),
        ("myapp://app/clock/", "clock"),
        ("myapp://app/a%20b%26c", "a b&c"),
        # A value, which no command line reads.
        ("myapp://app/--config%3D%2Ftmp%2Fx", "--config=/tmp/x"),
    ],
)
def test_an_address_names_no_app_or_one_that_local_files_allow(address: str, app: str | None) -> None:
    assert app_of_address(address, SCHEMES) == app


@pytest.mark.parametrize(
    "address",
    [
        "",
        "clock",
        "--config=/tmp/evil",
        "-h",
        "myapp",
        "other://app/clock",
        "myapp://app/",
        "myapp://app/other",
        "myapp://app/Clock",
        "myapp://app/clock/../other",
        "myapp://app/..%2Fclock",
        "myapp://app/clock?context=%7B%7D",
        "myapp://app/clock&x=1",
        "myapp://app/clock#x",
        "myapp://app/clock --config=/tmp/evil",
        "myapp://app/clock\n--config=/tmp/evil",
        "myapp://app/clock\x00",
        "myapp://app/clock%00",
        "myapp://app/clock%0A",
        "myapp://app/clock%E2%80%AE",
        "myapp://app/clo%FFck",
        "myapp://app/clo\u0441k",
        "myapp://app/%63lock%2",
        "myapp://layout/clock",
        "myapp://user:password@app/clock",
        "myapp:////app/clock",
        "myapp:" + "app/" + "x" * 4000,
        "myapp://app/" + "%41" * 300,
        "file:///etc/passwd",
        "javascript:alert(1)",
    ],
)
def test_all_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(BadAddress) as refused:
        app_of_address(address, SCHEMES)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "protocol",
    [
        "https",
        "FILE",
        "mailto",
        "javascript",
        "x",
        "my app",
        "my;app",
        "my\napp",
        "1app",
        "../x",
        "a" * 40,
        "",
        5,
        None,
    ],
)
def test_schemes_of_other_programs_and_invalid_ones_are_ignored(protocol: Any) -> None:
    assert address_schemes([{"protocol": protocol}, {"protocol": "desk"}]) == (AddressScheme("desk", frozenset()),)


def test_disabled_schemes_and_other_values_are_ignored() -> None:
    assert address_schemes({"protocol": "desk", "enabled": False}) == ()
    assert address_schemes(None) == address_schemes("desk") == address_schemes([["desk"]]) == ()
    assert len(address_schemes([{"protocol": f"desk{number}"} for number in range(100)])) == 16


def entry(folder: Path) -> configparser.SectionProxy:
    (path,) = folder.iterdir()
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(path)
    return parser["Desktop Entry"]


def test_the_schemes_are_registered_once_and_removed_with_the_setting(tmp_path: Path) -> None:
    folder = tmp_path / "applications"
    assert not register_schemes(folder, "a", (), COMMAND)
    assert not folder.exists()
    schemes = address_schemes([{"protocol": "desk"}, {"protocol": "myapp"}])
    assert register_schemes(folder, "a", schemes, COMMAND)
    assert not register_schemes(folder, "a", schemes, COMMAND)
    assert entry(folder)["MimeType"] == "x-scheme-handler/desk;x-scheme-handler/myapp;"
    # Another configuration has its own entry.
    assert register_schemes(folder, "b", schemes[:1], COMMAND)
    assert register_schemes(folder, "b", (), COMMAND)
    assert register_schemes(folder, "a", (), COMMAND)
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell is installed")
def test_the_address_is_one_argument_after_the_option_and_paths_are_quoted(tmp_path: Path) -> None:
    register_schemes(tmp_path, "a", SCHEMES, COMMAND)
    value = entry(tmp_path)["Exec"].replace("\\\\", "\\")
    assert value.endswith(" --address %u")
    # The rules for quotation marks are those of a shell, with %% for a percent sign.
    script = f"printf '%s\\n' {value.removesuffix(' --address %u')}"
    arguments = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert arguments.replace("%%", "%").splitlines() == list(COMMAND)
    with pytest.raises(DesktopError, match="control characters"):
        register_schemes(tmp_path, "b", SCHEMES, ["/opt/python\nExec=/bin/evil"])


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_in_place_of_the_entry_is_replaced_and_its_target_is_not_changed(tmp_path: Path) -> None:
    folder = tmp_path / "applications"
    register_schemes(folder, "a", SCHEMES, COMMAND)
    (path,) = folder.iterdir()
    target = tmp_path / "target"
    target.write_text("content")
    for schemes in (SCHEMES, ()):
        path.unlink()
        path.symlink_to(target)
        assert register_schemes(folder, "a", schemes, COMMAND)
        assert not path.is_symlink()
        assert target.read_text() == "content"
        path.touch()


def test_the_folder_is_that_of_the_user() -> None:
    assert applications_folder({"XDG_DATA_HOME": "/data", "HOME": "/home/ann"}) == Path("/data/applications")
    home = Path("/home/ann/.local/share/applications")
    assert applications_folder({"XDG_DATA_HOME": "relative", "HOME": "/home/ann"}) == home
    assert applications_folder({"HOME": "relative"}) is None


@pytest.mark.skipif(shutil.which("xdg-mime") is None, reason="xdg-mime is not installed")
def test_the_system_finds_the_registered_program(tmp_path: Path) -> None:
    register_schemes(tmp_path / "data" / "applications", "a", SCHEMES, COMMAND)
    (path,) = (tmp_path / "data" / "applications").glob("*.desktop")
    variables = {"XDG_DATA_HOME": tmp_path / "data", "XDG_CONFIG_HOME": tmp_path / "config", "HOME": tmp_path}
    found = subprocess.run(
        ["xdg-mime", "query", "default", "x-scheme-handler/myapp"],
        env={
            **os.environ,
            **{name: str(value) for name, value in variables.items()},
            "XDG_CURRENT_DESKTOP": "X-Generic",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert found.stdout.strip() == path.name
