"""The unmodified desktop libraries against a whole platform: every call for windows, apps and the platform itself.

All calls of a library run in one Node process against one headless platform; ``calls.mjs`` has them. In the page of a
window, ``tests/windows/test_libraries.py`` makes the same calls.
"""

from typing import Any

import pytest

from rostrum.desktop.hosts.recording import RecordingHost
from tests.desktop.t42.libraries import LIBRARIES, PAGES, Reported, call_library, write_apps
from tests.desktop.test_platform import Desk, desk
from tools.node import find_node

__all__ = ["desk"]

NEW, OLD = LIBRARIES
ONLY_FULL = {"appAdded", "startAndWait"}
"""Calls that need events of apps, which clients get in the mode full only."""
NOT_IN_OLD = {
    "workspaceDrop",
    "clearPlacement",
    "clone",
    "docking",
    "dock",
    "dockedNowhere",
    "createGroups",
    "startedBy",
}
EXPECTED: dict[str, Any] = {
    "open": [True, "first", "First", f"{PAGES}/first", [10, 20, 300, 200], "normal", "flat", True],
    "openRelative": [310, 20, 100, 200],
    "openHidden": [True, False, True],
    "list": ["first", "node-client", "second"],
    "find": [True, "first"],
    "moveResize": [50, 60, 400, 300],
    "moveTo": [80, 70, 400, 300],
    "resizeTo": [80, 70, 410, 310],
    "center": [755, 385, 410, 310],
    "maximize": "maximized",
    "restore": "normal",
    "minimize": "minimized",
    "restoreAgain": "normal",
    "maximizeRestore": ["maximized", "normal"],
    "collapse": [True, False, True, False],
    "focus": [True, False, True],
    "hide": False,
    "show": True,
    "setVisible": True,
    "setTitle": ["Renamed", "Renamed"],
    "tooltip": "Tip",
    "setStyle": "Tab",
    "navigate": f"{PAGES}/next",
    "getURL": f"{PAGES}/next",
    "refresh": f"{PAGES}/next",
    "goBack": True,
    "goForward": True,
    "updateContext": {"a": 1, "b": 2},
    "setContext": {"c": 3},
    "onTop": True,
    "constraints": [{"minWidth": 200, "minHeight": 100, "maxWidth": 350}, 350],
    "zoom": [100, 110, 90, 200],
    "buttons": ["B", ["b"], 0],
    "getButtons": {
        "allowClose": True,
        "allowCollapse": False,
        "allowLockUnlock": False,
        "allowMaximize": True,
        "allowMinimize": True,
    },
    "icon": "data:image/png;base64,AAAA",
    "frameColor": "#102030",
    "flash": True,
    "lock": [True, False],
    "modal": True,
    "loader": True,
    "workspaceDrop": False,
    "place": [1700, 0, 220, 540],
    "clearPlacement": [755, 385, 350, 310],
    "print": True,
    "printToPDF": None,
    "download": f"{PAGES}/file",
    "devTools": True,
    "clone": [5, 6, {"copy": True}],
    "popup": [True, 10, 30, 50],
    "dialog": {"action": "clicked", "button": "negative"},
    "dialogOfUnknownType": "Dialogs of this type are not supported. Use YesNo, YesNoCancel, OkCancel, Ok.",
    "groups": True,
    "groupTitle": "Tab",
    "groupMaximize": ["maximized", "normal", False, True],
    "jumpList": False,
    "docking": [{"docked": False}, {"enabled": False, "claimScreenArea": False, "allowedPositions": ["top"]}],
    "configuration": {},
    "onClosing": [False, 1, True],
    "onRefreshing": "refresh: An app prevents the page from being loaded again.",
    "events": ["BoundsChanged", "CommandExecuted", "TitleChanged", "CommandExecuted"],
    "windowEvents": ["title", "context", "visible", "visible,zoom", "color", "maximized,normal", "locked", "url"],
    "onNavigating": [[f"{PAGES}/next"], f"{PAGES}/next"],
    "display": True,
    "snap": "snap: A window cannot be snapped to itself.",
    "attachTab": "attachTab: a window can be a tab of another window only",
    "detachTab": "detachTab: The window is not a tab of another window.",
    "sticky": "setSticky: window stickiness is not supported in the default mode; it needs the advanced mode",
    "resetButtons": False,
    "missingButton": "resetButtons: allowCollapse: The caption bar has no such button.",
    "dock": [{"docked": True, "position": "top", "claimScreenArea": False}, 0, 0, 100, True],
    "dockedNowhere": "dock: position must be one of top, bottom, left, right.",
    "flydown": "setFlydownArea: a flydown window is not supported in the default mode; it needs the advanced mode",
    "jumpListUpdate": "updateJumplist: a jump list is not supported in the default mode; it needs the advanced mode",
    "createGroups": "createGroups: frames must be an array of objects, with one entry at least.",
    "unknownCommand": {"errorMsg": "T42.Wnd.Execute has no command 'jump'."},
    "misspeltCommand": {"errorMsg": "T42.Wnd.Execute has no command 'maximise'. Did you mean maximize?"},
    "unknownWindow": {"errorMsg": 'There is no window "nobody\'s".'},
    "close": 0,
    "getInfo": [1, True],
    "applications": ["clock", "helper", "node-client"],
    "application": ["Clock", "window", "Shows the time", ["time"], {"team": "fx"}, 900, True, "flat"],
    "getConfiguration": 900,
    "getConfigurations": 3,
    "myApplication": "node-client",
    "start": "clock",
    "startedContext": {"zone": "Oslo"},
    "activate": [33, 44, 250, 150],
    "instances": True,
    "stop": False,
    "startAndWait": ["helper", True],
    "startUnknown": "there is no app 'nobody'",
    "inMemoryImport": [["made"], ["broken"]],
    "appAdded": "made",
    "inMemoryExport": ["made"],
    "inMemoryRemove": 0,
    "appRemoved": True,
    "inMemoryClear": 0,
    "region": "",
    "branch": "There are no branches to select.",
    "setRegion": "The region is set in the configuration of the desktop.",
    "branches": [[], ""],
    "user": "ann",
    "canI": [False, "None"],
    "unknownAppsCommand": "apps.command has no command 'fly'.",
    "about": "Rostrum",
    "telemetry": False,
    "registerInstance": {"registered": True},
    "feedback": {},
    "onShuttingDown": ["The shutdown is prevented by Client.", [[False, "test"]]],
    "done": True,
    "stray": [],
}
EXPECTED_OF_APPS: dict[str, Any] = {
    "appsMy": ["node-client", "autoStart"],
    "appsGet": ["clock", "window", "Clock", 900, 0, False],
    "appsGetNone": None,
    "appsGetMany": [["clock", "helper", "node-client"], ["clock"], ["helper"], ["clock"], ["clock"]],
    "appsHas": [True, False],
    "appsStart": {
        "date": True,
        "by": "application",
        "state": "started",
        "context": {"x": 1},
        "same": True,
        "found": "clock",
        "many": 1,
        "another": True,
        "afterwards": {"x": 2},
        "heard": ["started clock", "started", "stopped clock", "stopped"] * 2,
    },
    "appsWaitForReady": "ready",
    "appsStartUnknown": "APP_NOT_FOUND",
    "appsInMemory": [["temp"], ["bad"], True, ["added temp", "updated Two", "removed temp"]],
}


async def calls_of(desk: Desk, library: str, calls: list[str] | None = None, **client: Any) -> Reported:
    """Call a library as an app with a window; ``client`` are members of the app's definition."""
    write_apps(desk, **client)
    mode = "full" if calls is None or ONLY_FULL & {*calls} else None
    async with desk.running(node=find_node().node) as platform:
        running = await platform.services.instances.start("node-client")
        token = platform.running_gateway.app_tokens.token(running.id, running.app, running.type)
        return await call_library(platform, library, token, calls=calls, mode=mode)


@pytest.mark.long
async def test_every_call_of_the_newer_library_works_or_is_refused_at_once(desk: Desk) -> None:
    expected = {**EXPECTED, **EXPECTED_OF_APPS}
    reported = await calls_of(desk, NEW)
    assert reported["init"] == ["windows", "appManager", "apps"]
    assert {name: reported[name] for name in expected} == expected
    assert reported["startedBy"]["applicationName"] == "node-client"
    # Every call of the list is expected above, or in a test of rights.
    assert {*reported.values} - {*expected} == {"init", "my", "startedBy", "executeCode", "capture", "cookies", "log"}
    assert reported.errors == {}


@pytest.mark.long
async def test_the_older_library_works_with_its_defaults(desk: Desk) -> None:
    expected = {name: value for name, value in EXPECTED.items() if name not in ONLY_FULL | NOT_IN_OLD}
    reported = await calls_of(desk, OLD, ["init", *(name for name in expected if name != "stray")])
    assert reported["init"] == ["windows", "appManager"]
    assert {name: reported[name] for name in expected} == expected


@pytest.mark.long
async def test_rights_are_those_of_the_verified_app(desk: Desk) -> None:
    calls = ["init", "open", "executeCode", "capture", "cookies", "log"]
    refused = await calls_of(desk, NEW, calls)
    for name, right in (("executeCode", "allowScriptExecution"), ("capture", "allowCapture")):
        assert f"Set {right} to true in its definition" in refused[name]["errorMsg"]
    assert "Set allowCookiesManipulation to true" in refused["cookies"]
    assert refused["log"] == {"logged": False}
    asked = [about for what, about in desk.host.calls if what == "act"]
    assert asked == []


@pytest.mark.long
async def test_an_app_with_rights_uses_them(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    rights = ("allowScriptExecution", "allowCapture", "allowCookiesManipulation", "allowLogging")
    calls = ["init", "open", "executeCode", "capture", "cookies", "log"]
    reported = await calls_of(desk, NEW, calls, **dict.fromkeys(rights, True))
    assert reported["executeCode"] == {"result": None}
    assert reported["capture"] == {"data": None}
    assert (reported["cookies"], reported["log"]) == ([], {"logged": True})
    asked = [type(action).__name__ for what, about in desk.host.calls if what == "act" for _, action in [about]]
    assert asked == ["RunScript", "Capture", "GetCookies"]
    # One message is one line of the log.
    logged = [one.getMessage() for one in caplog.records if one.name == "rostrum.apps"]
    assert "node-client: me hello\\nthere" in logged


@pytest.mark.long
async def test_windows_of_the_apps_own_origin_are_instances_and_others_get_nothing(desk: Desk) -> None:
    write_apps(desk)
    async with desk.running() as platform:
        running = await platform.services.instances.start("node-client")
        token = platform.running_gateway.app_tokens.token(running.id, running.app, running.type)
        await call_library(platform, NEW, token, calls=["init", "open"])
        await call_library(
            platform,
            NEW,
            platform.running_gateway.app_tokens.token(running.id, running.app, running.type),
            calls=["init", "open"],
            pages="https://elsewhere.example.com",
        )
        own, foreign = [one for one in platform.services.windows.registry.all if one.name == "first"]
        host = platform.host
        assert isinstance(host, RecordingHost)
        instance = platform.services.instances.get(own.id)
        assert instance is not None
        assert (own.app, instance.opener, instance.started_by.instance) == ("node-client", running.id, running.id)
        assert host.windows[own.id].access is not None
        assert (foreign.app, platform.services.instances.get(foreign.id)) == ("", None)
        assert host.windows[foreign.id].access is None


@pytest.mark.long
@pytest.mark.parametrize("library", LIBRARIES)
async def test_a_library_with_its_defaults_is_ready_long_before_it_would_give_up(desk: Desk, library: str) -> None:
    """A method or a stream that is missing costs at least ten seconds. A busy machine gets five attempts."""
    write_apps(desk)
    async with desk.running() as platform:
        running = await platform.services.instances.start("node-client")
        for _ in range(5):
            token = platform.running_gateway.app_tokens.token(running.id, running.app, running.type)
            if (await call_library(platform, library, token, calls=["seconds"]))["seconds"] < 3:
                return
    pytest.fail("not ready within 3 s in any of five attempts")
