"""What pages get from a running platform, and what they are refused; the window host only records."""

import json
import logging
from typing import Any

import pytest

from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.hosts.port import PageAccess, WindowRequest
from rostrum.desktop.hosts.reports import (
    MayNavigate,
    Navigated,
    PermissionRequested,
    TokenWanted,
    WindowClosed,
    WindowRequested,
)
from rostrum.desktop.platform import Platform
from rostrum.desktop.services import page_scripts
from rostrum.desktop.services.page_scripts import own_fdc3_library
from rostrum.desktop.windows.geometry import Bounds
from tests.desktop.test_identities import bearing, signed_in
from tests.desktop.test_platform import APPS, Desk, desk
from tests.gateway.sockets import talking
from tests.sources.server import answering, down, running

__all__ = ["desk"]

HERE, THERE = "https://firm.example", "https://other.example"


def page(desk: Desk, name: str = "clock", **details: Any) -> None:
    desk.write_app(name, type="window", details={"url": f"{HERE}/{name}", **details})


async def opened(desk: Desk, platform: Platform, name: str = "clock") -> tuple[WindowRequest, PageAccess]:
    instance = await platform.services.instances.start(name, {"customer": 7})
    request = desk.host.windows[instance.id]
    assert request.access is not None
    return request, request.access


async def asked(desk: Desk, question: Any) -> Any:
    return await desk.host.reports.ask(question)


async def test_the_page_of_an_app_gets_its_origins_the_gateway_and_its_identity_but_no_token(desk: Desk) -> None:
    page(desk, allowedOrigins=[THERE], context={"customer": 1, "view": "day"}, closeHandlers={"timeout": 200})
    desk.system(**APPS, channels={"definitions": []}, windows={"channelSelector": {"channelId": "Red"}})
    async with desk.running() as platform:
        request, access = await opened(desk, platform)
        assert access.origins == (HERE, THERE)
        assert access.gateway == platform.gateway.address
        assert (access.close_timeout, access.refresh_timeout) == (0.2, 60)
        info = access.info
        assert (info["windowId"], info["application"], info["user"]) == (request.instance, "clock", "ann")
        assert info["context"] == {"customer": 7, "view": "day"}
        assert info["initialChannel"] == "Red"
        token = await asked(desk, TokenWanted(instance=request.instance, origin=HERE))
        assert token not in repr(request)
        assert token not in str(info)


async def test_each_connection_gets_a_token_of_its_own_that_ends_when_the_page_goes_elsewhere(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    page(desk)
    desk.system(**APPS)
    async with desk.running() as platform:
        request, _ = await opened(desk, platform)
        for refused in (THERE, "null", "", HERE + ":444"):
            assert await asked(desk, TokenWanted(instance=request.instance, origin=refused)) is None
        assert await asked(desk, TokenWanted(instance="nobody", origin=HERE)) is None
        assert "its origin is not in the app's definition" in caplog.text
        first, second = [await asked(desk, TokenWanted(instance=request.instance, origin=HERE)) for _ in range(2)]
        assert first != second
        assert first not in caplog.text
        claims = {"application": "other", "windowId": "other"}
        async with signed_in(platform.gateway.address, bearing(first), **claims) as program:
            assert (program.identity["application"], program.identity["windowId"]) == ("clock", request.instance)
            peer = str(program.peer_id)
            desk.host.reports.report(Navigated(instance=request.instance, url=f"{HERE}/next"))
            assert platform.gateway.binding_of(peer) is not None
            desk.host.reports.report(Navigated(instance=request.instance, url=f"{THERE}/login"))
            assert platform.gateway.binding_of(peer) is None
            await program.closed()
        async with talking(platform.gateway.address) as late:
            answer = await late.ask(type="hello", identity={}, authentication=bearing(second))
            assert answer["type"] == "error"
        desk.host.reports.report(Navigated(instance=request.instance, url=f"{HERE}/clock"))
        assert await asked(desk, TokenWanted(instance=request.instance, origin=HERE)) is not None


async def test_pages_are_refused_permissions_unless_the_settings_or_a_trusted_definition_grant_them(desk: Desk) -> None:
    page(desk, security={"permissions": ["camera"]})
    for trusted in (False, True):
        store = {"type": "path", "details": {"path": "apps", "trusted": trusted}}
        desk.system(appStores=[store], windows={"security": {"permissions": ["clipboard"]}})
        async with desk.running() as platform:
            request, _ = await opened(desk, platform)

            async def granted(permission: str, origin: str = HERE, window: str = request.instance) -> Any:
                question = PermissionRequested(instance=window, origin=origin, permission=permission)
                return await asked(desk, question)

            assert await granted("camera") is trusted
            assert await granted("clipboard") is not trusted
            assert not await granted("microphone")
            assert not await granted("camera", THERE)
            assert not await granted("clipboard", window="nobody")


async def test_a_page_navigates_only_where_its_definition_allows(desk: Desk) -> None:
    page(desk, navigation={"allowed": "^https://firm[.]example/"})
    desk.system(**APPS)
    async with desk.running() as platform:
        request, _ = await opened(desk, platform)
        for url, allowed in ((f"{HERE}/x", True), (THERE, False), ("file:///etc/passwd", False)):
            assert await asked(desk, MayNavigate(instance=request.instance, url=url)) is allowed
        assert await asked(desk, MayNavigate(instance="plain page", url=THERE))
        assert not await asked(desk, MayNavigate(instance="plain page", url="file:///etc/passwd"))


async def test_a_window_that_a_page_opens_is_one_of_the_app_only_on_its_origins(desk: Desk) -> None:
    page(desk)
    desk.system(**APPS)
    async with desk.running() as platform:
        request, _ = await opened(desk, platform)

        async def open_from_page(url: str, **members: Any) -> WindowRequest | None:
            before = set(desk.host.windows)
            wanted = WindowRequested(opener=request.instance, url=url, page="page-1", **members)
            allowed = await asked(desk, wanted)
            new = [one for name, one in desk.host.windows.items() if name not in before]
            assert allowed is bool(new)
            return new[0] if new else None

        bounds = Bounds(700, 120, 320, 210)
        own = await open_from_page(f"{HERE}/details", name="details", bounds=bounds)
        assert own is not None
        assert own.access is not None
        assert (own.app, own.name, own.bounds, own.adopts) == ("clock", "details", bounds, "page-1")
        assert own.opener == request.instance
        assert own.access.origins == (HERE,)
        running_now = platform.services.instances.get(own.instance)
        assert running_now is not None
        assert await asked(desk, TokenWanted(instance=own.instance, origin=HERE)) is not None
        other = await open_from_page(THERE, name="help")
        assert other is not None
        assert (other.app, other.access, other.opener, other.parent) == ("", None, request.instance, None)
        assert platform.services.instances.get(other.instance) is None
        assert await asked(desk, TokenWanted(instance=other.instance, origin=THERE)) is None
        features = {"mode": "frameless", "hidden": "true", "transparent": "false"}
        blank = await open_from_page("about:blank", name="popup", features=features)
        assert blank is not None
        assert (blank.access, blank.parent, blank.hidden) == (None, request.instance, True)
        assert (blank.details["mode"], blank.details["transparent"]) == ("frameless", False)
        assert platform.services.windows.registry.find(blank.instance).name == "popup"
        for refused in ("file:///etc/passwd", "javascript:alert(1)"):
            assert await open_from_page(refused) is None
        assert not await asked(desk, WindowRequested(opener=other.instance, url=HERE, page="page-2"))


async def test_a_page_opens_no_more_windows_than_it_may(desk: Desk) -> None:
    page(desk)
    page(desk, "quiet", nativeWindowOpen="off")
    page(desk, "picky", windowOpen={"allowed": "^https://firm[.]example/"})
    desk.system(**APPS)
    async with desk.running() as platform:
        request, _ = await opened(desk, platform)
        wanted = WindowRequested(opener=request.instance, url=THERE, page="p")
        assert [await asked(desk, wanted) for _ in range(51)] == [True] * 50 + [False]
        closed = next(name for name, one in desk.host.windows.items() if one.opener == request.instance)
        desk.host.reports.report(WindowClosed(instance=closed))
        assert await asked(desk, wanted)
        for name, url in (("quiet", HERE), ("picky", THERE)):
            other, _ = await opened(desk, platform, name)
            assert not await asked(desk, WindowRequested(opener=other.instance, url=url, page="p"))


async def test_members_of_a_definition_that_have_no_effect_are_logged_once(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    page(desk, allowExtensions=True)
    desk.system(**APPS)
    async with desk.running() as platform:
        for _ in range(2):
            await opened(desk, platform)
        assert caplog.text.count("clock: details.allowExtensions is not supported: the browser engine runs no ext") == 1


SCRIPT = "window.preloaded = true;"


async def test_scripts_that_pages_get_are_fetched_by_the_platform_and_kept(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    (desk.root / "library.js").write_text("window.IODesktop = () => Promise.resolve({});")
    async with running(answering(200, SCRIPT.encode())) as server:
        styles = {"styles": [{"url": server.url}]}
        page(desk, preloadScripts={"scripts": [server.url], "useBase64PreloadScripts": True}, injectedStyles=styles)
        page(desk, "plain", preloadScripts=[], autoInjectAPI={"enabled": False})
        library = {"enabled": True, "autoInit": {"layouts": "full"}, "library": {"source": "library.js"}}
        desk.system(**APPS, windows={"autoInjectAPI": library})
        async with desk.running() as platform:
            _, access = await opened(desk, platform)
            assert [(one.name, one.as_element) for one in access.scripts] == [
                ("autoInjectAPI", False),
                ("autoInit", False),
                ("injectedStyles", False),
                (server.url, True),
            ]
            assert access.scripts[0].source.startswith("window.IODesktop")
            assert '{"layouts":"full"}' in access.scripts[1].source
            assert f'replaceSync("{SCRIPT}")' in access.scripts[2].source
            assert access.scripts[3].source == SCRIPT
            _, plain = await opened(desk, platform, "plain")
            assert plain.scripts == ()
    # The server is gone; the copy of the last run is used.
    async with desk.running() as platform:
        _, access = await opened(desk, platform)
        assert access.scripts[3].source == SCRIPT
        assert "the cached script is used" in caplog.text


@pytest.mark.parametrize("critical", [False, True])
async def test_a_page_opens_without_a_script_that_is_not_available_unless_it_is_critical(
    desk: Desk, caplog: pytest.LogCaptureFixture, critical: bool
) -> None:
    async with down() as server:
        gone = server.url
    last = {"url": gone, "fallback": gone, "timeout": 500, "critical": critical}
    scripts = ["http://intranet.example/preload.js", "/etc/hostname", last]
    page(desk, preloadScripts={"scripts": scripts}, autoInjectAPI={"enabled": True}, autoInjectFdc3={"enabled": True})
    desk.system(**APPS)
    caplog.set_level(logging.WARNING)
    async with desk.running() as platform:
        if critical:
            with pytest.raises(LaunchFailed, match=r"clock: the script .* cannot be fetched"):
                await platform.services.instances.start("clock")
            return
        _, access = await opened(desk, platform)
        # FDC3 needs no library of the firm: the platform has its own.
        assert [one.name for one in access.scripts] == ["autoInjectFdc3", "fdc3"]
        assert access.scripts[0].source == own_fdc3_library()
        for said in ("without TLS", "must be an https address", "cannot be fetched", "no library is named"):
            assert said in caplog.text


async def test_a_file_that_a_trusted_app_has_loaded_is_not_for_other_apps(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    (desk.root / "own.js").write_text(SCRIPT)
    page(desk, "other", preloadScripts=["own.js"])
    trusted = {"name": "clock", "type": "window", "details": {"url": f"{HERE}/clock", "preloadScripts": ["own.js"]}}
    (desk.root / "trusted").mkdir()
    (desk.root / "trusted" / "clock.json").write_text(json.dumps(trusted))
    store = {"type": "path", "details": {"path": "./trusted", "trusted": True}}
    desk.system(appStores=[*APPS["appStores"], store])
    async with desk.running() as platform:
        _, access = await opened(desk, platform)
        assert [one.source for one in access.scripts] == [SCRIPT]
        _, access = await opened(desk, platform, "other")
        assert access.scripts == ()
        assert "must be an https address" in caplog.text


def test_without_the_built_library_pages_get_no_fdc3_and_the_reason_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(page_scripts, "OWN_FDC3_LIBRARY", "not_built.js")
    own_fdc3_library.cache_clear()
    assert own_fdc3_library() is None
    assert "`make desk` and `make dist` build it" in caplog.text
    own_fdc3_library.cache_clear()


@pytest.mark.long
async def test_the_fdc3_library_goes_into_pages_that_ask_for_it_and_into_those_of_a_directory(desk: Desk) -> None:
    (desk.root / "fdc3.js").write_text("window.fdc3 = {};")
    page(desk, autoInjectFdc3={"enabled": True})
    page(desk, "plain")
    record = {"appId": "quotes", "title": "Quotes", "type": "web", "details": {"url": f"{HERE}/quotes"}}
    (desk.root / "apps" / "quotes.json").write_text(json.dumps(record))
    desk.system(**APPS, windows={"autoInjectFdc3": {"library": {"source": "fdc3.js"}}})
    async with desk.running() as platform:
        names = {}
        for name in ("clock", "plain", "quotes"):
            _, access = await opened(desk, platform, name)
            names[name] = [one.name for one in access.scripts]
        injected = ["autoInjectFdc3", "fdc3"]
        assert names == {"clock": injected, "plain": [], "quotes": injected}
