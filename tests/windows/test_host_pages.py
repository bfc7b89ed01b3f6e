"""Pages in the window process: what they may do, what is reported of them, and what happens when they fail."""

import asyncio
import base64
import os
import signal
from pathlib import Path

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import (
    Capture,
    Download,
    Find,
    GetCookies,
    GoBack,
    HideLoader,
    Navigate,
    PrintPage,
    PrintToPdf,
    Reload,
    RemoveCookie,
    RunScript,
    SetCookie,
    SetZoom,
    ShowDevTools,
    ShowLoader,
)
from rostrum.desktop.hosts.reports import (
    Crashed,
    DocumentTitled,
    DownloadProgressed,
    HostLost,
    HostRestored,
    LoadFailed,
    LoadFinished,
    Navigated,
    PermissionRequested,
    RendererStarted,
    Responsive,
    Unresponsive,
    WindowClosed,
    WindowRequested,
    Zoomed,
)
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.pages import Page, Spelling
from rostrum.desktop.windows.requests import page_requests
from tests.windows import processes
from tests.windows.display import Display
from tests.windows.real_host import RealHost, about, real_host, rectangle, site, window
from tests.windows.screen import Screen

ONE = Bounds(100, 120, 500, 400)
GREEN = "<title>{title}</title><body style='background:#00ff00'><p>word word word</p>"
PAGES: dict[str, str | bytes] = {
    "/": GREEN.format(title="First"),
    "/second": GREEN.format(title="Second"),
    "/popup": "<title>Popup</title>",
    "/file": b"x" * 5000,
}
pytestmark = pytest.mark.asyncio(loop_scope="module")


def environment_of(process: int | None) -> str:
    return Path(f"/proc/{process}/environ").read_text(encoding="utf-8")


def loaded(running: RealHost, path: str) -> "asyncio.Task[LoadFinished]":
    return asyncio.create_task(running.wait_for(LoadFinished, lambda one: one.url.endswith(path)))


@pytest.mark.long
async def test_what_a_page_does_is_reported_and_what_apps_ask_of_it_is_done(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    with site(PAGES) as pages:
        async with real_host(display, ROSTRUM_DOWNLOADS=str(tmp_path)) as running:
            host = running.host
            await host.open_window(window("one", pages.origin + "/", ONE))
            await loaded(running, "/")
            assert await running.wait_for(DocumentTitled) == DocumentTitled(instance="one", title="First")
            assert (await running.wait_for(RendererStarted)).process > 1
            width = await host.act("one", RunScript(code="innerWidth"))
            await host.act("one", SetZoom(factor=2))
            assert await running.wait_for(Zoomed) == Zoomed(instance="one", factor=2)
            await running.until(lambda: host.act("one", RunScript(code="innerWidth")), lambda now: now == width // 2)
            await host.act("one", SetZoom(factor=1))
            assert await host.act("one", RunScript(code="({a: [1, null], b: document.title})")) == {
                "a": [1, None],
                "b": "First",
            }
            assert await host.act("one", RunScript(code="let a = 1; a + 2")) == 3
            with pytest.raises(DesktopError, match="Error: no"):
                await host.act("one", RunScript(code="throw new Error('no')"))
            assert await host.act("one", Find(text="word")) == {"matches": 3}
            assert (await host.act("one", Find(text=""))) == {"matches": 0}
            assert base64.b64decode(await host.act("one", Capture())).startswith(b"\x89PNG")
            pdf = tmp_path / "page.pdf"
            assert await host.act("one", PrintToPdf(options={"filePath": str(pdf)})) == str(pdf)
            assert pdf.read_bytes().startswith(b"%PDF")
            with pytest.raises(DesktopError, match=r"must be an absolute path that ends with \.pdf"):
                await host.act("one", PrintToPdf(options={"filePath": "/etc/passwd"}))
            with pytest.raises(DesktopError, match="print to PDF instead"):
                await host.act("one", PrintPage())
            got = await host.act("one", Download(url=pages.origin + "/file", options={"fileName": "../../a:b.bin"}))
            assert got == {"path": str(tmp_path / "a_b.bin"), "size": 5000}
            assert (tmp_path / "a_b.bin").read_bytes() == PAGES["/file"]
            states = [one.state for one in running.heard if isinstance(one, DownloadProgressed)]
            assert (states[0], states[-1]) == ("started", "completed")
            await screen.until("the bar", lambda: screen.pixel(590, 512) == (0x2B, 0x3A, 0x55))
            with pytest.raises(DesktopError, match="only addresses of http"):
                await host.act("one", Download(url="file:///etc/passwd"))
            cookie = {"url": pages.origin, "name": "n", "value": "v"}
            await host.act("one", SetCookie(cookie=cookie))
            found = await running.until(lambda: host.act("one", GetCookies(filter={"name": "n"})), bool)
            assert (found[0]["value"], found[0]["domain"]) == ("v", "127.0.0.1")
            await host.act("one", RemoveCookie(url=pages.origin, name="n"))
            await running.until(lambda: host.act("one", GetCookies(filter={"name": "n"})), lambda now: not now)
            await host.act("one", Navigate(url=pages.origin + "/second"))
            await loaded(running, "/second")
            assert Navigated(instance="one", url=pages.origin + "/second") in running.heard
            running.forget()
            await host.act("one", GoBack())
            await running.wait_for(Navigated, lambda one: one.url == pages.origin + "/")
            # The end of a load hides a loader: none may be missing when the loader is shown.
            await loaded(running, "/")
            running.forget()
            await host.act("one", Reload(ignore_cache=True))
            await running.wait_for(LoadFinished)
            await host.act("one", ShowLoader(options={"background": "#ff00ff"}))
            await screen.until("the loader", lambda: screen.pixel(110, 200) == (255, 0, 255))
            await host.act("one", HideLoader())
            await screen.until("the page", lambda: screen.pixel(110, 200) == (0, 255, 0))
            await host.act("one", ShowDevTools())
            await screen.until("the tools", lambda: any("Developer tools" in title for title in screen.titles()))
            closed = window("locked", pages.origin + "/", ONE, details={"devToolsEnable": False})
            await host.open_window(closed)
            with pytest.raises(DesktopError, match="devToolsEnable"):
                await host.act("locked", ShowDevTools())
            await host.act("one", Navigate(url="http://127.0.0.1:1/"))
            assert (await running.wait_for(LoadFailed)).instance == "one"


async def test_keys_zoom_search_and_reload_and_menus_show_where_the_definition_allows_them(
    running: RealHost, screen: Screen
) -> None:
    page = Page(preload=None, spelling=None, search=True, search_in_pdf=True)
    menu = {"contextMenu": {"enabled": True}}
    with site(PAGES) as pages:
        host = running.host
        await host.open_window(window("one", pages.origin + "/", ONE, page=page, details=menu))
        await loaded(running, "/")
        await screen.until("focus", lambda: (one := screen.active()) and one.title == "Window one")
        await asyncio.to_thread(screen.click, 300, 300)
        screen.key("Control_L", "minus")
        assert (await running.wait_for(Zoomed)).factor == 0.9
        screen.key("Control_L", "0")
        await running.wait_for(Zoomed, lambda one: one.factor == 1)
        running.forget()
        screen.key("F5")
        await running.wait_for(LoadFinished)
        await screen.until("the page", lambda: screen.pixel(300, 510) == (0, 255, 0))
        screen.key("Control_L", "f")
        await screen.until("the search", lambda: screen.pixel(300, 510) != (0, 255, 0))
        screen.key("Escape")
        await screen.until("no search", lambda: screen.pixel(300, 510) == (0, 255, 0))
        await asyncio.to_thread(screen.click, 300, 300, 3)
        await screen.until("the menu", screen.menus)
        screen.key("Escape")
        await screen.until("no menu", lambda: not screen.menus())
        await host.open_window(window("two", pages.origin + "/", ONE, details={"disableRefreshOnF5": True}))
        await running.wait_for(LoadFinished, lambda one: one.instance == "two")
        await screen.until("focus", lambda: (one := screen.active()) and one.title == "Window two")
        await asyncio.to_thread(screen.click, 300, 300, 3)
        screen.key("F5")
        screen.key("Control_L", "minus")
        await running.wait_for(Zoomed, lambda one: one.instance == "two")
        assert screen.menus() == []
        assert len([one for one in running.heard if isinstance(one, LoadFinished) and one.instance == "two"]) == 1


@pytest.mark.long
async def test_a_page_that_does_not_answer_is_reported_until_it_answers_again_and_the_others_go_on(
    display: Display, screen: Screen
) -> None:
    with site(PAGES) as pages, site(PAGES) as other:
        async with real_host(display, ROSTRUM_WINDOWS_HEARTBEAT="300") as running:
            host = running.host
            await host.open_window(window("one", pages.origin + "/", ONE))
            await host.open_window(window("two", other.origin + "/", Bounds(700, 100, 300, 200)))
            for name in ("one", "two"):
                await running.wait_for(LoadFinished, about(name))
            started = await running.wait_for(RendererStarted, lambda one: one.instance == "one")
            running.forget()
            os.kill(started.process, signal.SIGSTOP)
            await running.wait_for(Unresponsive, lambda one: one.instance == "one")
            await screen.until("the message", lambda: screen.pixel(110, 200) == (0xF4, 0xF6, 0xF9))
            assert await host.act("two", RunScript(code="document.title")) == "First"
            running.forget()
            os.kill(started.process, signal.SIGCONT)
            await running.wait_for(Responsive, lambda one: one.instance == "one")
            await screen.until("the page", lambda: screen.pixel(110, 200) == (0, 255, 0))


@pytest.mark.long
async def test_a_page_that_uses_more_memory_than_its_window_may_is_ended(running: RealHost, screen: Screen) -> None:
    eats = "const kept = []; setInterval(() => kept.push(new Array(1e6).fill(kept.length + 0.5)), 20)"
    pages = {**PAGES, "/eats": f"<title>Eats</title><script>{eats}</script>"}
    with site(pages) as served:
        host = running.host
        await host.open_window(window("one", served.origin + "/eats", ONE, memory_limit=200))
        await host.open_window(window("two", served.origin + "/", Bounds(700, 100, 300, 200), memory_limit=400))
        crashed = await running.wait_for(Crashed, within=60)
        assert (crashed.instance, crashed.reason) == ("one", "memory limit")
        assert await host.act("two", RunScript(code="1")) == 1


@pytest.mark.rule("R-2.15-15")
async def test_dictionaries_are_fetched_from_the_address_of_the_settings(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    with site(
        {"/dict/en-us-10-1.bdic": b"not a dictionary", "/dict/en-us-3-0.bdic": b"BDic" + bytes(60), **PAGES}
    ) as served:
        async with real_host(display, Engine(folder=str(tmp_path))) as running:
            spelling = Spelling(languages=("en-US", "../x"), dictionaries=f"{served.origin}/dict")
            await running.host.set_spelling(spelling)
            stored = tmp_path / "dictionaries" / "en-US.bdic"
            await screen.until("the dictionary", stored.exists)
            assert stored.read_bytes().startswith(b"BDic")
            assert not [path for path in served.asked if "x" in path]
            await running.host.set_spelling(None)


async def test_pages_open_windows_at_the_place_they_ask_for_and_keep_their_opener(
    running: RealHost, screen: Screen
) -> None:
    with site(PAGES) as pages:
        host = running.host
        asked: list[WindowRequested] = []

        async def answer(wanted: WindowRequested) -> bool:
            asked.append(wanted)
            if not wanted.url.endswith("/popup"):
                return False
            assert wanted.bounds is not None
            await host.open_window(window("popup", wanted.url, wanted.bounds, adopts=wanted.page, opener="one"))
            return True

        running.reports.handle(WindowRequested, answer)
        await host.open_window(window("one", pages.origin + "/", ONE))
        await loaded(running, "/")
        features = "left=700,top=120,width=320,height=210"
        await host.act("one", RunScript(code=f"window.other = window.open('/popup', 'p', '{features}'); 1"))
        await loaded(running, "/popup")
        await running.wait_for(Navigated, lambda one: one.instance == "popup")
        assert asked[0].bounds == Bounds(700, 120, 320, 210)
        shown = screen.window("Window popup")
        assert shown.bounds == rectangle(Bounds(700, 120, 320, 210))
        assert await host.act("popup", RunScript(code="opener.document.title")) == "First"
        assert await host.act("one", RunScript(code="other.document.title")) == "Popup"
        await host.act("one", RunScript(code="window.open('/second'); 1"))
        await screen.until("the question", lambda: len(asked) == 2)
        assert len(screen.windows()) == 2
        await host.act("popup", RunScript(code="window.close()"))
        await running.wait_for(WindowClosed, lambda one: one.instance == "popup")


async def test_pages_get_nothing_that_the_settings_do_not_give_them(running: RealHost, screen: Screen) -> None:
    with site(PAGES) as pages, site(PAGES) as other:
        host = running.host
        await host.set_requests(page_requests(f"^{pages.origin}/", None)[0])
        await host.open_window(window("one", pages.origin + "/", ONE))
        await loaded(running, "/")
        blocked = await host.act(
            "one", RunScript(code=f"fetch('{other.origin}/', {{mode: 'no-cors'}}).then(() => 1); 1")
        )
        assert blocked == 1
        await host.act("one", Navigate(url=other.origin + "/"))
        await running.wait_for(LoadFailed)
        assert other.asked == []
        await host.set_requests(page_requests(None, None)[0])
        await host.act("one", Navigate(url=other.origin + "/second"))
        await loaded(running, "/second")
        # Programs of the machine and pages of the platform cannot be reached from a page.
        for address in ("rostrum-page://about/", "mailto:a@b", "file:///etc/passwd"):
            await host.act("one", RunScript(code=f"location.href = '{address}'; 1"))
        await host.act("one", RunScript(code="1"))
        assert await host.act("one", RunScript(code="location.pathname")) == "/second"
        # Another origin than that of the app gets no permission, without any question.
        asked: list[PermissionRequested] = []

        async def answer(wanted: PermissionRequested) -> bool:
            asked.append(wanted)
            return False

        running.reports.handle(PermissionRequested, answer)
        script = "window.result = ''; Notification.requestPermission().then((got) => { window.result = got; }); 1"
        await host.act("one", RunScript(code=script))
        await running.until(lambda: host.act("one", RunScript(code="result")), lambda now: now == "denied")
        assert asked == []
        await host.act("one", Navigate(url=pages.origin + "/second"))
        await running.wait_for(LoadFinished, lambda one: one.url == pages.origin + "/second")
        await host.act("one", RunScript(code=script))
        await screen.until("the question", lambda: asked)
        assert asked == [PermissionRequested(instance="one", origin=pages.origin, permission="notifications")]


async def test_a_page_leaves_only_for_the_origin_that_its_rule_names(running: RealHost) -> None:
    with site(PAGES) as pages:
        host, port = running.host, pages.origin.rpartition(":")[2]
        rule = {"navigation": {"allowed": f"http://bank.localhost:{port}"}}
        await host.open_window(window("one", pages.origin + "/", ONE, details=rule))
        await loaded(running, "/")
        for attack in ("bank.localhost.evil.localhost", "bank.localhost@evil.localhost", "evil.localhost"):
            pages.asked.clear()
            code = f"location.href = 'http://{attack}:{port}/second?http://bank.localhost:{port}/'; 1"
            await host.act("one", RunScript(code=code))
            async with asyncio.timeout(20):
                assert await host.act("one", RunScript(code="location.pathname")) == "/"
        await host.act("one", RunScript(code=f"location.href = 'http://bank.localhost:{port}/second'; 1"))
        await loaded(running, "/second")
        assert [path for path in pages.asked if path.startswith("/second")] == ["/second"]


async def test_a_page_that_crashes_can_be_loaded_again_and_the_others_go_on(running: RealHost, screen: Screen) -> None:
    with site(PAGES) as pages, site(PAGES) as other:
        host = running.host
        await host.open_window(window("one", pages.origin + "/", ONE))
        await host.open_window(
            window("two", other.origin.replace("127.0.0.1", "localhost") + "/", Bounds(800, 100, 300, 200))
        )
        started = await running.wait_for(RendererStarted, lambda one: one.instance == "one")
        await running.wait_for(LoadFinished, lambda one: one.instance == "two")
        await running.wait_for(LoadFinished, lambda one: one.instance == "one")
        running.forget()
        os.kill(started.process, signal.SIGKILL)
        crashed = await running.wait_for(Crashed)
        assert (crashed.instance, crashed.reason) == ("one", "killed")
        assert await host.act("two", RunScript(code="1 + 1")) == 2
        await screen.until("the message", lambda: screen.pixel(110, 200) == (0xF4, 0xF6, 0xF9))
        # The button in the middle of the message.
        await asyncio.to_thread(screen.click, 310, 352)
        await running.wait_for(LoadFinished, lambda one: one.instance == "one")
        await screen.until("the page", lambda: screen.pixel(110, 200) == (0, 255, 0))


@pytest.mark.long
async def test_windows_return_to_their_places_when_the_process_is_killed_and_none_is_left_at_the_end(
    display: Display, screen: Screen
) -> None:
    places = {f"w{number}": Bounds(50 + 250 * number, 100 + 20 * number, 240, 200) for number in range(5)}
    with site(PAGES) as pages:
        async with real_host(display) as running:
            host = running.host
            for name, place in places.items():
                await host.open_window(window(name, pages.origin + "/", place))
            await host.move_window("w0", Bounds(20, 500, 240, 200))
            first = running.process.process
            assert first is not None
            below = processes.descendants(first)
            running.forget()
            os.kill(first, signal.SIGKILL)
            assert (await running.wait_for(HostLost)).restarting
            await running.wait_for(HostRestored)
            for name in places:
                await running.wait_for(LoadFinished, about(name))
            places["w0"] = Bounds(20, 500, 240, 200)
            # A page may have loaded before the window manager shows its window.
            expected = {f"Window {name}": rectangle(place) for name, place in places.items()}
            await screen.until("their places", lambda: {one.title: one.bounds for one in screen.windows()} == expected)
            assert not [one for one in running.heard if isinstance(one, WindowClosed)]
            # Nothing of the first process is left.
            gone = await screen.until(
                "the end of the processes of pages", lambda: not (below.keys() & processes.processes().keys())
            )
            assert gone
            second = processes.descendants(running.process.process)
        # Processes of the engine end by themselves, shortly after the process that started them.
        screen.wait_for("the end of all processes", lambda: not (second.keys() & processes.processes().keys()))
        assert screen.windows() == []


async def test_the_debugging_port_and_root_exist_in_test_mode_only(display: Display, tmp_path: Path) -> None:
    environment = {"ROSTRUM_WINDOWS_DEBUGGING": "0.0.0.0:9", "QTWEBENGINE_CHROMIUM_FLAGS": "--remote-debugging-port=9"}
    engine = Engine(folder=str(tmp_path), switches=(("remote-debugging-port=9", None), ("lang", "de")))
    async with real_host(display, engine, **environment) as running:
        command = environment_of(running.process.process)
        assert "QTWEBENGINE_CHROMIUM_FLAGS" not in command
        with pytest.raises(OSError, match="Connect call failed"):
            await asyncio.open_connection("127.0.0.1", 9)
    if os.geteuid() == 0:
        async with real_host(display, ROSTRUM_WINDOWS_TEST="0") as running:
            lost = await running.wait_for(HostLost)
            assert lost.reason.startswith("Windows cannot be shown as root")
            assert not lost.restarting
