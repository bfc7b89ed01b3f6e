"""Questions of the platform that a page of the firm asks, and the built-in dialog where that page cannot."""

import asyncio

import pytest

from rostrum.desktop.hosts.port import DialogLook
from tests.windows.display import Display
from tests.windows.real_host import real_host, site
from tests.windows.screen import Rectangle, Screen

GREEN, DARK_GREEN, RAISED = (0, 255, 0), (0, 128, 0), (255, 255, 255)
CHOICES = ("Stay", "Leave")
ASKS = """<!doctype html><style>p { font-size: 40px }</style><p id="text"></p><script>
  const { question, choices, colorScheme } = rostrum.dialog;
  text.textContent = question;
  // Green when the page has the keyboard.
  setInterval(() => (document.documentElement.style.background = document.hasFocus() ? "#00ff00" : "#008000"), 20);
  addEventListener("click", async () => {
    const refusal = await rostrum.answer("Perhaps").catch((error) => error.message);
    await fetch("/told?" + new URLSearchParams({ question, choices, colorScheme, refusal }));
    rostrum.answer("Leave");
  });
</script>"""


QUIET = ASKS.replace("addEventListener", "((...ignored) => {})")


def look(url: str, *, transparent: bool | None = None) -> DialogLook:
    return DialogLook(width=500, height=200, transparent=transparent, url=url)


@pytest.mark.long
async def test_the_page_of_the_settings_asks_and_gives_the_answer(display: Display, screen: Screen) -> None:
    with site({"/dialog": ASKS, "/quiet": QUIET}) as pages:
        async with real_host(display) as running:
            host = running.host
            asking = asyncio.create_task(host.ask("Leave anyway?", CHOICES, look(f"{pages.origin}/dialog")))
            shown = await screen.until("the dialog", lambda: screen.find("Rostrum"))
            assert shown.bounds == Rectangle(550, 350, 500, 200)
            assert "ABOVE" in shown.states
            await screen.until("the focus", lambda: screen.pixel(1040, 540) == GREEN)
            await screen.until("the text", lambda: screen.image(shown.bounds).count(GREEN) < 500 * 200 - 100)
            assert not asking.done()
            await asyncio.to_thread(screen.click, *shown.bounds.center)
            assert await asking == "Leave"
            (told,) = [path for path in pages.asked if path.startswith("/told")]
            assert told == (
                "/told?question=Leave+anyway%3F&choices=Stay%2CLeave&colorScheme=light"
                "&refusal=the+choice+must+be+one+of+Stay%2C+Leave"
            )
            await screen.until("no dialog", lambda: screen.find("Rostrum") is None)
            asking = asyncio.create_task(host.ask("Again?", CHOICES, look(f"{pages.origin}/quiet", transparent=True)))
            await screen.until("the page", lambda: screen.pixel(1040, 540) in (GREEN, DARK_GREEN))
            # The window manager may not give the keyboard to a window that nobody has clicked.
            await asyncio.to_thread(screen.click, 1040, 540)
            await screen.until("the focus", lambda: screen.pixel(1040, 540) == GREEN)
            screen.key("Escape")
            assert await asking == "Stay"
            await screen.until("no dialog", lambda: screen.find("Rostrum") is None)
            asking = asyncio.create_task(host.ask("Again?", CHOICES, look(f"{pages.origin}/dialog")))
            shown = await screen.until("the dialog", lambda: screen.find("Rostrum"))
            screen.ask_to_close(shown)
            assert await asking == "Stay"


@pytest.mark.long
async def test_the_built_in_dialog_asks_when_the_page_cannot(display: Display, screen: Screen) -> None:
    with site({}) as pages:
        nowhere = "http://127.0.0.1:1/dialog"
        async with real_host(display) as running:
            for url in (nowhere, f"{pages.origin}/missing", "file:///etc/passwd", "javascript:alert(1)", "no address"):
                asking = asyncio.create_task(running.host.ask("Leave anyway?", CHOICES, look(url)))
                shown = await screen.until("the dialog", lambda: screen.find("Rostrum"))
                await screen.until("drawn", lambda: screen.pixel(560, 360) == RAISED)
                screen.ask_to_close(shown)
                assert await asking == "Stay"
                await screen.until("no dialog", lambda: screen.find("Rostrum") is None)
