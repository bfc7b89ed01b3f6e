"""Files checked against the catalogue, with the place of each problem."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rostrum.contracts.apps.unsupported import UNSUPPORTED, WEB_GROUP_UNSUPPORTED
from rostrum.contracts.apps.window import WindowDetails
from rostrum.settings.kinds import SettingsFile
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


def test_every_problem_is_reported_with_its_place_in_the_order_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text(FILE)

    assert found(tmp_path) == [
        (3, 14, "warning", "splash.timout"),
        (3, 30, "error", "splash.width"),
        (4, 37, "error", "windowManagement.snapping.edgeDistance"),
    ]


def test_every_line_about_a_file_of_an_existing_installation_is_informative() -> None:
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

    findings = check_paths(paths, version="9.15", taken_for=SettingsFile.SYSTEM)

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

    assert (finding.severity.value, finding.message.partition(":")[0]) == ("error", "contains no configuration file")


def test_a_missing_setting_is_reported_where_it_would_be(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text('{"autoUpdater":\n  {"enabled": true}}')
    (tmp_path / "env.json").write_text("[]")

    assert found(tmp_path) == [(0, 0, "error", ""), (1, 2, "error", "autoUpdater.updateSource")]


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "system.json").mkdir()

    (finding,) = check_paths([tmp_path], version="10.1")

    assert (finding.severity.value, finding.message) == ("error", "is a folder where a file should be")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "system.json")

    (finding,) = check_paths([tmp_path], version="10.1")

    assert finding.message == "is not a regular file"


VALUES: dict[str, Any] = {
    "backgroundThrottling": False,
    "security.webSecurity": False,
    "security.sandbox": False,
    "processAffinity": "one",
    "jumpList": {"enabled": True},
    "taskbar": {"allowPin": True},
    "borderColor": "red",
    "backgroundColor": "red",
    "visibleAreas": [{"left": 0, "top": 0, "width": 5, "height": 5}],
    "placement.display": 2,
    "nativeWindowOpenOptions": {"mode": "flat"},
    "urlLoadOptions.postData": [{"type": "base64", "data": "eA=="}],
    "urlLoadOptions.queryString": "x=1",
    "security.onCertificateError.reportURL": "https://firm.example/errors",
    "urlLoadOptions.baseURLForDataURL": "https://firm.example",
    "print": {"enabled": True},
    "printToPdfSettings": {"landscape": True},
    "cascade": {"enabled": True, "offset": 20},
    "allowUnstick": False,
    "tabSelected": False,
    "collapseHeight": 40,
    "tabWidth": 120,
    "relativeTo": "w-1",
    "stickyGroup": "desk",
    "stickyFrameColor": "red",
    "sizeAreaThickness": "5, 5, 5, 5",
    "startLocation.stuck": True,
    "userAgent": "Desk",
    "urlLoadOptions.userAgent": "Desk",
    "urlLoadOptions.httpReferrer": "https://firm.example",
}
BESIDE: dict[str, Any] = {"startLocation": {"location": "center"}, "placement": {"snapped": True}}
"""What else a member must have to be valid."""
WITHOUT_EFFECT = {
    "allowForward": "There are no activities.",
    "contextMenuMode": "Every menu looks the same.",
    "serviceWindow": "It never had an effect.",
    "relativeDirection": "It has a meaning beside relativeTo only.",
    "saveCurrentTitleInLayout": "Layouts keep the titles that people and code have set.",
    "hideGroupHeader": "Of groups.",
    "isSticky": "Of groups.",
}
"""Members that need not be refused."""
OTHERWISE_READ = {
    "openInBrowser",
    "responseHeaders",
    *(f"moveArea{side}Margin" for side in ("Left", "Top", "Right", "Bottom")),
}
"""Members whose names the source does not contain as they are, or that the browser platform reads."""


def app(**details: Any) -> dict[str, Any]:
    return {"name": "clock", "type": "window", "details": {"url": "https://firm.example", **details}}


def messages_of(path: Path) -> list[tuple[str, str, str]]:
    findings = check_paths([path], version="10.1")
    return [(one.severity.value, one.path, one.message) for one in findings]


@pytest.mark.usual(15)
@pytest.mark.parametrize("one", UNSUPPORTED, ids=lambda one: one.path)
def test_a_member_that_windows_cannot_provide_is_refused_by_name_with_the_reason(tmp_path: Path, one: Any) -> None:
    steps = one.path.split(".")
    value = VALUES.get(one.path, True)
    details: Any = value
    for step in reversed(steps):
        details = {step: details}
    for name, members in BESIDE.items():
        if name in details:
            details[name] |= members
    (tmp_path / "clock.json").write_text(json.dumps(app(**details)))

    severity = "error" if one.never else "warning"
    assert messages_of(tmp_path / "clock.json") == [
        (severity, f"details.{one.path}", f"is not supported: {one.reason}"),
    ]


def test_members_without_effect_for_the_page_of_web_groups_are_named_with_the_reason(tmp_path: Path) -> None:
    members = {
        "pool": {"min": 3}, "preloadScripts": ["https://firm.example/a.js"],
        "injectedStyles": {"styles": [{"url": "https://firm.example/a.css"}]}, "autoInjectAPI": {"enabled": True},
        "retryFailedMessage": "no", "captureErrors": True, "navigationResponseTimeoutSeconds": 10,
    }  # fmt: skip
    drawn = {**app(**members), "type": "webGroup"}
    usual = {**app(useOSSystemButtons=True, navigationResponseTimeoutSeconds=300), "type": "webGroup"}
    (tmp_path / "all.json").write_text(json.dumps([drawn, usual]))

    assert messages_of(tmp_path / "all.json") == [
        ("warning", f"[0].details.{one.path}", f"is not supported: {one.reason}") for one in WEB_GROUP_UNSUPPORTED
    ]


def test_definitions_without_such_members_and_apps_of_other_types_are_fine(tmp_path: Path) -> None:
    usual = app(security={"webSecurity": True, "sandbox": True}, backgroundThrottling=True, allowExtensions=False)
    program = {"name": "tool", "type": "exe", "details": {"command": "tool", "jumpList": {"enabled": True}}}
    (tmp_path / "all.json").write_text(json.dumps([usual, program]))

    assert messages_of(tmp_path / "all.json") == []


def test_rules_for_addresses_that_are_not_anchored_or_cannot_be_used_are_named(tmp_path: Path) -> None:
    rules = ("https://bank.example", r"^https://bank\.example/", r"bank\.example", "^https://bank.example/", "(a+")
    named = [{"navigation": {"allowed": rule}, "windowOpen": {"allowed": rule}} for rule in rules]
    (tmp_path / "all.json").write_text(json.dumps([app(**details) for details in named]))
    both = ("navigation.allowed", "windowOpen.allowed")
    expected = [(f"[{number}].details.{member}", "warning") for number in (2, 3, 4) for member in both]
    assert [(path, severity) for severity, path, _ in messages_of(tmp_path / "all.json")] == expected

    for number, rule in enumerate((*rules, 5)):
        file = tmp_path / "system.json"
        file.write_text(json.dumps({"windows": {"urlFilter": rule}}))
        found = [(severity, path) for severity, path, _ in messages_of(file)]
        assert found == ([] if number < 2 else [("warning", "windows.urlFilter")])


def test_each_response_header_is_refused_by_name_in_definitions_and_in_settings(tmp_path: Path) -> None:
    headers = {"X-Frame-Options": {"remove": True}, "Content-Security-Policy": {"remove": True}}
    config, apps = tmp_path / "config", tmp_path / "apps"
    config.mkdir()
    apps.mkdir()
    system = {
        "windows": {
            "responseHeaders": headers,
            "security": {"permissions": ["camera", "all"]},
        },
        "appStores": [{"type": "path", "details": {"path": "apps"}}, {"type": "path", "details": {"path": "none"}}],
    }
    (config / "system.json").write_text(json.dumps(system))
    (apps / "clock.json").write_text(json.dumps([app(responseHeaders=headers), {**app(), "details": {}}]))

    reason = "the browser engine cannot change the headers of responses, and TLS connections are not intercepted"
    paths = [(severity, path) for severity, path, _ in messages_of(config)]
    assert paths == [
        ("error", "windows.responseHeaders"),
        ("error", "windows.security.permissions"),
        ("error", "[0].details.responseHeaders.X-Frame-Options"),
        ("error", "[0].details.responseHeaders.Content-Security-Policy"),
        ("error", "[1].details.url"),
    ]
    said = [message for _, _, message in messages_of(config)]
    assert said[0] == f"X-Frame-Options, Content-Security-Policy: not supported, because {reason}"
    assert said[1].startswith("all: not a permission; use camera, ")
    assert said[2] == f"is not supported: {reason}"


def test_a_client_library_that_pages_should_get_must_be_named(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text(json.dumps({"windows": {"autoInjectAPI": {"enabled": True}}}))

    ((severity, path, message),) = messages_of(tmp_path)
    assert (severity, path) == ("warning", "windows.autoInjectAPI.enabled")
    assert "set library.source" in message


def test_the_guide_lists_every_member_that_windows_cannot_provide() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guide" / "windows.md").read_text("utf-8")

    assert [one.path for one in (*UNSUPPORTED, *WEB_GROUP_UNSUPPORTED) if f"`{one.path}`" not in guide] == []


def test_every_member_of_the_definition_of_a_window_has_an_effect_or_is_refused() -> None:
    desktop = Path(__file__).parents[2] / "src" / "rostrum" / "desktop"
    # Which options a caller may choose says nothing about their effect.
    files = [path for path in desktop.rglob("*") if path.suffix in (".py", ".js") and path.name != "window_opener.py"]
    source = "\n".join(path.read_text("utf-8") for path in files)
    known = {one.path.partition(".")[0] for one in UNSUPPORTED} | WITHOUT_EFFECT.keys() | OTHERWISE_READ
    members = [field.alias or name for name, field in WindowDetails.model_fields.items()]

    assert [one for one in members if one not in known and f'"{one}"' not in source] == []
