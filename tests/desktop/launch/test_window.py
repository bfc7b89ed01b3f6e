"""Which pages a running desktop opens, whatever store an app comes from."""

from typing import Any

import pytest

from rostrum.desktop.errors import LaunchFailed
from tests.desktop.test_identities import bearing, signed_in
from tests.desktop.test_platform import APPS, Desk, desk
from tests.sources.server import running, serving

__all__ = ["desk"]

FILE = "file:///etc/passwd"


def page(name: str, url: str) -> dict[str, Any]:
    return {"name": name, "type": "window", "details": {"url": url}}


async def test_an_app_that_another_app_defines_opens_neither_code_nor_files(desk: Desk) -> None:
    desk.write_app("maker")
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory", "details": {"allowedApps": ["maker"]}}])
    async with desk.running() as platform:
        maker = (await platform.services.instances.start("maker")).id
        async with signed_in(platform.gateway.address, bearing(platform.services.tokens.token(maker))) as app:
            await app.refused("Apps.Add", definitions=[page("code", "javascript:alert(1)")])
            assert "there is no app 'code'" in await app.refused("Apps.Start", name="code")
            await app.call("Apps.Add", definitions=[page("file", FILE), page("good", "https://page.example")])
            assert "details.url must not be a file" in await app.refused("Apps.Start", name="file")
            await app.call("Apps.Start", name="good")
        assert [one.app for one in platform.services.instances.all] == ["maker", "good"]
        assert not any(window.details.get("url") == FILE for window in desk.host.windows.values())


async def test_a_page_cannot_define_programs_whatever_store_it_is_from(desk: Desk) -> None:
    desk.write_app("program", type="exe", details={"command": "/bin/sleep", "parameters": "60"})
    desk.write_app("local", type="window", details={"url": "https://page.example"})
    exe = {"name": "evil", "type": "exe", "details": {"command": "/bin/true"}}
    async with running(serving({"applications": [page("remote", "https://page.example")]})) as store:
        remote = {"type": "rest", "details": {"url": f"http://127.0.0.1:{store.port}/apps"}}
        desk.system(appStores=[*APPS["appStores"], remote, {"type": "in-memory"}])
        async with desk.running() as platform:

            async def define(name: str, definition: dict[str, Any]) -> str:
                instance = (await platform.services.instances.start(name)).id
                async with signed_in(
                    platform.gateway.address, bearing(platform.services.tokens.token(instance))
                ) as app:
                    more = page(f"more of {name}", "https://page.example")
                    answer = await app.asked("Apps.Add", definitions=[more, definition])
                    return str(answer.get("reason", answer["type"]))

            assert "remote may define pages only" in await define("remote", exe)
            for member in (
                {"allowScriptExecution": True},
                {"details": {"url": "https://bank.example", "preloadScripts": ["https://evil.example/x.js"]}},
            ):
                grown = {**page("evil", "https://bank.example"), **member}
                assert "reaches further than its page" in await define("remote", grown)
            assert "evil" not in platform.services.apps.definitions()
            # Nor can it through another page.
            assert await define("remote", page("step", "https://page.example")) == "result"
            assert "step may define pages only" in await define("step", exe)
            assert "local may define pages only" in await define("local", exe)
            assert await define("program", exe) == "result"


async def test_definitions_of_pages_and_of_untrusted_stores_keep_only_members_that_every_page_may_have(
    desk: Desk,
) -> None:
    own = page("remote", "https://page.example")
    details = {**own["details"], "width": 400}
    reaching = {
        "allowCapture": True,
        "unknown": 1,
        "details": {
            **details,
            "preloadScripts": ["https://evil.example/x.js"],
            "downloadSettings": {"path": str(desk.root / "apps"), "autoOpenDownload": True},
            "unknown": 1,
        },
    }
    async with running(serving({"applications": [{**own, **reaching}]})) as store:
        remote = {"type": "rest", "details": {"url": f"http://127.0.0.1:{store.port}/apps"}}
        desk.system(appStores=[{"type": "in-memory"}, remote])
        async with desk.running() as platform:
            assert platform.services.apps.definitions() == {"remote": {**own, "details": details}}
            (problem,) = platform.services.apps.users.problems()
            assert (
                "because the store is not trusted: details.preloadScripts, details.downloadSettings, "
                in problem.message
            )
            instance = (await platform.services.instances.start("remote")).id
            token = bearing(platform.services.tokens.token(instance))
            async with signed_in(platform.gateway.address, token) as app:
                unknown = page("mine", "https://page.example") | {"unknown": 1}
                await app.call("Apps.Add", definitions=[unknown, page("remote", "https://evil.example")])
                assert (await app.call("Apps.Export"))["definitions"][0] == page("mine", "https://page.example")
            # The definition of a store has precedence, although the in-memory store is named first.
            assert platform.services.apps.definition("remote") == {**own, "details": details}


async def test_an_app_cannot_change_what_another_app_has_defined(desk: Desk) -> None:
    for name in ("maker", "other"):
        desk.write_app(name, type="window", details={"url": f"https://{name}.example"})
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory"}])
    async with desk.running() as platform:
        tokens = [
            bearing(platform.services.tokens.token((await platform.services.instances.start(name)).id))
            for name in ("maker", "other")
        ]
        address = platform.gateway.address
        async with signed_in(address, tokens[0]) as maker, signed_in(address, tokens[1]) as other:
            good, evil = page("shared", "https://good.example"), page("shared", "https://evil.example")
            await maker.call("Apps.Add", definitions=[good])
            for method in ("Add", "Import"):
                assert "another app has defined it" in await other.refused(f"Apps.{method}", definitions=[evil])
            assert await other.call("Apps.Import", definitions=[], mode="replace") == {"imported": []}
            assert await other.call("Apps.Remove", names=["shared"]) == {"removed": []}
            assert await other.call("Apps.Clear") == {"removed": []}
            assert await other.call("Apps.Export") == {"definitions": []}
            assert platform.services.apps.definition("shared") == good


@pytest.mark.rule("R-2.12-6")
@pytest.mark.parametrize("trusted", [False, True])
async def test_a_file_is_opened_for_apps_of_local_folders_and_trusted_stores_only(desk: Desk, trusted: bool) -> None:
    desk.write_app("local", details={"url": FILE})
    async with running(serving({"applications": [page("remote", FILE)]})) as store:
        details = {"url": f"http://127.0.0.1:{store.port}/apps", "trusted": trusted}
        desk.system(appStores=[*APPS["appStores"], {"type": "rest", "details": details}])
        async with desk.running() as platform:
            await platform.services.instances.start("local")
            if trusted:
                await platform.services.instances.start("remote")
            else:
                with pytest.raises(LaunchFailed, match=r"remote: details\.url must not be a file"):
                    await platform.services.instances.start("remote")


async def test_older_names_of_members_have_the_effect_of_the_newer_ones(desk: Desk) -> None:
    desk.system(**APPS)
    desk.write_app(
        "clock", details={"url": "https://page.example", "windowName": "face", "isCollapsed": True, "isPopup": True}
    )
    async with desk.running() as platform:
        opener = await platform.services.instances.start("clock")
        details = {"url": "https://page.example/more", "isPopup": True}
        child = await platform.services.instances.open_window(opener.id, "More", details, {})
        shown = desk.host.windows[opener.id]
        assert (shown.name, shown.state, shown.parent) == ("face", "collapsed", None)
        assert desk.host.windows[child.id].parent == opener.id
