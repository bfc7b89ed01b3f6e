"""Windows for client libraries: hostile arguments, tokens, identities and events, without a library."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import SetState
from rostrum.desktop.hosts.reports import ButtonClicked, MayClose, Moved
from rostrum.desktop.key_file import KeyFile
from rostrum.desktop.platform import Platform
from rostrum.desktop.t42.group_commands import GROUP_COMMANDS, WINDOW_COMMANDS
from rostrum.desktop.t42.window_commands import COMMANDS
from rostrum.desktop.windows.geometry import Bounds
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.local.methods import Invocation, LocalSubscription
from tests.desktop.t42.libraries import PAGES, write_apps
from tests.desktop.test_identities import signed_in
from tests.desktop.test_platform import APPS, Desk, desk, until

__all__ = ["desk"]

LONG = "x" * 3_000_000
HOSTILE: list[tuple[str, Any]] = [
    ("moveResize", 7),
    ("moveResize", "x"),
    ("moveResize", []),
    ("moveResize", {"bounds": 7}),
    ("moveResize", {"bounds": {"left": "x"}}),
    ("moveResize", {"bounds": {"left": True}}),
    ("moveResize", {"bounds": {"left": 1e300}}),
    ("moveResize", {"bounds": {"left": 900_000}}),
    ("moveResize", {"bounds": {"width": -5}}),
    ("setTitle", {"title": 7}),
    ("setTitle", {"title": ""}),
    ("setTitle", {"title": "x" * 1001}),
    ("setTitle", None),
    ("setTabTooltip", {"tabTooltip": "x" * 1001}),
    ("navigate", {"url": "javascript:alert(1)"}),
    ("navigate", {"url": "file:///etc/passwd"}),
    ("navigate", {"url": 7}),
    ("navigate", {"url": PAGES, "urlLoadOptions": []}),
    ("updateContext", {}),
    ("setSizeConstraints", {"minWidth": "x"}),
    ("setSizeConstraints", {"minWidth": 0}),
    ("setSizeConstraints", {"minWidth": 500, "maxWidth": 100}),
    ("setOnTop", {"onTop": "sometimes"}),
    ("setOnTop", {}),
    ("setModalState", {"isModal": "yes"}),
    ("setAllowWorkspaceDrop", {}),
    ("place", {"verticalAlignment": "sideways"}),
    ("place", {"width": "10 miles"}),
    ("place", {"left": True}),
    ("clearPlacement", {"newBounds": {"left": "x"}}),
    ("setZoomFactor", {"zoomFactor": "x"}),
    ("setZoomFactor", {"zoomFactor": 1}),
    ("setZoomFactor", {"zoomFactor": 1e9}),
    ("addButton", {"buttonId": "b"}),
    ("addButton", {"buttonId": "b" * 1001, "imageBase64": "AAAA"}),
    ("addButton", {"buttonId": "b", "imageBase64": LONG}),
    ("removeButton", "nobody's"),
    ("removeButton", {}),
    ("setIcon", {"dataURL": "https://example.com/icon.png"}),
    ("setIcon", {"dataURL": LONG}),
    ("setFrameColor", {"frameColor": 7}),
    ("resetButtons", {"allowClose": "no"}),
    ("resetButtons", 7),
    ("lockUnlock", {}),
    ("downloadURL", {"url": "file:///etc/passwd"}),
    ("executeCode", {"code": "1"}),
    ("captureScreenshot", {}),
    ("showPopupWindow", {"popupId": "nobody's"}),
    ("dock", {}),
    ("dock", {"position": "top", "height": "tall"}),
    ("dock", {"position": "top", "claimScreenArea": "yes"}),
    ("undock", {}),
    ("setDockingConfig", {"allowedPositions": "top"}),
    ("setDockingConfig", {"enabled": 1}),
    ("setFlydownArea", {}),
    ("setFlydownArea", {"zones": [7]}),
    ("setFlydownArea", {"zones": [{"id": "a", "windowId": "b", "bounds": {"left": "x"}}]}),
    ("clearFlydownWindowArea", {}),
    ("updateJumplist", {}),
    ("clone", {"context": 7}),
    ("clone", {"offset": {"left": "far"}}),
    ("showDialog", {"type": "YesNo"}),
    ("OnClosing", {}),
    ("snap", {}),
    ("snap", {"targetWindowId": "nobody's"}),
    ("snap", {"targetWindowId": 7, "snappingEdge": "left"}),
    ("ungroup", {}),
    ("ungroup", {"bounds": {"left": "far"}}),
    ("attachTab", {}),
    ("attachTab", {"sourceWindowId": "nobody's"}),
    ("detachTab", {}),
    ("detachTab", {"relativeTo": "nobody's"}),
    ("detachTab", {"bounds": 7}),
    ("pinTab", {}),
    ("unpinTab", {}),
    ("setTabHeaderVisible", {"toShow": "yes"}),
    ("setGroupTitle", {"title": "T"}),
    ("setGroupTitle", {"title": 7}),
    ("setGroupHeaderVisibility", {"toShow": True}),
    ("setGroupHeaderVisibility", {}),
    ("captureGroupScreenshot", {}),
    ("jump", {}),
    ("__init__", {}),
    (LONG, {}),
]
"""Commands with arguments that must be refused, and must change nothing."""
INVALID: list[dict[str, Any]] = [
    {},
    {"name": "x"},
    {"name": "x", "url": "javascript:alert(1)"},
    {"name": "x", "url": "file:///etc/passwd"},
    {"name": "x" * 1001, "url": PAGES},
    {"name": "x", "url": PAGES, "left": "far"},
    {"name": "x", "url": PAGES, "mode": "round"},
    {"name": "x", "url": PAGES, "context": 7},
    {"name": "x", "url": PAGES, "relativeTo": "nobody's"},
    {"name": 7, "url": PAGES},
]
"""Options with which no window is opened."""


@asynccontextmanager
async def client_of(desk: Desk, **rights: list[str]) -> AsyncIterator[tuple[Platform, LocalPeer, LocalSubscription]]:
    """A program of the user that the platform has not started, with the events of windows."""
    write_apps(desk)
    desk.system(**APPS, appRights=rights)
    async with desk.running() as platform:
        await platform.services.instances.start("clock", {"a": 1})
        peer = await platform.gateway.local_peer("client", "ann")
        yield platform, peer, await peer.methods.subscribe("T42.Wnd.OnEvent", {"withConfig": True})


async def events_of(subscription: LocalSubscription, last: str) -> list[dict[str, Any]]:
    """Return the events up to the one that carries a token."""
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(30):
        async for event in subscription:
            found.append(event)
            if event.get("token") == last:
                break
    return found


async def test_a_subscriber_gets_the_configuration_and_a_snapshot_first(desk: Desk) -> None:
    async with client_of(desk) as (_, peer, events):
        await peer.methods.call("T42.Wnd.Execute", {"command": "none", "token": "end"})
        configuration, snapshot, end = await events_of(events, "end")
        assert configuration == {"type": "Configuration", "windowAvailableOnURLChanged": True}
        (window,) = snapshot["windows"]
        assert (window["applicationName"], window["context"], window["state"]) == ("clock", {"a": 1}, "normal")
        assert window["bounds"] == {"left": 0, "top": 0, "width": 900, "height": 500}
        # A window that is alone is a group of one.
        assert (window["groupId"], window["isSticky"], end["type"]) == (window["id"], True, "CommandExecuted")


async def test_hostile_arguments_are_refused_and_change_nothing(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, events):
        registry = platform.services.windows.registry
        (window,) = registry.all
        done = len(desk.host.calls)
        for number, (command, options) in enumerate(HOSTILE):
            token = f"t{number}"
            call = {"command": command, "windowId": window.id, "options": options, "token": token}
            answer = await peer.methods.call("T42.Wnd.Execute", call)
            assert 0 < len(answer.get("errorMsg", "")) < 1000, (command[:50], str(options)[:100])
            assert (await events_of(events, token))[-1]["type"] == "CommandExecuted"
        assert registry.all == (window,)
        assert desk.host.calls[done:] == []


@pytest.mark.long
async def test_a_window_that_is_not_open_is_refused_for_every_command(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, _):
        done = len(desk.host.calls)
        for window, command in product((None, 7, "", "nobody's", ["x"]), (*COMMANDS, *WINDOW_COMMANDS)):
            answer = await peer.methods.call("T42.Wnd.Execute", {"command": command, "windowId": window})
            assert 0 < len(answer["errorMsg"]) < 1000, command
        for window, command in product((None, 7, "", "nobody's", LONG), GROUP_COMMANDS):
            answer = await peer.methods.call("T42.Group.Execute", {"command": command, "groupId": window})
            assert 0 < len(answer["errorMsg"]) < 1000, command
        assert desk.host.calls[done:] == []
        assert len(platform.services.windows.registry.all) == 1


async def test_windows_with_invalid_options_are_not_opened(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, _):
        for options in INVALID:
            with pytest.raises(CallFailed) as refused:
                await peer.methods.call("T42.Wnd.Create", options)
            assert len(str(refused.value)) < 1000
        assert len(platform.services.windows.registry.all) == 1


async def test_options_that_only_a_definition_may_set_are_ignored(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, _):
        forbidden = {
            "preloadScripts": ["https://evil.example.com/x.js"],
            "security": {"webSecurity": False},
            "allowCookiesManipulation": True,
            "autoInjectAPI": {"enabled": True},
            "devToolsEnable": True,
        }
        opened = await peer.methods.call("T42.Wnd.Create", {"name": "x", "url": f"{PAGES}/x", **forbidden})
        request = desk.host.windows[opened["id"]]
        assert not forbidden.keys() & request.details.keys()
        assert (request.access, platform.services.instances.get(opened["id"])) == (None, None)
        # Its size and place are complete, although the caller set none.
        assert (request.bounds or Bounds(0, 0, 0, 0)).width == 400
        await peer.methods.call(
            "T42.Wnd.Execute", {"command": "setTitle", "windowId": opened["id"], "options": {"title": "T"}}
        )
        assert desk.host.titles[opened["id"]] == "T"
        closed = await peer.methods.call("T42.Wnd.Execute", {"command": "close", "windowId": opened["id"]})
        assert (closed, opened["id"] in desk.host.windows) == ({"closed": True}, False)


async def test_a_caller_does_not_choose_the_file_that_is_written(desk: Desk) -> None:
    async with client_of(desk, printing=["*"], downloads=["*"]) as (platform, peer, _):
        (window,) = platform.services.windows.registry.all
        options = {"filePath": "/etc/passwd.pdf", "landscape": True}
        await peer.methods.call("T42.Wnd.Execute", {"command": "printToPDF", "windowId": window.id, "options": options})
        given = {"url": f"{PAGES}/x", "options": {"path": "/etc", "savePath": "/etc/x", "silent": True}}
        await peer.methods.call("T42.Wnd.Execute", {"command": "downloadURL", "windowId": window.id, "options": given})
        written = [action.options for what, about in desk.host.calls if what == "act" for _, action in [about]]
        assert written == [{"landscape": True}, {"silent": True}]


async def test_what_a_person_does_is_an_event_for_every_subscriber(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, events):
        (window,) = platform.services.windows.registry.all
        button = {"buttonId": "mail", "imageBase64": "AAAA", "order": 2}
        call = {"command": "addButton", "windowId": window.id, "options": button, "token": "added"}
        await peer.methods.call("T42.Wnd.Execute", call)
        await events_of(events, "added")
        platform.reports.report(Moved(instance=window.id, bounds=Bounds(5, 6, 7, 8), at_rest=False))
        await desk.host.act(window.id, SetState(state="minimized"))
        platform.reports.report(ButtonClicked(instance=window.id, button="mail"))
        await peer.methods.call("T42.Wnd.Execute", {"command": "none", "token": "end"})
        told = [(one["type"], one["data"]) for one in (await events_of(events, "end"))[:-1]]
        assert told == [
            ("BoundsChanged", {"left": 5, "top": 6, "width": 7, "height": 8}),
            ("StateChanged", "minimized"),
            ("ButtonClicked", {**button, "tooltip": ""}),
        ]


async def test_tokens_are_for_the_caller_only(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, events):
        other = await platform.gateway.local_peer("other", "ann")
        theirs = await other.methods.subscribe("T42.Wnd.OnEvent")
        await peer.methods.call("T42.Wnd.Execute", {"command": "none", "token": "mine"})
        await other.methods.call("T42.Wnd.Execute", {"command": "none", "token": "theirs"})
        assert "mine" not in {one.get("token") for one in await events_of(theirs, "theirs")}
        # An invalid token is refused, and no event repeats it.
        token: Any
        for token in (7, "x" * 201, {}):
            answer = await peer.methods.call("T42.Wnd.Execute", {"command": "none", "token": token})
            assert "token must be text" in answer["errorMsg"]
        await peer.methods.call("T42.Wnd.Execute", {"command": "none", "token": "last"})
        assert len(await events_of(events, "last")) == 4


async def test_a_caller_that_claims_to_be_another_app_gets_none_of_its_permissions(desk: Desk) -> None:
    write_apps(desk, allowScriptExecution=True)
    async with desk.running() as platform:
        privileged = await platform.services.instances.start("node-client")
        clock = await platform.services.instances.start("clock")
        claimed = {"application": "node-client", "instance": privileged.id, "windowId": privileged.id}
        key = KeyFile(desk.root / "UserData").read()
        login = {"method": "secret", "login": key.user, "secret": key.secret}
        async with signed_in(key.address, login, **claimed) as posing:

            async def call(name: str, **arguments: Any) -> dict[str, Any]:
                server, method = posing.methods[name]
                answer = await posing.ask(
                    domain="agm", type="call", server_id=server, method_id=method, arguments_kv={**arguments, **claimed}
                )
                return dict(answer)

            code = {"command": "executeCode", "windowId": clock.id, "options": {"code": "1"}}
            answer = await call("T42.Wnd.Execute", **code)
            assert "Only apps that the platform has started may execute code" in answer["result"]["errorMsg"]
            assert (await call("apps.command", command="announce"))["result"] == {}
            imported = await call("apps.command", command="in-memory-import", args={"apps": []})
            assert "Only apps that the platform has started may define apps" in imported["reason"]
            cookies = await call("T42.GD.Execute", command="get-cookies")
            assert "Only apps that the platform has started may read and change cookies" in cookies["reason"]
            logged = await call("T42.AppLogger.Log", msg="I am the client", level="error")
            assert logged["result"] == {"logged": False}
            registered = await call("T42.ACS.RegisterInstance", appName="node-client", pid=1)
            assert registered["result"] == {"registered": False}


async def test_an_app_that_another_app_has_defined_has_no_rights(desk: Desk) -> None:
    write_apps(desk)
    async with desk.running() as platform:
        clock = await platform.services.instances.start("clock")
        rights = dict.fromkeys(("allowScriptExecution", "allowCapture", "allowCookiesManipulation"), True)
        evil = {"name": "evil", "type": "window", **rights, "details": {"url": f"{PAGES}/evil", **rights}}
        platform.services.apps.memory_store().add("node-client", [evil])
        running = await platform.services.instances.start("evil")
        peer = await platform.gateway.local_peer("evil", "ann", instance=running.id)
        for command, options in (("executeCode", {"code": "1"}), ("captureScreenshot", {})):
            call = {"command": command, "windowId": clock.id, "options": options}
            answer = await peer.methods.call("T42.Wnd.Execute", call)
            assert "because another app has defined it" in answer["errorMsg"]
        with pytest.raises(CallFailed, match="because another app has defined it"):
            await peer.methods.call("T42.GD.Execute", {"command": "get-cookies"})
        assert [what for what, _ in desk.host.calls if what == "act"] == []


async def test_apps_are_asked_before_a_person_closes_a_window(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, _):
        (window,) = platform.services.windows.registry.all
        asked: list[dict[str, Any]] = []
        prevented = True

        def answer(invocation: Invocation) -> Any:
            asked.append(invocation.arguments)
            return {"prevented": prevented, "preventArgs": []}

        call = {"command": "OnClosing", "windowId": window.id}
        # A peer that has not registered the method is refused.
        assert "errorMsg" in await peer.methods.call("T42.Wnd.Execute", call)
        await peer.methods.register("T42.Wnd.OnEventWithResponse", answer)
        await until(
            lambda: any(
                one.name == "T42.Wnd.OnEventWithResponse" for one in platform.running_gateway.peer.methods.known
            )
        )
        assert await peer.methods.call("T42.Wnd.Execute", call) == {}
        assert await platform.reports.ask(MayClose(instance=window.id)) is False
        assert asked[0]["type"] == "OnClosing"
        assert asked[0]["data"]["callbackId"] == f"{window.id}-OnClosing"
        prevented = False
        assert await platform.reports.ask(MayClose(instance=window.id)) is True
        prevented = True
        await peer.close()
        # The app is gone, and prevents nothing any more.
        assert await platform.reports.ask(MayClose(instance=window.id)) is True
        assert len(asked) == 2


async def test_windows_that_are_grouped_know_their_neighbours(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, events):
        (first,) = platform.services.windows.registry.all
        second = await platform.services.instances.start("clock")
        await platform.services.windows.groups.join(second.id, first.id, "right")
        await peer.methods.call("T42.Wnd.Execute", {"command": "none", "token": "end"})
        told = {
            one["windowId"]: one["data"]
            for one in await events_of(events, "end")
            if one["type"] == "CompositionChanged"
        }
        assert told[first.id]["groupId"] == told[second.id]["groupId"] != first.id
        assert told[first.id]["neighbors"] == {"top": [], "left": [], "right": [second.id], "bottom": []}
        group = told[first.id]["groupId"]
        await peer.methods.call("T42.Group.Execute", {"command": "hideGroup", "groupId": group})
        assert {first.id, second.id} <= desk.host.hidden
        titled = {"command": "setGroupTitle", "windowId": first.id, "options": {"title": "Both"}}
        assert await peer.methods.call("T42.Wnd.Execute", titled) == {}
        answer = await peer.methods.call("T42.Wnd.Execute", {"command": "getGroupTitle", "windowId": second.id})
        assert answer == {"title": "Both"}
        await peer.methods.call("T42.Group.Execute", {"command": "closeGroup", "groupId": group})
        assert platform.services.instances.all == ()


async def test_children_close_with_the_window_that_opened_them(desk: Desk) -> None:
    write_apps(desk)
    async with desk.running() as platform:
        parent = await platform.services.instances.start("node-client")
        details = {"url": f"{PAGES}/child", "isChild": True}
        child = await platform.services.instances.open_window(parent.id, "Child", details, {})
        free = await platform.services.instances.open_window(parent.id, "Free", {"url": f"{PAGES}/free"}, {})
        await platform.services.instances.stop(parent.id)
        await until(lambda: platform.services.instances.get(child.id) is None)
        assert [one.id for one in platform.services.instances.all] == [free.id]


async def test_hostile_groups_are_refused_before_anything_is_opened(desk: Desk) -> None:
    async with client_of(desk) as (platform, peer, _):
        (window,) = platform.services.windows.registry.all
        done = len(desk.host.calls)
        place: dict[str, Any] = {"left": 0, "top": 0, "width": 100, "height": 100}
        clock = {"name": "clock"}
        frame: dict[str, Any] = {"bounds": place, "applications": [clock]}
        options: Any
        for options in (
            None,
            7,
            {"groups": {}},
            {"groups": [7]},
            {"groups": [{}]},
            {"groups": [{"frames": [{}]}]},
            {"groups": [{"frames": [{**frame, "bounds": {**place, "width": 0}}]}]},
            {"groups": [{"frames": [{**frame, "bounds": {**place, "left": 1e300}}]}]},
            {"groups": [{"frames": [{**frame, "applications": [{}]}]}]},
            {"groups": [{"frames": [{**frame, "applications": [{**clock, "context": 7}]}]}]},
            {"groups": [{"frames": [{**frame, "applications": [{**clock, "frameColor": 7}]}]}]},
            {"groups": [{"frames": [{**frame, "applications": [clock] * 51}]}]},
            {"groups": [{"frames": [{**frame, "applications": [clock] * 50}]}] * 2},
            {"groups": [{"title": LONG, "frames": [frame]}]},
            {"groups": [{"state": "round", "frames": [frame]}]},
        ):
            answer = await peer.methods.call("T42.Group.Execute", {"command": "createGroups", "options": options})
            assert 0 < len(answer["errorMsg"]) < 1000, str(options)[:100]
        for command in ("hibernateGroup", "resumeGroup", "closeGroup"):
            answer = await peer.methods.call(
                "T42.Group.Execute", {"command": command, "groupId": window.id, "options": 7}
            )
            assert 0 < len(answer["errorMsg"]) < 1000, command
        assert desk.host.calls[done:] == []
        assert platform.services.windows.registry.all == (window,)


async def test_windows_are_arranged_in_a_grid_and_restored(desk: Desk) -> None:
    desk.write_app("fixed", allowAutoArrange=False, details={"url": PAGES, "left": 7, "top": 8})
    desk.write_app("hidden", details={"url": PAGES, "hidden": True})
    async with client_of(desk) as (platform, peer, events):
        registry = platform.services.windows.registry
        for app in ("clock", "clock", "fixed", "hidden"):
            await platform.services.instances.start(app)
        before = {one.id: one.bounds for one in registry.all}
        arranged = [one.id for one in registry.all if one.app == "clock"]

        async def arrange(token: str, **options: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
            # The libraries name no window.
            answer = await peer.methods.call(
                "T42.Wnd.Execute", {"command": "autoArrange", "options": options, "token": token}
            )
            told = [one for one in await events_of(events, token) if one["type"] == "OnWindowsAutoArrangeChanged"]
            return answer, [one["data"] for one in told]

        answer, told = await arrange("first")
        number = told[0]["displayId"]
        assert (answer, told) == ({}, [{"areWindowsArranged": True, "displayId": number}])
        area = desk.host.screens()[0].work_area
        places = [registry.find(one).bounds for one in arranged]
        half, middle = area.left + area.width / 2, area.top + area.height / 2
        assert [(one.left, one.top, one.right, one.bottom) for one in places] == [
            (area.left, area.top, half, middle),
            (half, area.top, area.right, middle),
            # The last row is as wide as the others.
            (area.left, middle, area.right, area.bottom),
        ]
        for one in registry.all:
            assert one.id in arranged or one.bounds == before[one.id]
        # Put back, on the same display.
        answer, told = await arrange("second", displayId=number)
        assert told == [{"areWindowsArranged": False, "displayId": number}]
        assert {one.id: one.bounds for one in registry.all} == before
        # A person who moves a window ends the arrangement; the next call arranges again.
        await arrange("third")
        platform.reports.report(Moved(instance=arranged[0], bounds=Bounds(5, 6, 300, 400), at_rest=True))
        answer, told = await arrange("fourth")
        assert [one["areWindowsArranged"] for one in told] == [False, True]
        wrong: Any
        for wrong in (7, "1", True, [], {}):
            answer, told = await arrange("wrong", displayId=wrong)
            assert (answer["errorMsg"].startswith("There is no display"), told) == (True, [])


async def test_nothing_is_arranged_without_a_window(desk: Desk) -> None:
    async with desk.running() as platform:
        peer = await platform.gateway.local_peer("client", "ann")
        answer = await peer.methods.call("T42.Wnd.Execute", {"command": "autoArrange"})
        assert answer == {"errorMsg": "There is no window that can be arranged."}
