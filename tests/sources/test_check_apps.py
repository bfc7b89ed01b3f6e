"""App definitions in the check of a configuration: their form, and every member that windows cannot provide."""

import json
from pathlib import Path
from typing import Any

import pytest

from rostrum.contracts.apps.unsupported import UNSUPPORTED, WEB_GROUP_UNSUPPORTED
from rostrum.contracts.apps.window import WindowDetails
from rostrum.sources.check import check_paths

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


def found(path: Path) -> list[tuple[str, str, str]]:
    findings = check_paths([path], version="10.1")
    return [(one.severity.value, one.path, one.message) for one in findings]


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
    assert found(tmp_path / "clock.json") == [
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

    assert found(tmp_path / "all.json") == [
        ("warning", f"[0].details.{one.path}", f"is not supported: {one.reason}") for one in WEB_GROUP_UNSUPPORTED
    ]


def test_definitions_without_such_members_and_apps_of_other_types_are_fine(tmp_path: Path) -> None:
    usual = app(security={"webSecurity": True, "sandbox": True}, backgroundThrottling=True, allowExtensions=False)
    program = {"name": "tool", "type": "exe", "details": {"command": "tool", "jumpList": {"enabled": True}}}
    (tmp_path / "all.json").write_text(json.dumps([usual, program]))

    assert found(tmp_path / "all.json") == []


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
    paths = [(severity, path) for severity, path, _ in found(config)]
    assert paths == [
        ("error", "windows.responseHeaders"),
        ("error", "windows.security.permissions"),
        ("error", "[0].details.responseHeaders.X-Frame-Options"),
        ("error", "[0].details.responseHeaders.Content-Security-Policy"),
        ("error", "[1].details.url"),
    ]
    said = [message for _, _, message in found(config)]
    assert said[0] == f"X-Frame-Options, Content-Security-Policy: not supported, because {reason}"
    assert said[1].startswith("all: not a permission; use camera, ")
    assert said[2] == f"is not supported: {reason}"


def test_a_client_library_that_pages_shall_get_must_be_named(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text(json.dumps({"windows": {"autoInjectAPI": {"enabled": True}}}))

    ((severity, path, message),) = found(tmp_path)
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
