"""The sign-in page in a window of the desktop, and what it hands over to a real manager."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from rostrum.desktop.hosts.port import LoginScreen, WindowHost
from rostrum.desktop.hosts.reports import CredentialsEntered
from rostrum.desktop.hosts.start import child_environment
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.sources.load import Start
from tests.desktop.test_platform import with_manager
from tests.plain_http import NO_TLS
from tests.ports import free_port
from tests.real_manager import USER, Manager, manager
from tests.windows import processes
from tests.windows.cdp import Cdp
from tests.windows.desk import BORDER, CAPTION, engine_wanted, page_area, window_environment, write_desk
from tests.windows.display import Display
from tests.windows.pages import Pages, page, served
from tests.windows.prepared_windows import window_process
from tests.windows.real_host import real_host, site
from tests.windows.screen import Screen

BLUE, GREY = (0, 0, 255), (0xC3, 0xCA, 0xD5)


@asynccontextmanager
async def starting_desktop(
    root: Path, display: Display, server: Manager, sign_in: Mapping[str, Any]
) -> AsyncIterator[tuple[Platform, "asyncio.Task[None]", Cdp]]:
    """A platform that starts, and whose user signs in on a page."""

    async def ask(_: str) -> Login | None:
        raise AssertionError("the terminal is not asked")

    port = free_port()
    write_desk(root, {}, with_manager(server, ssoAuth={"authController": "sso", "options": sign_in}), "")
    host = cast("WindowHost", window_process(child_environment(window_environment(display, root, port))))
    start = Start(root=root, variables={"PATH": os.environ["PATH"], "USER": "os user"})
    platform = Platform(start, host, ask, ask_on_page=lambda page: page, headless=False)
    with processes.none_left():
        starting = asyncio.create_task(platform.start())
        try:
            yield platform, starting, Cdp(port)
        finally:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await platform.stop()


@pytest.fixture
def server(tmp_path: Path) -> Any:
    engine_wanted()
    (tmp_path / "manager").mkdir()
    with manager(tmp_path / "manager") as running:
        yield running


@pytest.mark.long
@pytest.mark.rule("R-2.4-4", "R-2.4-5")
async def test_the_user_signs_in_in_the_admin_ui_in_the_window_of_the_settings(
    display: Display, screen: Screen, tmp_path: Path, server: Manager
) -> None:
    window = {"width": 420, "height": 480, "mode": "flat"}
    address = f"{server.address.removesuffix('/api')}/admin/gd"
    async with starting_desktop(tmp_path, display, server, {"url": address, "window": window}) as found:
        platform, starting, cdp = found
        shown = await screen.until("the sign-in window", lambda: screen.find("Sign in"))
        assert (shown.bounds.width, shown.bounds.height) == (420, 480)
        async with cdp.page("/admin/gd") as inside:
            # The marker in the address notifies the page that a desktop signs in.
            await inside.until("document.activeElement?.name === 'user'")
            await screen.until("the focus", lambda: (one := screen.active()) and one.title == "Sign in")
            await inside.until("document.hasFocus()")
            # The caption bar of flat windows is above the page.
            assert await inside.evaluate("innerHeight") == 480 - 2 * BORDER - CAPTION
            screen.type(USER[0])
            await inside.until(f"document.activeElement.value === {USER[0]!r}")
            screen.key("Tab")
            await inside.until("document.activeElement.name === 'password'")
            screen.type(USER[1])
            await inside.until(f"document.activeElement.value === {USER[1]!r}")
            assert not starting.done()
            screen.key("Return")
        async with asyncio.timeout(60):
            await asyncio.shield(starting)
        assert platform.user == USER[0]
        await screen.until("no sign-in window", lambda: screen.find("Sign in") is None or None)


@pytest.mark.long
async def test_a_page_may_hand_over_a_token_of_the_manager_alone(
    display: Display, screen: Screen, tmp_path: Path, server: Manager
) -> None:
    async with httpx.AsyncClient(auth=USER, timeout=30, verify=NO_TLS) as client:
        answer = await client.get(f"{server.address}/signin", params={"token": "true"})
    token = answer.json()["token"]
    script = "<p>Click to sign in</p><script>addEventListener('click', () => authDone({ token: TOKEN }))</script>"
    with served({"/gd": page("Sign in", script.replace("TOKEN", f"'{token}'"), color="#0000ff")}) as pages:
        sign_in = {"url": f"{pages.address}/gd", "window": {"mode": "frameless"}}
        async with starting_desktop(tmp_path, display, server, sign_in) as (platform, starting, cdp):
            shown = await screen.until("the sign-in window", lambda: screen.find("Sign in"))
            async with cdp.page("/gd") as inside:
                await inside.until("performance.getEntriesByName('first-contentful-paint').length")
            await screen.until("the page", lambda: screen.pixel(*shown.bounds.center) == BLUE)
            assert not starting.done()
            screen.click(*shown.bounds.center)
            async with asyncio.timeout(60):
                await asyncio.shield(starting)
            assert platform.user == USER[0]
            # The session with the manager is open, with a token of its own.
            sessions = server.admin("GET", "/admin/sessions")["items"]
            assert [one["user"] for one in sessions] == [USER[0]]


@pytest.mark.long
@pytest.mark.rule("R-2.4-5")
async def test_the_sign_in_window_has_the_size_and_the_mode_of_the_settings(display: Display, screen: Screen) -> None:
    script = """<p>Sign in</p><script>
      authDone({}).catch((error) => authDone({ token: "t", reason: error.message }));
    </script>"""
    with site({"/": f"<title>A page</title><body style='background:#0000ff'>{script}"}) as pages:
        async with real_host(display) as running:
            entered: asyncio.Queue[CredentialsEntered] = asyncio.Queue()

            async def answer(credentials: CredentialsEntered) -> bool:
                entered.put_nowait(credentials)
                return True

            running.reports.handle(CredentialsEntered, answer)
            for mode, has_border, has_caption in (
                ("flat", True, True),
                ("tab", True, True),
                ("html", True, False),
                ("frameless", False, False),
                ("FrameLess", False, False),
                ("round", True, True),
                (None, True, True),
            ):
                await running.host.show_login(LoginScreen(url=f"{pages.origin}/", width=420, height=360, mode=mode))
                shown = await screen.until("the window", lambda: screen.find("Sign in"))
                assert (shown.bounds.width, shown.bounds.height) == (420, 360)
                inside = page_area(shown)
                await screen.until("the page", partial(screen.shows, (inside.x + 5, inside.bottom - 9), BLUE))
                assert screen.pixel(shown.bounds.x + 1, shown.bounds.y + 100) == (GREY if has_border else BLUE)
                below_border = screen.pixel(shown.bounds.x + 200, shown.bounds.y + BORDER + 1)
                assert (below_border != BLUE) is has_caption, mode
                async with asyncio.timeout(30):
                    handed = await entered.get()
                reason = "authDone needs a user name with a password or headers, or a token"
                assert (handed.user, handed.details) == ("", {"token": "t", "reason": reason})
                await running.host.hide_login()
                await screen.until("no window", lambda: screen.find("Sign in") is None)
            # Closed by the person, who does not sign in.
            await running.host.show_login(LoginScreen(url=f"{pages.origin}/", width=420, height=360, mode="frameless"))
            shown = await screen.until("the window", lambda: screen.find("Sign in"))
            await asyncio.wait_for(entered.get(), 30)
            screen.ask_to_close(shown)
            async with asyncio.timeout(30):
                assert await entered.get() == CredentialsEntered(user="")
            await running.host.hide_login()


@pytest.mark.long
@pytest.mark.parametrize(
    "way", [pytest.param("address", marks=pytest.mark.long), "redirect", pytest.param("form", marks=pytest.mark.long)]
)
async def test_users_sign_in_at_another_site_which_has_no_access_to_the_sign_in(
    display: Display, screen: Screen, evil: Pages, way: str
) -> None:
    """As with OpenID Connect (redirects) and SAML (a form): the page goes to the identity provider and returns."""
    page_of_firm = """<script>
      const seen = new URLSearchParams(location.search).get("seen");
      if (seen) { authDone({ token: "t", seen }); }
      else { location.href = "PROVIDER/there"; }
    </script>"""
    provider = """<script>
      const seen = [typeof authDone, typeof glue42gd, typeof qt].join(), way = "WAY";
      const address = `PROVIDER/return?seen=${seen}`, form = document.createElement("form");
      addEventListener("load", () => {
        if (!sessionStorage.reloaded) { sessionStorage.reloaded = 1; location.reload(); }
        else if (way === "form") {
          form.method = "post";
          form.action = address;
          document.body.append(form);
          form.submit();
        } else { location.href = way === "redirect" ? address : `FIRM/gd?seen=${seen}`; }
      });
    </script>"""
    with served({}) as firm:

        def text(script: str) -> str:
            return script.replace("FIRM", firm.address).replace("PROVIDER", evil.address).replace("WAY", way)

        firm.answers["/gd"] = page("Sign in", text(page_of_firm))
        evil.answers["/there"] = page("Provider", text(provider))
        none = "undefined,undefined,undefined"
        # What the provider's page saw arrives in its own request.
        evil.answers["/return"] = lambda: (302, {"Location": f"{firm.address}/gd?{evil.queries['/return']}"}, b"")
        async with real_host(display) as running:
            entered: asyncio.Queue[CredentialsEntered] = asyncio.Queue()

            async def answer(credentials: CredentialsEntered) -> bool:
                entered.put_nowait(credentials)
                return True

            running.reports.handle(CredentialsEntered, answer)
            await running.host.show_login(LoginScreen(url=f"{firm.address}/gd", width=420, height=360, mode="flat"))
            async with asyncio.timeout(30):
                handed = await entered.get()
            assert handed.details == {"token": "t", "seen": none}
            assert evil.requests.count("/there") == 2
