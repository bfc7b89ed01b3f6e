"""Files checked against the catalogue, with the place of each problem."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rostrum.settings.kinds import Kind
from rostrum.sources.check import check_paths

FILE = """{
  // JSON5 is taken
  "splash": {"timout": 5000, "width": "wide"},
  "windowManagement": {"snapping": {"edgeDistance": 99}},
}
"""


def found(path: Path, *, strict: bool = False) -> list[tuple[int, int, str, str]]:
    findings = check_paths([path], version="10.1", strict=strict)
    return [(finding.line, finding.column, finding.severity.value, finding.path) for finding in findings]


def test_every_problem_is_told_with_its_place_in_the_order_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text(FILE)

    assert found(tmp_path) == [
        (3, 14, "warning", "splash.timout"),
        (3, 30, "error", "splash.width"),
        (4, 37, "error", "windowManagement.snapping.edgeDistance"),
    ]


def test_every_line_about_a_file_of_an_existing_installation_says_what_to_know() -> None:
    existing = Path(__file__).parents[1] / "data" / "existing"

    findings = check_paths([existing], version="10.1")

    said = [f"{one.line}:{one.column}: {one.severity}: {one.path}: {one.message}" for one in findings]
    assert said == (existing / "expected.txt").read_text().splitlines()


def test_strictly_an_unknown_key_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text(FILE)

    assert found(tmp_path, strict=True)[0][2] == "error"


def test_a_syntax_error_shows_the_line(tmp_path: Path) -> None:
    (tmp_path / "themes.json").write_text('[\n  {"name": }\n]')

    (finding,) = check_paths([tmp_path], version="10.1")

    assert (finding.line, finding.severity.value) == (2, "error")
    assert finding.message == "a value is missing before '}'\n      {\"name\": }\n               ^"


def test_files_that_are_fine_have_no_problems(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text('{"splash": {"timeout": 1}}')
    (tmp_path / "channels.json").write_text("[]")
    (tmp_path / "themes.json").write_text("")

    assert found(tmp_path) == []


def test_a_custom_file_in_a_folder_is_noted_and_not_read(tmp_path: Path) -> None:
    (tmp_path / "custom.json").write_text('{"anything')

    (finding,) = check_paths([tmp_path], version="10.1")

    assert (finding.severity.value, finding.line) == ("note", 0)
    assert "only remote sources may bring" in finding.message


def test_of_a_file_that_is_named_and_not_known_the_syntax_is_checked(tmp_path: Path) -> None:
    (tmp_path / "apps.json").write_text('[{"a": 1, "a": 2}]')

    warning, note = check_paths([tmp_path / "apps.json"], version="10.1")

    assert (warning.path, warning.severity.value) == ("[0].a", "warning")
    assert (note.severity.value, "only its syntax was checked" in note.message) == ("note", True)


def test_a_file_of_any_name_is_taken_for_the_document_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "base.json").write_text(FILE)
    (tmp_path / "env.json").write_text('{"set": 5}')
    paths = [tmp_path / "base.json", tmp_path / "env.json"]

    findings = check_paths(paths, version="9.15", taken_for=Kind.SYSTEM)

    assert [one.path for one in findings] == [
        "splash.timout",
        "splash.width",
        "windowManagement.snapping.edgeDistance",
        "set",
    ]


def test_a_file_for_one_environment_and_region_is_checked_as_it_counts_over_the_base_file(tmp_path: Path) -> None:
    source = {"type": "StaticStorage", "baseUrl": "https://updates.example"}
    base = {"advancedMode": True, "autoUpdater": {"updateSource": source}, "splash": {"width": "wide", "height": "x"}}
    (tmp_path / "system.json").write_text(json.dumps(base))
    pair = {
        "windowManagement": {"flydownWindows": {"showDelay": 5}},
        "autoUpdater": {"enabled": True},
        "splash": {"width": "high"},
        "tray": {"enabled": 1},
    }
    (tmp_path / "system-DEMO-EMEA.json").write_text(json.dumps(pair))

    assert [path for *_, path in found(tmp_path / "system-DEMO-EMEA.json")] == ["splash.width", "tray.enabled"]
    (tmp_path / "system.json").write_text("{")
    alone = [path for *_, path in found(tmp_path / "system-DEMO-EMEA.json")]
    assert alone == ["windowManagement.flydownWindows", "autoUpdater.updateSource", "splash.width", "tray.enabled"]


SERVER_PATHS = ("appStores", "layouts.store.type", "applicationPreferences.store.type")
SERVER_STORES = {
    "appStores": [{"type": "server"}],
    "layouts": {"store": {"type": "server"}},
    "applicationPreferences": {"store": {"type": "server"}},
}


@pytest.mark.parametrize(
    ("document", "paths"),
    [
        ({"server": {"enabled": True}}, ["server.url"]),
        ({"server": {"enabled": True, "url": ""}}, ["server.url"]),
        ({"server": {"enabled": False}, **SERVER_STORES}, [*SERVER_PATHS]),
        (SERVER_STORES, [*SERVER_PATHS]),
        ({"server": {"enabled": True, "url": "https://manager.example/api"}, **SERVER_STORES}, []),
        ({"appStores": [{"type": "server", "isRequired": False}]}, []),
    ],
)
def test_a_manager_that_is_used_but_off_or_without_address_is_an_error(
    tmp_path: Path, document: Any, paths: list[str]
) -> None:
    (tmp_path / "system.json").write_text(json.dumps(document))
    assert [(severity, path) for *_, severity, path in found(tmp_path)] == [("error", path) for path in paths]
    # Another source, or the file of an environment and region, may have what is missing.
    (tmp_path / "system.json").write_text(json.dumps({**document, "systemConfigurations": {"sources": []}}))
    assert {severity for *_, severity, _ in found(tmp_path)} == ({"warning"} if paths else set())
    (tmp_path / "system.json").write_text(json.dumps(document))
    (tmp_path / "system-A-B.json").write_text('{"server": {"enabled": true, "url": "https://manager.example/api"}}')
    assert {severity for *_, severity, _ in found(tmp_path)} == ({"warning"} if paths else set())


def test_a_folder_without_files_is_not_fine(tmp_path: Path) -> None:
    (finding,) = check_paths([tmp_path], version="10.1")

    assert (finding.severity.value, finding.message.partition(":")[0]) == ("error", "holds no configuration file")


def test_what_is_not_written_is_told_where_it_would_stand(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text('{"autoUpdater":\n  {"enabled": true}}')
    (tmp_path / "env.json").write_text("[]")

    assert found(tmp_path) == [(0, 0, "error", ""), (1, 2, "error", "autoUpdater.updateSource")]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "system.json").mkdir()

    (finding,) = check_paths([tmp_path], version="10.1")

    assert (finding.severity.value, finding.message) == ("error", "is a folder where a file should be")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "system.json")

    (finding,) = check_paths([tmp_path], version="10.1")

    assert finding.message == "is not a regular file"
