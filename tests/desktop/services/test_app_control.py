"""Apps for callers: the list and its changes, starts with options, readiness, and definitions without credentials."""

import asyncio
from typing import Any

import pytest

from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError, UnknownApp
from rostrum.desktop.platform import Platform
from rostrum.desktop.services.app_catalog import AppCatalog, CatalogChange, shown_definition
from rostrum.desktop.services.app_control import AppControl
from rostrum.desktop.services.readiness import Readiness
from tests.desktop.t42.libraries import PAGES
from tests.desktop.test_platform import APPS, Desk, desk, program

__all__ = ["desk"]

CALLER = Caller(peer="p", application="client", instance="i")


def control_of(platform: Platform) -> tuple[AppControl, AppCatalog]:
    services, windows = platform.services, platform.services.windows
    catalog = AppCatalog(services.apps)
    return AppControl(catalog, services.instances, windows.registry, windows.control, windows.guards), catalog


async def test_a_caller_chooses_options_of_the_window_only(desk: Desk) -> None:
    desk.write_app("page", details={"url": f"{PAGES}/page", "width": 500})
    desk.write_app("free", details={"url": f"{PAGES}/free", "allowOverrides": {"url": True}})
    desk.write_app("tool", **program("import time; time.sleep(60)"))
    desk.system(**APPS)
    async with desk.running() as platform:
        control, _ = control_of(platform)
        options = {"left": 5, "top": 6, "width": 70, "height": 80, "hidden": True, "preloadScripts": ["https://evil"]}
        started = await control.start(CALLER, "page", {"x": 1}, options, by_intent=True)
        request = desk.host.windows[started.id]
        assert (request.hidden, request.details["width"], "preloadScripts" in request.details) == (True, 70, False)
        by = started.started_by
        assert (by.kind, by.app, by.instance, started.context) == ("intent", "client", "i", {"x": 1})
        free = await control.start(CALLER, "free", {}, {"url": f"{PAGES}/other"})
        assert desk.host.windows[free.id].details["url"] == f"{PAGES}/other"
        refusals: list[tuple[str, dict[str, Any], str]] = [
            ("page", {"url": f"{PAGES}/other"}, "allowOverrides.url is not set"),
            ("free", {"url": "javascript:alert(1)"}, "must be the address of a page"),
            ("free", {"url": 7}, "url must be text"),
            ("page", {"width": "wide"}, "The window options are invalid: width"),
            ("tool", {"parameters": "-c x"}, "parameters of tool can be set in its definition only"),
            ("tool", {"env": {"PATH": "/evil"}}, "env of tool can be set in its definition only"),
            ("nobody", {}, "there is no app"),
        ]
        running = len(platform.services.instances.all)
        for app, given, reason in refusals:
            with pytest.raises(DesktopError, match=reason):
                await control.start(CALLER, app, {}, given)
        with pytest.raises(DesktopError, match="at most 1000 members"):
            await control.start(CALLER, "page", {str(number): number for number in range(1001)}, {})
        assert len(platform.services.instances.all) == running


async def test_an_instance_is_stopped_activated_and_restarted_where_it_was(desk: Desk) -> None:
    desk.write_app("page", details={"url": f"{PAGES}/page"})
    desk.write_app("tool", **program("import time; time.sleep(60)"))
    desk.system(**APPS)
    async with desk.running() as platform:
        control, _ = control_of(platform)
        place = {"left": 1, "top": 2, "width": 300, "height": 400}
        first = await control.start(CALLER, "page", {"x": 1}, {**place, "hidden": True})
        await control.activate(first.id)
        assert (desk.host.focused, first.id in desk.host.hidden) == (first.id, False)
        second = await control.restart(CALLER, first.id, None)
        assert (second.id != first.id, second.context) == (True, {"x": 1})
        bounds = desk.host.bounds(second.id)
        assert bounds is not None
        assert (bounds.left, bounds.top, bounds.width, bounds.height) == (1, 2, 300, 400)
        platform.services.windows.guards.hold("close", second.id, "busy")
        with pytest.raises(DesktopError, match="page keeps its window open"):
            await control.stop(second.id)
        await control.stop(second.id, force=True)
        tool = await control.start(CALLER, "tool", {}, {})
        with pytest.raises(DesktopError, match="tool has no window"):
            await control.activate(tool.id)
        for instance in (second.id, "nobody", "x" * 100_000):
            with pytest.raises(DesktopError, match="There is no instance"):
                control.find(instance)


async def test_the_list_of_apps_reports_changes(desk: Desk) -> None:
    desk.write_app("page", details={"url": f"{PAGES}/page"})
    desk.write_app("off", disabled=True, details={"url": f"{PAGES}/off"})
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory"}])
    async with desk.running() as platform:
        control, catalog = control_of(platform)
        changes: list[CatalogChange] = []
        catalog.changed.connect(changes.append)
        assert [*catalog.all] == ["page"]
        store = platform.services.apps.memory_store()
        made = {"name": "made", "type": "window", "details": {"url": f"{PAGES}/made"}}
        program_of = {"name": "evil", "type": "exe", "details": {"command": "/bin/true"}}
        imported, errors = control.import_apps(
            store, "client", [made, {"name": "bad"}, 7], programs=False, replace=True
        )
        assert (imported, [one["app"] for one in errors]) == (["made"], ["bad", "[2]"])
        with pytest.raises(DesktopError, match="apps must be an array"):
            control.import_apps(store, "client", {}, programs=False, replace=True)
        with pytest.raises(Exception, match="may define pages only"):
            control.import_apps(store, "client", [program_of], programs=False, replace=False)
        control.import_apps(store, "client", [{**made, "title": "New"}], programs=False, replace=False)
        store.clear("client")
        assert changes == [
            CatalogChange(added=("made",)),
            CatalogChange(updated=("made",)),
            CatalogChange(removed=("made",)),
        ]
        with pytest.raises(UnknownApp):
            catalog.find("made")


def test_a_definition_is_shown_without_what_may_be_a_credential() -> None:
    definition = {
        "name": "a",
        "asset": {"src": "https://x", "headers": [{"name": "Authorization", "value": "secret"}]},
        "details": {
            "env": {"TOKEN": "secret"},
            "remote": {"url": "https://x", "headers": []},
            "urlLoadOptions": {"extraHeaders": "Authorization: secret", "postData": ["secret"], "userAgent": "u"},
            "list": [{"headers": "secret", "kept": 1}],
        },
    }
    assert shown_definition(definition) == {
        "name": "a",
        "asset": {"src": "https://x"},
        "details": {"remote": {"url": "https://x"}, "urlLoadOptions": {"userAgent": "u"}, "list": [{"kept": 1}]},
    }


async def test_an_app_is_ready_when_its_peer_has_joined_and_stays_so_until_it_ends(desk: Desk) -> None:
    desk.write_app("page", details={"url": f"{PAGES}/page"})
    desk.system(**APPS)
    async with desk.running() as platform:
        readiness = Readiness(platform.running_gateway.callers, platform.services.instances)
        ready: list[str] = []
        readiness.ready.connect(lambda one: ready.append(one.id))
        page = await platform.services.instances.start("page")
        other = await platform.services.instances.start("page")
        assert readiness.state(page.id) == "started"
        waiting = asyncio.create_task(readiness.wait(page.id))
        for_ever = asyncio.create_task(readiness.wait(other.id))
        # A peer that the platform has bound to the instance; others make nobody ready.
        peer = await platform.gateway.local_peer("page", "ann", instance=page.id)
        stranger = await platform.gateway.local_peer("page", "ann")
        async with asyncio.timeout(60):
            assert await waiting
        server = readiness.server(page.id)
        assert server is not None
        assert (server["instance"], ready, readiness.state(page.id)) == (page.id, [page.id], "ready")
        await peer.close()
        await stranger.close()
        assert readiness.state(page.id) == "ready"
        readiness.announce("nobody")
        readiness.announce(page.id)
        await platform.services.instances.stop(other.id)
        async with asyncio.timeout(60):
            assert not await for_ever
        readiness.announce(other.id)
        await platform.services.instances.stop(page.id)
        assert (readiness.state(page.id), readiness.server(page.id), ready) == ("stopped", None, [page.id])
