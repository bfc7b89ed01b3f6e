"""The daily work of administrators in a firm of 10,000 users and 2,000 connected desktops, on each database."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.async_api import Browser

from rostrum.base.passwords import Passwords
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.access.permissions import ADMIN_GROUP
from rostrum.manager.auth.tokens import Use
from rostrum.manager.groups.repository import Groups
from rostrum.manager.manager import Manager
from rostrum.manager.server import RunningManager
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, config_for, enter, visiting_again
from tests.long_form import LONG
from tests.plain_http import NO_TLS
from tests.tables import empty_database

USERS = 10_000
DESKTOPS = 2_000
DESK = DESKTOPS if LONG else 800
"""The desktops that are restarted; more of them in one wave than in one transaction."""
MOVED = 2_500
"""The users whose groups are changed, in more than one transaction."""
LEAVERS = 40
ADMINS = ("admin", "second")
AT_ONCE = 16


def user_name(number: int) -> str:
    return f"{'leaver' if number >= USERS - LEAVERS else 'trader'}-{number:05}"


def group_of(number: int) -> str:
    if number < DESK:
        return "Large desk"
    return "Middle office" if number < DESK + MOVED else "Back office"


def session_name(number: int) -> str:
    return f"session-{number:05}"


class Firm:
    """A running manager, and its desktops."""

    def __init__(self, running: RunningManager, tokens: dict[str, str]) -> None:
        self.running = running
        self.tokens = tokens

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.running.base_url, auth=("admin", PASSWORD), timeout=60, verify=NO_TLS)

    @asynccontextmanager
    async def answering(self, run: str) -> AsyncIterator[None]:
        """Let all desktops answer the commands of a run, each with its own credentials, while the block lasts."""
        task = asyncio.create_task(self._answer(run))
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _answer(self, run: str) -> None:
        answered: set[str] = set()
        async with self.client() as admin:
            while len(answered) < DESK:
                for offset in range(0, DESK, 1000):
                    params: dict[str, str | int] = {"limit": 1000, "offset": offset, "state": "sent"}
                    page = (await admin.get(f"/admin/commands/runs/{run}/targets", params=params)).json()
                    waiting = [each for each in page["items"] if each["command"] not in answered]
                    targets = iter(waiting)
                    await asyncio.gather(*(self._answer_some(targets) for _ in range(AT_ONCE)))
                    answered |= {each["command"] for each in waiting}
                await asyncio.sleep(0.2)

    async def _answer_some(self, targets: Iterator[dict[str, str]]) -> None:
        """Answer commands on one connection; a complete HTTP client would take most of the time of this test."""
        address = urlsplit(self.running.base_url)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        body = b'{"status":"done"}'
        for target in targets:
            session = target["session"]
            lines = (
                f"POST {address.path}/sessions/{session}/commands/{target['command']}/result HTTP/1.1",
                f"Host: {address.netloc}",
                f"Authorization: Bearer {self.tokens[session]}",
                "Content-Type: application/json",
                f"Content-Length: {len(body)}",
            )
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 204 "), answer
        writer.close()
        await writer.wait_closed()


async def fill(manager: Manager) -> dict[str, str]:
    """Add the users and the sessions of their desktops, and return the token of each session."""
    await manager.open()
    password = await manager.passwords.hash(PASSWORD)
    tokens = {}
    async with manager.storage.write(SYSTEM.user) as work:
        for name in ADMINS:
            await work.of(Users).add(
                User(id=name, groups=(ADMIN_GROUP,), password_hash=password, stamp=work.stamp()),
            )
        await work.of(Users).add_all(
            [User(id=user_name(number), groups=(group_of(number),), stamp=work.stamp()) for number in range(USERS)]
        )
        await work.of(Groups).add_missing({group_of(number) for number in range(USERS)}, work.stamp())
        for number in range(DESKTOPS):
            await work.of(Sessions).add(
                Session(
                    id=session_name(number),
                    user=user_name(number),
                    machine=f"machine-{number:05}",
                    version="10.1",
                    env="PROD",
                    region="EMEA",
                    product="desktop",
                    commands="[]",
                    started=work.now,
                    # Connected for as long as the test takes.
                    last_seen=work.now.replace(year=work.now.year + 1, day=1),
                )
            )
            tokens[session_name(number)] = manager.tokens.sign(
                user_name(number), Use.CLIENT, epoch=0, seconds=3600, session=session_name(number)
            )
    await manager.close()
    return tokens


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def firm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firm]:
    if request.param == "sqlite":
        yield from running_firm(f"sqlite:///{tmp_path_factory.mktemp('large') / 'rostrum.db'}")
    else:
        with empty_database(request.getfixturevalue("postgresql_server")) as store:
            yield from running_firm(store)


def running_firm(store: str) -> Iterator[Firm]:
    config = config_for(store)
    tokens = asyncio.run(fill(Manager.of(config, passwords=Passwords(memory_kib=8, rounds=1))))
    with RunningManager(config) as running:
        yield Firm(running, tokens)


@asynccontextmanager
async def signed_in(browser: Browser, firm: Firm, user: str = "admin") -> AsyncIterator[Visitor]:
    async with visiting_again(browser, firm.running) as visitor:
        await enter(visitor.page.context, visitor.root, user)
        yield visitor


@pytest.mark.long
async def test_the_dashboard_counts_the_firm(browser: Browser, firm: Firm) -> None:
    async with signed_in(browser, firm) as admin:
        await admin.open("/", "Dashboard")
        for name, count in (("Users", "10,002"), ("Active sessions", "2,000")):
            await expect(admin.page.get_by_role("link", name=name).filter(has_text=count)).to_be_visible()


@pytest.mark.long
async def test_ten_thousand_users_scroll_and_the_address_leads_back(browser: Browser, firm: Firm) -> None:
    # Administrators and leavers come first in the list.
    in_the_middle = user_name(7005 - len(ADMINS) - LEAVERS)
    async with signed_in(browser, firm) as admin:
        page = admin.page
        await admin.open("/users", "Users")
        region = page.get_by_role("region", name="Users")
        await expect(region.get_by_role("status")).to_contain_text("of 10,002")
        await region.evaluate("area => area.scrollTop = 44 * 7000")
        await expect(page.get_by_role("link", name=in_the_middle, exact=True)).to_be_visible()
        assert await page.locator("tbody tr").count() < 100
        await expect(page).to_have_url(f"{admin.root}/admin/users?row=7000")

        await admin.open("/users?row=7000", "Users")
        await expect(page.get_by_role("link", name=in_the_middle, exact=True)).to_be_visible()


@pytest.mark.long
async def test_forty_leavers_among_ten_thousand_are_disabled(browser: Browser, firm: Firm) -> None:
    async with signed_in(browser, firm) as admin, firm.client() as api:
        page = admin.page
        await admin.open("/users", "Users")
        await expect(page.get_by_role("status").filter(has_text="of 10,002")).to_be_visible()
        await page.get_by_label("Search", exact=True).fill("leaver-")
        await expect(page.get_by_role("status").filter(has_text="of 40")).to_be_visible()
        await page.get_by_role("checkbox", name="Select all").click()
        await page.get_by_role("region", name="Selection").get_by_role("button", name="Disable").click()
        await page.get_by_role("dialog").get_by_role("button", name="Disable 40 users").click()
        await expect(page.get_by_text("Complete. 40 of 40 users processed.")).to_be_visible()
        listed = (await api.get("/admin/users", params={"disabled": "true", "limit": 100})).json()
        assert {user["id"] for user in listed["items"]} == {user_name(n) for n in range(USERS - LEAVERS, USERS)}


@pytest.mark.long
async def test_a_desk_is_restarted_in_three_waves_while_a_second_administrator_watches(
    browser: Browser, firm: Firm
) -> None:
    async with signed_in(browser, firm) as admin, signed_in(browser, firm, "second") as second:
        page = admin.page
        await admin.open("/command-runs/-/new", "New command run")
        await page.get_by_role("combobox", name="Command").fill("Restart")
        await page.get_by_role("textbox", name="Groups").fill("Large desk")
        await page.get_by_role("option", name="Large desk").click()
        await expect(page.get_by_text(f"{DESK:,} desktops: {DESK:,} ready.")).to_be_visible()
        await page.get_by_role("textbox", name="Waves", exact=True).fill("10%, 25%, 100%")
        await page.get_by_label("Pause between waves").fill("0")
        await page.get_by_role("button", name=f"Send to {DESK:,} desktops").click()
        await page.get_by_role("dialog").get_by_role("button", name="Send Restart").click()
        first = DESK // 10
        await expect(
            page.get_by_text(f"0 of {DESK:,} done, {first} not answered yet, {DESK - first:,} in later waves.")
        ).to_be_visible()
        run = page.url.rpartition("/")[2]

        # The second administrator pauses the run, and both see it.
        await second.open(f"/command-runs/{run}", "Restart")
        await second.page.get_by_role("button", name="Pause").click()
        await expect(page.locator(".label").filter(has_text="paused")).to_be_visible()
        await page.get_by_role("button", name="Continue").click()
        async with firm.answering(run):
            for each in (page, second.page):
                await expect(each.get_by_text(f"{DESK:,} of {DESK:,} done.")).to_be_visible(timeout=120_000)
        await expect(page.get_by_role("table", name="Waves").get_by_role("row")).to_have_count(4)


@pytest.mark.long
async def test_two_administrators_change_many_users_and_one_loses_the_connection(browser: Browser, firm: Firm) -> None:
    question, count = ("q=trader-0", USERS - LEAVERS) if LONG else ("group=Middle%20office", MOVED)
    one = user_name(DESK + 7)
    async with (
        signed_in(browser, firm) as admin,
        signed_in(browser, firm, "second") as second,
        firm.client() as api,
    ):
        for visitor, group in ((admin, "Late shift"), (second, "Early shift")):
            assert (await api.post("/admin/groups", json={"name": group})).status_code == 201
            page = visitor.page
            await visitor.open(f"/users?{question}", "Users")
            await page.get_by_role("checkbox", name="Select all").click()
            await page.get_by_role("region", name="Selection").get_by_role("button", name="Add to groups").click()
            dialog = page.get_by_role("dialog")
            await dialog.get_by_role("textbox", name="Groups").fill(group)
            await page.get_by_role("option", name=group).click()
            await expect(dialog).to_contain_text(f"{count:,} users would change.")
        for visitor in (admin, second):
            await visitor.page.get_by_role("dialog").get_by_role("button", name=f"Add {count:,} users").click()
            await visitor.confirm()
            await expect(visitor.page.get_by_role("progressbar", name="Progress")).to_be_visible()
        await admin.page.context.set_offline(True)
        done = f"Complete. {count:,} of {count:,} users processed."
        await expect(second.page.get_by_text(done)).to_be_visible(timeout=120_000)
        await admin.page.context.set_offline(False)
        await expect(admin.page.get_by_text(done)).to_be_visible(timeout=120_000)

        listed = (await api.get("/admin/batches/users", params={"action": "addToGroups"})).json()["items"]
        assert [(batch["done"], batch["refused"]) for batch in listed] == [(count, 0), (count, 0)]
        # Nothing is lost, and nothing is applied twice.
        groups = (await api.get(f"/admin/users/{one}")).json()["groups"]
        assert sorted(groups) == ["Early shift", "Late shift", "Middle office"]
        assert (await api.get(f"/admin/users/{one}/revisions")).json()["total"] == 3


@pytest.mark.long
async def test_two_of_ten_thousand_users_are_compared(browser: Browser, firm: Firm) -> None:
    async with signed_in(browser, firm) as admin, firm.client() as api:
        definition = {"name": "ladder", "type": "window", "title": "Ladder", "details": {"url": "https://l.example"}}
        body = {"definition": definition, "accessList": ["Large desk"]}
        assert (await api.post("/admin/apps", json=body)).status_code == 201
        page = admin.page
        await admin.open(f"/compare?left={user_name(7)}", "Compare")
        await page.get_by_role("combobox", name="Second user").fill(user_name(9007))
        await page.get_by_role("option", name=user_name(9007)).click()
        row = page.get_by_role("table", name="Differences of applications").get_by_role("row").filter(has_text="Ladder")
        await expect(row).to_contain_text("available to the group Large desk")
        await expect(row).to_contain_text("requires membership in Large desk")
