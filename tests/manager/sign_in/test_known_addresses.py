"""Users who have signed in from an address are not locked out by guesses from it: on every node, after restarts too."""

import asyncio
from datetime import timedelta
from itertools import count

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.throttle import network_of
from rostrum.manager.audit.repository import Audit
from rostrum.manager.purge import purge
from rostrum.manager.sign_in.methods import basic
from rostrum.manager.sign_in.repository import ADDRESSES_KNOWN_FOR, KnownAddresses
from rostrum.manager.users.repository import Users
from tests.conftest import ADMIN, Api, manager_config, running_api
from tests.manager.http.test_no_room import fill as leave_no_room

OFFICE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
ANN, BOB = ("ann", "ann-password"), ("bob", "bob-password")
_number = count()
FORGETTING_SECONDS = 301
"""Long enough for a manager to forget that a password was right: it is checked again."""


@pytest.fixture(autouse=True)
def recording_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a slow machine record what the tests look for."""
    monkeypatch.setattr(basic, "_RECORDING_SECONDS", 60.0)


async def sign_in(api: Api, auth: tuple[str, str], address: str = OFFICE) -> int:
    """Send a password from an address; the status of the answer."""
    transport = httpx.ASGITransport(api.app, client=(address, 4711))
    async with httpx.AsyncClient(transport=transport, base_url=str(api.client().base_url), auth=auth) as client:
        return (await client.get("/me")).status_code


async def exhaust(api: Api, address: str = OFFICE) -> None:
    """Guess with random names until the address is refused."""
    answers = [await sign_in(api, (f"name {next(_number)}", "guess"), address) for _ in range(51)]
    assert answers[-1] == 429


async def known(api: Api, user: str) -> list[str]:
    """Those of a few addresses that are recorded for a user."""
    addresses = (OFFICE, ELSEWHERE, network_of("2001:db8::1"))
    async with api.app._manager.storage.read() as work:
        return [each for each in addresses if await work.of(KnownAddresses).last_seen(user, each) is not None]


@pytest.mark.long
async def test_known_users_sign_in_after_a_restart_and_at_another_node_whatever_is_guessed_from_their_address(
    store: str, clock: SettableClock
) -> None:
    config = manager_config(store)
    async with running_api(config, clock) as before:
        for user in ("ann", "bob"):
            await before.add_user(user)
        assert await sign_in(before, ANN) == 200
        assert await sign_in(before, BOB, ELSEWHERE) == 200

        async with running_api(config, clock) as node:
            await exhaust(node)
            assert await sign_in(node, ANN) == 200
            assert await sign_in(node, BOB) == 429

    # Friday evening to Monday morning.
    clock.advance(timedelta(days=3).total_seconds())
    async with running_api(config, clock) as after:
        await exhaust(after)
        assert await sign_in(after, ANN) == 200
        assert await sign_in(after, BOB) == 429
        assert await sign_in(after, BOB, ELSEWHERE) == 200
        # The account as seen from this address is still guarded: ten guesses, then one every ten seconds.
        clock.advance(FORGETTING_SECONDS)
        guesses = [await sign_in(after, ("ann", f"guess {number}")) for number in range(12)]
        assert guesses == [401] * 10 + [429] * 2


@pytest.mark.long
async def test_an_address_is_known_for_thirty_days_after_the_last_sign_in(api: Api, clock: SettableClock) -> None:
    await api.add_user("ann")
    assert await sign_in(api, ANN) == 200
    clock.advance(timedelta(days=29).total_seconds())
    await exhaust(api)
    assert await sign_in(api, ANN) == 200
    clock.advance(ADDRESSES_KNOWN_FOR.total_seconds() - 1)
    await exhaust(api)
    assert await sign_in(api, ("ann", "guess")) == 401
    clock.advance(1)

    await exhaust(api)
    assert await sign_in(api, ANN) == 429


async def test_a_wrong_password_makes_no_address_known(api: Api, clock: SettableClock) -> None:
    await api.add_user("ann")
    await api.add_user("off", disabled=True)
    assert await sign_in(api, ("ann", "guess")) == 401
    assert await sign_in(api, ("off", "off-password")) == 401
    assert await sign_in(api, ("nobody", "guess")) == 401

    assert [await known(api, user) for user in ("ann", "off", "nobody")] == [[], [], []]


async def test_a_network_of_ipv6_is_one_address(api: Api) -> None:
    await api.add_user("ann")
    assert await sign_in(api, ANN, "2001:db8::1") == 200
    await exhaust(api, "2001:db8::bad")

    assert await known(api, "ann") == ["2001:db8::"]
    assert await sign_in(api, ANN, "2001:db8::2") == 200


async def test_a_sign_in_is_recorded_at_most_once_an_hour(api: Api, clock: SettableClock) -> None:
    await api.add_user("ann")
    seen = []
    for minutes in (0, 30, 31):
        clock.advance(timedelta(minutes=minutes).total_seconds())
        assert await sign_in(api, ANN) == 200
        async with api.app._manager.storage.read() as work:
            seen.append((await work.of(KnownAddresses).last_seen("ann", OFFICE), work.now))

    assert seen[0][0] == seen[0][1] == seen[1][0]
    assert seen[2][0] == seen[2][1]


async def test_changing_the_own_password_makes_the_address_known(api: Api) -> None:
    await api.add_user("ann")
    assert await sign_in(api, ANN, ELSEWHERE) == 200
    async with api.client(ANN, cookies={}) as client:
        cookie = (await client.get("/me")).cookies["PLATFORM_SESSION"]
    transport = httpx.ASGITransport(api.app, client=(OFFICE, 4711))
    headers = {"cookie": f"PLATFORM_SESSION={cookie}", "origin": "http://manager.example.com"}
    async with httpx.AsyncClient(transport=transport, base_url=str(api.client().base_url)) as browser:
        body = {"current": ANN[1], "new": "another password"}
        assert (await browser.put("/me/password", json=body, headers=headers)).status_code in (200, 204)

    assert await known(api, "ann") == [OFFICE, ELSEWHERE]
    await exhaust(api)
    assert await sign_in(api, ("ann", "another password")) == 200


async def test_a_user_who_gets_the_id_of_a_deleted_one_is_not_known_anywhere(api: Api) -> None:
    await api.add_user("ann")
    assert await sign_in(api, ANN) == 200
    assert (await api.admin.delete("/admin/users/ann")).status_code == 204
    assert await known(api, "ann") == []
    await api.add_user("ann")
    await exhaust(api)

    assert await sign_in(api, ANN) == 429


async def test_recording_an_address_leaves_no_trace_in_audit_history_events_and_caches(api: Api) -> None:
    await api.add_user("ann")
    storage = api.app._manager.storage
    heard: list[int] = []
    storage.on_commit(lambda revision, _told: heard.append(revision))

    async def state() -> tuple[object, ...]:
        async with storage.read() as work:
            return await storage.revisions.current(), await work.of(Audit).ends(), await work.of(Users).get("ann")

    before = await state()
    assert await sign_in(api, ANN) == 200

    assert await known(api, "ann") == [OFFICE]
    assert (await state(), heard) == (before, [])


async def test_a_full_disk_refuses_no_sign_in(postgresql: str, clock: SettableClock) -> None:
    async with running_api(manager_config(postgresql), clock) as api:
        await leave_no_room(api, "known_addresses")

        assert await sign_in(api, ADMIN) == 200
        assert await known(api, "admin") == []


async def test_a_sign_in_does_not_wait_for_another_write(
    api: Api, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(basic, "_RECORDING_SECONDS", 0.01)
    async with asyncio.timeout(60), api.app._manager.storage.write("somebody else"):
        assert await sign_in(api, ADMIN) == 200
    assert await known(api, "admin") == []

    monkeypatch.setattr(basic, "_RECORDING_SECONDS", 60.0)
    clock.advance(FORGETTING_SECONDS)
    assert await sign_in(api, ADMIN, ELSEWHERE) == 200
    assert await known(api, "admin") == [ELSEWHERE]


async def test_the_daily_clean_up_removes_what_is_no_longer_known(api: Api, clock: SettableClock) -> None:
    await api.add_user("ann")
    assert await sign_in(api, ANN) == 200
    storage = api.app._manager.storage
    clock.advance(ADDRESSES_KNOWN_FOR.total_seconds() - 60)
    assert await sign_in(api, ANN, ELSEWHERE) == 200
    assert (await purge(storage, api.config))["known addresses"] == 0
    clock.advance(60)

    # The administrator who made ann, and ann at the office.
    assert (await purge(storage, api.config))["known addresses"] == 2
    assert await known(api, "ann") == [ELSEWHERE]
