"""The sign-in page in a window: what it hands over, what is refused, and what happens without it."""

import asyncio
import base64
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from rostrum.desktop.errors import StartFailed
from rostrum.desktop.hosts.reports import CredentialsEntered, HostLost
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.sources.load import Start
from tests.desktop.test_platform import Desk, desk, until, with_manager
from tests.plain_http import NO_TLS
from tests.real_manager import USER, Manager, manager

__all__ = ["desk"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manager]:
    with manager(tmp_path_factory.mktemp("manager")) as running:
        yield running


def handed(user: str, password: str, scheme: str = "Basic") -> CredentialsEntered:
    encoded = base64.b64encode(f"{user}:{password}".encode()).decode()
    return CredentialsEntered(user=user, details={"headers": {"Authorization": f"{scheme} {encoded}"}})


class Starting:
    """A platform whose user signs in on the page of the manager."""

    def __init__(self, desk: Desk, server: Manager) -> None:
        url = f"{server.address}/admin/gd"
        desk.system(**with_manager(server, ssoAuth={"authController": "sso", "options": {"url": url}}))
        self.host = desk.host
        self.asked: list[str] = []
        start = Start(root=desk.root, variables={"USER": "os user"})
        self.platform = Platform(start, desk.host, self._ask, ask_on_page=lambda page: page)
        self.task = asyncio.create_task(self.platform.start())

    async def _ask(self, message: str) -> Login | None:
        self.asked.append(message)
        return Login(*USER)

    async def until_shown(self) -> None:
        await until(lambda: self.task.done() or "login" in [what for what, _ in self.host.calls])
        # The page is asked after it is shown.
        await asyncio.sleep(0)

    async def enter(self, entered: CredentialsEntered) -> Any:
        return await self.host.reports.ask(entered)


@pytest.mark.long
@pytest.mark.rule("R-2.4-4")
async def test_the_page_hands_over_who_signs_in_and_the_terminal_is_not_asked(desk: Desk, server: Manager) -> None:
    starting = Starting(desk, server)
    await starting.until_shown()
    for useless in (
        CredentialsEntered(user="ann"),
        CredentialsEntered(user="ann", details={"headers": "Basic"}),
        CredentialsEntered(user="ann", details={"headers": {"Authorization": "Basic %%%"}}),
        CredentialsEntered(user="ann", details={"headers": {"Authorization": "Basic " + "A" * 100_000}}),
        handed(*USER, scheme="Digest"),
        CredentialsEntered(user="ann", details={"headers": {"Authorization": "Bearer a b"}}),
        CredentialsEntered(user="", details={"token": "line\nbreak"}),
        CredentialsEntered(user="", details={"token": "A" * 100_000}),
        CredentialsEntered(user="", details={"token": 7}),
    ):
        assert await starting.enter(useless) is False
    assert await starting.enter(handed(USER[0], "wrong")) is True
    assert await starting.enter(handed(*USER)) is True
    await starting.task
    try:
        assert (starting.platform.user, starting.asked) == (USER[0], [])
        # The splash does not cover the page.
        shown = [what for what, _ in starting.host.calls if "login" in what or "splash" in what]
        assert shown == ["splash", "no splash", "login", "no login", "splash", "no splash"]
        # Nobody waits for it any more.
        assert await starting.enter(handed(*USER)) is False
    finally:
        await starting.platform.stop()


async def test_a_token_of_the_manager_alone_is_enough_and_one_that_is_not_valid_is_refused(
    desk: Desk, server: Manager
) -> None:
    async with httpx.AsyncClient(auth=USER, timeout=30, verify=NO_TLS) as client:
        token = (await client.get(f"{server.address}/signin", params={"token": "true"})).json()["token"]
    starting = Starting(desk, server)
    await starting.until_shown()
    assert await starting.enter(CredentialsEntered(user="", details={"token": "not.a.token"})) is True
    header = {"Authorization": f"Bearer {token}"}
    assert await starting.enter(CredentialsEntered(user="whoever", details={"headers": header})) is True
    await starting.task
    try:
        # The manager says whose token it is.
        assert (starting.platform.user, starting.asked) == (USER[0], [])
        (kept,) = (desk.root / "UserData").rglob("signIns/*.json")
        account = json.loads(kept.read_text())
        assert token not in kept.read_text()
        assert USER[0] in json.dumps(account)
    finally:
        await starting.platform.stop()


async def test_a_user_who_closes_the_page_stops_the_start(desk: Desk, server: Manager) -> None:
    starting = Starting(desk, server)
    await starting.until_shown()
    assert await starting.enter(CredentialsEntered(user="")) is True
    with pytest.raises(StartFailed, match="sign-in: no user has signed in"):
        await starting.task


async def test_the_terminal_is_asked_when_windows_fail_for_good(desk: Desk, server: Manager) -> None:
    starting = Starting(desk, server)
    await starting.until_shown()
    starting.host.reports.report(HostLost(reason="no display", restarting=True))
    assert starting.asked == []
    starting.host.reports.report(HostLost(reason="no display", restarting=False))
    await starting.task
    assert (starting.platform.user, len(starting.asked)) == (USER[0], 1)
    await starting.platform.stop()


def test_nothing_of_the_password_is_shown() -> None:
    shown = repr(handed("ann", "secret")) + repr(Login("ann", "secret")) + repr(Login("ann", token="secret"))
    assert "secret" not in shown
