"""What the platform itself shows: splash, dialogs, toasts, menu, its own pages, the sign-in page, loaders, hotkeys."""

import asyncio
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import Focus
from rostrum.desktop.hosts.port import DialogLook, LoginScreen, Splash, Theme, Toast, ToastAction, TrayEntry
from rostrum.desktop.hosts.reports import (
    CredentialsEntered,
    HotkeyPressed,
    LoadFinished,
    OwnPageClosed,
    PageCall,
    ToastActionChosen,
    ToastClicked,
    ToastClosed,
    TrayChosen,
)
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.loader import Loader
from tests.windows.display import Display
from tests.windows.real_host import real_host, site, window
from tests.windows.screen import Rectangle, Screen, Window

ONE = Bounds(100, 120, 500, 400)
PAGES: dict[str, str | bytes] = {"/": "<title>A page</title><body style='background:#00ff00'>"}
SPLASH = Splash(
    width=400, height=240, url=None, build="7", version="10.1", always_on_top=True, in_taskbar=False, transparent=False
)
SURFACE, RAISED, ACCENT = (0xF4, 0xF6, 0xF9), (255, 255, 255), (0x25, 0x63, 0xC9)
DARK_SURFACE, DARK_RAISED = (0x1C, 0x21, 0x2B), (0x26, 0x2C, 0x38)


def toast(identity: str, **more: Any) -> Toast:
    values = {"severity": "High", "stack": None, "corner": "bottom-right", **more}
    return Toast(id=identity, title=f"Title {identity}", body="Some text", **values)


async def test_splash_and_loader_are_in_the_middle_toasts_follow_the_theme_and_dialogs_wait(
    display: Display, screen: Screen
) -> None:
    async with real_host(display) as running:
        host = running.host
        await host.show_splash(SPLASH)
        await screen.until("the splash", lambda: screen.pixel(800 - 190, 450) == SURFACE)
        await host.hide_splash()
        await screen.until("no splash", lambda: screen.pixel(800 - 190, 450) != SURFACE)
        await host.show_toast(toast("a", actions=(ToastAction(id="yes", title="Yes"),)))
        shown = await screen.until("a toast", lambda: screen.find("Notification"))
        inside = (shown.bounds.right - 4, shown.bounds.y + 4)
        await screen.until("the toast in light colours", lambda: screen.pixel(*inside) == RAISED)
        await host.set_themes((Theme(name="dark", title="Dark"),), "dark")
        await screen.until("the toast in dark colours", lambda: screen.pixel(*inside) == DARK_RAISED)
        await host.hide_toast("a")
        await host.show_loader(Loader(width=300, height=100, title="Restoring", url=None))
        await screen.until("the loader", lambda: screen.pixel(800 - 140, 450) == DARK_SURFACE)
        await host.hide_loader()
        await screen.until("no loader", lambda: screen.pixel(800 - 140, 450) != DARK_SURFACE)
        await host.set_themes((Theme(name="light", title="Light"),), "light")
        look = DialogLook(width=500, height=200, transparent=None, url=None)
        asking = asyncio.create_task(host.ask("Leave anyway?", ("Stay", "Leave"), look))
        shown = await screen.until("the dialog", lambda: screen.find("Rostrum"))
        dialog = shown.bounds
        assert dialog == Rectangle(550, 350, 500, 200)
        await screen.until("drawn", lambda: screen.pixel(560, 360) == RAISED)
        assert not asking.done()
        # The last button, at the lower right.
        await asyncio.to_thread(screen.click, 1050 - 55, 550 - 30)
        assert await asking == "Leave"
        await screen.until("no dialog", lambda: screen.find("Rostrum") is None)
        asking = asyncio.create_task(host.ask("Again?", ("Stay", "Leave"), look))
        await screen.until("drawn", lambda: screen.pixel(560, 360) == RAISED)
        # The window manager may not give the keyboard to a window that nobody has clicked.
        await asyncio.to_thread(screen.click, 560, 360)
        # The ring around the first button: the dialog has the keyboard.
        await screen.until("the focus", lambda: screen.image(dialog).count(ACCENT))
        screen.key("Escape")
        assert await asking == "Stay"


@pytest.mark.long
async def test_toasts_stack_in_their_corner_and_take_no_focus(display: Display, screen: Screen) -> None:
    with site(PAGES) as pages:
        async with real_host(display) as running:
            host = running.host
            await host.open_window(window("one", pages.origin + "/", ONE))
            await screen.until("focus", lambda: (one := screen.active()) and one.title == "Window one")
            await host.show_toast(toast("a", actions=(ToastAction(id="yes", title="Yes"),)))
            first = await screen.until("a toast", lambda: screen.find("Notification"))
            assert not screen.accepts_focus(first)
            assert (first.bounds.right, first.bounds.bottom) == (1590, 890)
            await screen.until("the focus", lambda: (now := screen.active()) is not None and now.title == "Window one")
            await host.show_toast(toast("b"))

            def two() -> list[Window] | None:
                toasts = [one for one in screen.windows() if one.title == "Notification"]
                return toasts if len(toasts) == 2 else None

            shown = await screen.until("two toasts", two)
            assert len({one.bounds for one in shown}) == 2
            newest = max(shown, key=lambda one: one.bounds.y)
            await asyncio.to_thread(screen.click, newest.bounds.x + 60, newest.bounds.bottom - 16)
            assert await running.wait_for(ToastClicked) == ToastClicked(toast="b")
            await host.hide_toast("b")
            oldest = await screen.until(
                "one toast", lambda: one if (one := screen.find("Notification")) and one.bounds.bottom == 890 else None
            )
            await asyncio.to_thread(screen.click, oldest.bounds.center[0], oldest.bounds.bottom - 24)
            assert await running.wait_for(ToastActionChosen) == ToastActionChosen(toast="a", action="yes")
            # Closed with its button.
            await asyncio.to_thread(screen.click, oldest.bounds.right - 20, oldest.bounds.y + 20)
            assert await running.wait_for(ToastClosed) == ToastClosed(toast="a")
            await screen.until("no toast", lambda: screen.find("Notification") is None)
            for identity in ("c", "d"):
                await host.show_toast(toast(identity, stack="High", corner="top-left"))
            stacked = await screen.until("a stack", lambda: screen.find("Notification"))
            assert (stacked.bounds.x, stacked.bounds.y) == (10, 10)
            assert screen.titles().count("Notification") == 1
            await host.hide_toast("d")
            await host.hide_toast("c")
            await screen.until("no toast", lambda: screen.find("Notification") is None)


@pytest.mark.long
async def test_the_menu_of_the_platform_is_there_without_a_tray_and_hotkeys_reach_it(
    display: Display, screen: Screen
) -> None:
    async with real_host(display) as running:
        host = running.host
        await host.show_tray((TrayEntry(id="open", title="Open"), TrayEntry(id="exit", title="Exit")))
        button = await screen.until("the small window", lambda: screen.find("Rostrum menu"))
        await asyncio.to_thread(screen.click, *button.bounds.center)
        (menu,) = await screen.until("the menu", screen.menus)
        await asyncio.to_thread(screen.click, menu.x + 30, menu.bottom - 12)
        assert await running.wait_for(TrayChosen) == TrayChosen(entry="exit")
        assert await host.set_hotkeys(("ctrl+alt+k", "f9", "ctrl+nosuchkey")) == ("ctrl+nosuchkey",)
        screen.key("Control_L", "Alt_L", "k")
        assert await running.wait_for(HotkeyPressed) == HotkeyPressed(hotkey="ctrl+alt+k")
        async with real_host(display) as another:
            assert await another.host.set_hotkeys(("f9", "f8")) == ("f9",)
            screen.key("F8")
            assert await another.wait_for(HotkeyPressed) == HotkeyPressed(hotkey="f8")
        running.forget()
        await host.set_hotkeys(("f9",))
        screen.key("Control_L", "Alt_L", "k")
        screen.key("F9")
        assert await running.wait_for(HotkeyPressed) == HotkeyPressed(hotkey="f9")


async def test_pages_of_the_platform_call_it_and_hear_its_events(display: Display, screen: Screen) -> None:
    async with real_host(display) as running:
        host = running.host
        calls: list[PageCall] = []

        async def answer(call: PageCall) -> Any:
            calls.append(call)
            raise ValueError("not in this test")

        running.reports.handle(PageCall, answer)
        await host.show_own("about")
        shown = await screen.until("the page", lambda: screen.find("About Rostrum"))
        await screen.until("a call", lambda: calls)
        assert {(call.page, call.instance) for call in calls} == {("about", "")}
        await host.show_own("about")
        assert screen.titles().count("About Rostrum") == 1
        await host.send_to_pages("theme", {"name": "dark"})
        await asyncio.to_thread(screen.click, shown.bounds.right - 19, shown.bounds.y + 19)
        assert await running.wait_for(OwnPageClosed) == OwnPageClosed(page="about")
        await screen.until("closed", lambda: screen.find("About Rostrum") is None)


@pytest.mark.long
async def test_a_sign_in_page_hands_over_what_was_entered(display: Display, screen: Screen) -> None:
    script = "<script>setTimeout(() => glue42gd.authDone({user: 'ann', password: 'p', token: 't'}), 50)</script>"
    with site({"/": f"<title>Sign in</title>{script}"}) as pages:
        async with real_host(display) as running:
            host = running.host
            entered: asyncio.Queue[CredentialsEntered] = asyncio.Queue()

            async def answer(credentials: CredentialsEntered) -> bool:
                entered.put_nowait(credentials)
                return True

            running.reports.handle(CredentialsEntered, answer)
            await host.show_login(LoginScreen(url=pages.origin + "/", width=420, height=360, mode=None))
            shown = await screen.until("the page", lambda: screen.find("Sign in"))
            assert shown.bounds == Rectangle(590, 270, 420, 360)
            async with asyncio.timeout(30):
                credentials = await entered.get()
            assert (credentials.user, credentials.password) == ("ann", "p")
            assert credentials.details == {"user": "ann", "token": "t"}
            await host.hide_login()
            await screen.until("no page", lambda: screen.find("Sign in") is None)
            assert not [one for one in running.heard if isinstance(one, LoadFinished)]
            await host.open_window(window("one", pages.origin + "/", ONE))
            await host.act("one", Focus())
