"""What pages in real windows get and what they do not get, with the unmodified client libraries of npm."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rostrum.desktop.hosts.reports import MayRefresh
from rostrum.desktop.windows.requests import PageRequests, page_requests
from tests.windows.cdp import Page
from tests.windows.desk import DeskOfTests, button
from tests.windows.pages import Answer, Pages, served
from tests.windows.screen import Rectangle

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIBRARIES = Path(__file__).parents[1] / "gateway" / "node" / "node_modules"
LIBRARY = LIBRARIES / "@interopio" / "desktop" / "dist" / "desktop.umd.js"
OLD_LIBRARY = LIBRARIES / "@glue42" / "desktop" / "dist" / "desktop.umd.js"
SEEN = """<script>
  window.seen = { api: typeof window.iodesktop, same: window.iodesktop === window.glue42gd, qt: typeof qt,
    versions: typeof glueDesktop + typeof ioDesktopInfo, preload: typeof gdPreloadPromise };
</script>"""
NOTHING = {
    "api": "undefined",
    "same": True,
    "qt": "undefined",
    "versions": "undefinedundefined",
    "preload": "undefined",
}
HEARD = '<script>framed = new Promise((found) => addEventListener("message", (event) => found(event.data)))</script>'
FRAMED = "<script>parent.postMessage({ api: typeof window.iodesktop, qt: typeof qt }, '*')</script>"
FINISHED = "<script>history.pushState(null, '', '#done'); onload = () => setTimeout(() => window.close())</script>"
FIRST = "<script>window.first = typeof IODesktop + ' ' + window.before</script>"


def html(title: str, body: str, **headers: str) -> Answer:
    written = {name.replace("_", "-"): value for name, value in headers.items()}
    return 200, {"Content-Type": "text/html", **written}, f"<!doctype html><title>{title}</title>{body}".encode()


def script(text: str | bytes) -> Answer:
    return 200, {"Content-Type": "text/javascript"}, text.encode() if isinstance(text, str) else text


PAGES = {
    "/index": html("Index", f"{SEEN}{HEARD}<iframe src='/framed'></iframe><script src='/library.js'></script>"),
    "/framed": html("Frame", FRAMED),
    "/strict": html("Strict", "<script src='/library.js'></script>", Content_Security_Policy="default-src 'self'"),
    "/old": html("Old", "<script src='/old.js'></script>"),
    "/child": html("Child", SEEN),
    "/finished": html("Finished", FINISHED),
    "/injected": html("Injected", FIRST),
    "/preload.js": script("window.before = 'after ' + typeof iodesktop;"),
    "/style.css": script("body { color: rgb(1, 2, 3); }"),
    "/library.js": lambda: script(LIBRARY.read_bytes()),
    "/old.js": lambda: script(OLD_LIBRARY.read_bytes()),
}
PLACE = {"left": 200, "top": 150, "width": 500, "height": 400}
APPS = {
    "clock": {
        "url": "/index",
        "context": {"view": "day"},
        "channelSelector": {"enabled": True, "channelId": "Red"},
        "closeHandlers": {"timeout": 300},
        **PLACE,
    },
    "strict": {"url": "/strict", **PLACE},
    "old": {"url": "/old", **PLACE},
    "finished": {"url": "/finished", **PLACE},
    "injected": {"url": "/injected", "autoInjectAPI": {"enabled": True}, **PLACE},
}
SETTINGS = {
    "channels": {"definitions": [{"name": "Red", "meta": {"color": "red"}}]},
    "windows": {
        "autoInjectAPI": {"library": {"source": str(LIBRARY)}, "autoInit": {"channels": False}},
        "security": {"permissions": ["geolocation"]},
    },
}


@pytest.fixture
def other() -> Iterator[Pages]:
    """Another origin."""
    with served({"/other": html("Other", SEEN)}) as pages:
        yield pages


async def ready(page: Page, options: str = "") -> None:
    """Initialize the client library, with its defaults unless the test names options."""
    await page.until("typeof IODesktop === 'function'")
    assert await page.evaluate(f"IODesktop({options}).then((io) => {{ window.io = io; return true; }})")


def peers(desk: DeskOfTests, instance: str) -> list[str]:
    """Return the peers of an instance that are signed in to the gateway."""
    gateway = desk.platform.gateway
    bound = {one["id"]: gateway.binding_of(one["id"]) for one in gateway.status()["peers"]}
    return [peer for peer, binding in bound.items() if binding is not None and binding.instance == instance]


@pytest.mark.long
async def test_a_page_has_the_api_before_its_scripts_and_frames_and_other_origins_do_not(
    desk: DeskOfTests, other: Pages
) -> None:
    instance, _ = await desk.start("clock", context={"customer": 7})
    async with desk.cdp.page(f"{desk.pages.address}/index") as page:
        assert await page.until("window.seen") == {
            "api": "object",
            "same": True,
            "qt": "undefined",
            "versions": "objectobject",
            "preload": "object",
        }
        assert await page.evaluate("framed") == {"api": "undefined", "qt": "undefined"}
        await ready(page, "{ channels: true }")
        assert await page.evaluate("io.windows.my().id") == instance
        assert await page.evaluate("io.appManager.myApplication.name") == "clock"
        assert await page.until("io.channels.current()") == "Red"
        assert await page.evaluate("iodesktop.context") == {"view": "day", "customer": 7}
        assert await page.evaluate("io.windows.my().screen.workingAreaWidth") > 0
        (peer,) = peers(desk, instance)
        first, second = await page.evaluate("Promise.all([iodesktop.getGWToken(), iodesktop.getGWToken()])")
        assert first != second
        assert first not in await page.evaluate("document.documentElement.outerHTML + JSON.stringify(iodesktop)")
        # On another origin there is nothing, and the connection of the page before is gone.
        await page.evaluate(f"void (location.href = '{other.address}/other')")
        await page.until("document.title === 'Other'")
        assert await page.evaluate("seen") == NOTHING
        await desk.screen.until("no connection", lambda: not peers(desk, instance) or None)
        assert desk.platform.gateway.binding_of(peer) is None
        # Back on its own origin, the app continues.
        await page.evaluate("void history.back()")
        await page.until("document.title === 'Index' && window.seen?.api === 'object'")
        await ready(page, "{ appManager: 'full' }")
        assert len(peers(desk, instance)) == 1
        assert await page.evaluate("io.appManager.myInstance.id") == instance


ECHO = """(async () => {
  await io.interop.register("Echo", (given) => given);
  const texts = Array.from({ length: 20 }, (_, number) => number + "ä€😀".repeat(4000));
  const results = await Promise.all(texts.map((text) => io.interop.invoke("Echo", { text })));
  return results.every((one, number) => one.returned.text === texts[number]);
})()"""


@pytest.mark.long
async def test_a_page_with_a_strict_policy_connects_and_reconnects_and_loses_nothing(
    desk: DeskOfTests, other: Pages
) -> None:
    instance, _ = await desk.start("strict")
    async with desk.cdp.page(f"{desk.pages.address}/strict") as page:
        await ready(page)
        assert await page.evaluate("io.windows.my().id") == instance
        assert await page.evaluate(ECHO)
        # A connection that is lost is opened again, with a fresh token.
        (peer,) = peers(desk, instance)
        desk.platform.running_gateway.app_tokens.revoke(instance, "test")
        assert peer not in peers(desk, instance)
        await desk.screen.until("another connection", lambda: peers(desk, instance) or None)
        await page.evaluate(f"void (location.href = '{other.address}/other')")
        await desk.screen.until("no connection", lambda: not peers(desk, instance) or None)


ALONE = """
  window.lost = 0;
  window.heard = [];
  io.connection.disconnected(() => { window.lost += 1; });
  io.channels.subscribe((data) => heard.push(data.ticker));
"""


@pytest.mark.long
async def test_pages_connect_again_after_a_restart_of_the_gateway_and_go_on(desk: DeskOfTests) -> None:
    ids = {name: (await desk.start(name))[0] for name in ("clock", "strict", "old")}
    page = desk.cdp.page
    origin, server = desk.pages.address, desk.platform.gateway._server
    async with page(f"{origin}/index") as clock, page(f"{origin}/strict") as strict, page(f"{origin}/old") as old:
        for one in (clock, strict):
            await ready(one, "{ channels: true }")
        await old.until("typeof Glue === 'function'")
        assert await old.evaluate("Glue({ channels: true }).then((glue) => { window.io = glue; return true; })")
        for one in (clock, strict, old):
            await one.evaluate(f"{{ {ALONE} }}")
            await one.evaluate("io.channels.join('Red')")
        await clock.evaluate("io.interop.register('Clock.Twice', ({ value }) => ({ value: 2 * value }))")
        before = {name: peers(desk, instance) for name, instance in ids.items()}

        # The same port: it is part of the address that pages know.
        server._options = replace(server._options, port=server.port)
        await server.stop()
        for one in (clock, strict, old):
            await one.until("lost > 0")
        assert not any(peers(desk, instance) for instance in ids.values())
        await server.start()

        for name, instance in ids.items():
            found = await desk.screen.until(f"a connection of {name}", partial(peers, desk, instance))
            assert not {*found} & {*before[name]}
        for one in (strict, old):
            await one.until("io.interop.methods({ name: 'Clock.Twice' }).length === 1")
            called = "io.interop.invoke('Clock.Twice', { value: 21 }).then(({ returned }) => returned.value)"
            assert await one.evaluate(called) == 42
        for number, sender in enumerate((clock, strict, old)):
            await sender.evaluate(f"io.channels.publish({{ ticker: 'T{number}' }}, 'Red')")
            for one in (clock, strict, old):
                await one.until(f"heard.includes('T{number}')")
        assert await clock.evaluate("io.windows.my().setTitle('Back').then(() => io.windows.my().title)") == "Back"


async def test_the_older_library_runs_unchanged(desk: DeskOfTests) -> None:
    instance, _ = await desk.start("old")
    async with desk.cdp.page(f"{desk.pages.address}/old") as page:
        await page.until("typeof Glue === 'function'")
        ids = "Glue({ appManager: 'full' }).then((glue) => [glue.windows.my().id, glue.appManager.myInstance.id])"
        assert await page.evaluate(ids) == [instance, instance]


@pytest.mark.long
async def test_a_page_opens_windows_with_a_name_a_place_and_an_opener(desk: DeskOfTests, other: Pages) -> None:
    instance, _ = await desk.start("clock")
    registry = desk.platform.services.windows.registry
    async with desk.cdp.page(f"{desk.pages.address}/index") as page:
        await ready(page)
        place = "left=700,top=120,width=320,height=210"
        await page.evaluate(f"void (window.child = window.open('/child', 'details', '{place}'))")
        async with desk.cdp.page(f"{desk.pages.address}/child") as child:
            assert (await child.until("window.seen"))["api"] == "object"
            assert await child.evaluate("opener !== null && opener.document.title") == "Index"
            own = await child.evaluate("iodesktop.windowId")
            record = registry.find(own)
            assert (record.name, record.app, record.opener) == ("details", "clock", instance)
            assert (record.bounds.left, record.bounds.top) == (700, 120)
            assert (record.bounds.width, record.bounds.height) == (320, 210)
            assert await child.evaluate("iodesktop.getGWToken().then((token) => token.length > 20)")
        assert await page.evaluate("child.document.title") == "Child"
        assert await page.until("io.windows.list().some((one) => one.name === 'details')")
        click = """(() => {
            const link = Object.assign(document.createElement("a"), { href: "/child?link", target: "named" });
            document.body.append(link);
            link.click();
        })()"""
        await page.evaluate(click)
        await desk.screen.until("a window", lambda: any(one.name == "named" for one in registry.all) or None)
        # A page of another origin gets a window, and nothing else.
        await page.evaluate(f"void window.open('{other.address}/other', 'help')")
        async with desk.cdp.page(f"{other.address}/other") as plain:
            assert await plain.until("window.seen") == NOTHING
        assert [one.app for one in registry.all if one.name == "help"] == [""]
        # A page writes into a window that has no address.
        written = """io.windows.createPopup({ left: 50, top: 60, width: 200, height: 100 }).then((popup) => {
            popup.browserWindow.document.body.textContent = "written by the opener";
            window.popup = popup.browserWindow;
            return popup.ioConnectWindow.name;
        })"""
        name = await page.evaluate(written)
        (popup,) = [one for one in registry.all if one.name == name]
        assert (popup.mode, popup.opener, popup.visible) == ("frameless", instance, False)
        shown = await page.evaluate("popup.document.body.textContent + ' ' + typeof popup.iodesktop")
        assert shown == "written by the opener undefined"


async def test_a_page_is_asked_before_its_window_closes_and_may_prevent_it(desk: DeskOfTests) -> None:
    instance, window = await desk.start("clock")
    async with desk.cdp.page(f"{desk.pages.address}/index") as page:
        await ready(page)
        asked = "(prevent) => { window.asked = (window.asked ?? 0) + 1; prevent(); }"
        await page.evaluate(f"window.stop = io.windows.my().onClosing({asked}), true")
        refresh = "(done, fail, prevent) => { prevent(); done(); }"
        assert await page.evaluate(f"typeof iodesktop.addRefreshHandler({refresh})") == "function"
        desk.screen.click(*button(window, "close"))
        await page.until("window.asked === 1")
        assert not await desk.platform.reports.ask(MayRefresh(instance=instance))
        assert desk.screen.if_open(window) is not None
        # The same for another address; what the page itself starts, too.
        leave = "(done, fail, prevent, { newUrl }) => { window.leaving = newUrl; prevent(); done(); }"
        await page.evaluate(f"window.stay = iodesktop.addWillNavigateHandler({leave}), true")
        await page.evaluate("void (location.href = '/child')")
        assert await page.until("window.leaving") == f"{desk.pages.address}/child"
        assert await page.evaluate("document.title") == "Index"
        # A page that never answers does not keep its window open.
        await page.evaluate("stop(); iodesktop.addCloseHandler(() => { window.silent = true; }), true")
        desk.screen.click(*button(window, "close"))
        await desk.report("WindowClosed", instance)


async def test_a_page_closes_its_window_although_it_has_a_history_and_no_user_input(desk: DeskOfTests) -> None:
    instance = await desk.platform.services.instances.start("finished")

    await desk.report("WindowClosed", instance.id)


async def test_a_page_reads_the_displays_that_there_are_now(desk: DeskOfTests) -> None:
    await desk.start("clock")
    async with desk.cdp.page(f"{desk.pages.address}/index") as page:
        await page.until("window.seen && iodesktop.monitors.length === 1")
        left, right = Rectangle(0, 0, 800, 900), Rectangle(800, 0, 800, 900)
        desk.screen.set_monitors(("LEFT", left), ("RIGHT", right))
        assert await page.until("iodesktop.monitors.length === 2 && iodesktop.monitors.map((one) => one.left)") == [
            0,
            800,
        ]


async def test_scripts_of_the_configuration_run_before_those_of_the_page(desk: DeskOfTests) -> None:
    style = {"styles": [{"url": f"{desk.pages.address}/style.css"}]}
    added = {"preloadScripts": [f"{desk.pages.address}/preload.js"], "injectedStyles": style}
    instance, _ = await desk.start("injected", details=added)
    async with desk.cdp.page(f"{desk.pages.address}/injected") as page:
        assert await page.until("window.first") == "function after object"
        assert await page.evaluate("ioPromise.then(() => io.windows.my().id)") == instance
        assert await page.evaluate("iodesktop.autoInjected && iodesktop.autoInited")
        assert await page.evaluate("getComputedStyle(document.body).color") == "rgb(1, 2, 3)"


async def test_pages_load_and_do_only_what_the_settings_allow(desk: DeskOfTests, other: Pages) -> None:
    await desk.start("clock")
    async with desk.cdp.page(f"{desk.pages.address}/index") as page:
        await page.until("document.readyState === 'complete'")
        fetched = "fetch('{}', {{ mode: 'no-cors' }}).then(() => 'loaded', () => 'blocked')"
        assert await page.evaluate(fetched.format(f"{other.address}/other")) == "loaded"
        rules, problems = page_requests(f"^{desk.pages.address}/", None)
        assert problems == ()
        await desk.platform.host.set_requests(rules)
        other.requests.clear()
        assert await page.evaluate(fetched.format(f"{other.address}/other?again")) == "blocked"
        assert await page.evaluate(fetched.format(f"{desk.pages.address}/framed")) == "loaded"
        assert other.requests == []
        await desk.platform.host.set_requests(PageRequests())
        assert await page.evaluate("Notification.requestPermission()") == "denied"
        refused = await page.evaluate("iodesktop.clearCache().catch((error) => error.message)")
        assert refused == "The definition of the app does not allow it (allowClearingCache)."
