"""Hundreds of real connections to the event stream, and some of them that do not read."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from rostrum.manager.audiences import Announcement, EventKind
from rostrum.manager.events.hub import Hub
from rostrum.manager.server import RunningManager
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from tests.conftest import ADMIN, manager_config
from tests.end_to_end.crowd import PATIENCE, Crowd, listeners
from tests.plain_http import NO_TLS

MANY = 300
READING = 3
DEAF = 2
KINDS = [kind for kind in EventKind if kind is not EventKind.ACCESS]


@pytest.fixture
def running(sqlite: str) -> Iterator[RunningManager]:
    """A manager in a thread of this process, with real sockets; clients that do not read are disconnected soon."""
    with RunningManager(manager_config(sqlite, port=0, events={"perUser": MANY + 20, "slow": 1})) as manager:
        yield manager


def cookie_of(running: RunningManager) -> str:
    cookies = httpx.get(f"{running.base_url}/me", auth=ADMIN, timeout=PATIENCE, verify=NO_TLS).cookies
    return f"PLATFORM_SESSION={cookies['PLATFORM_SESSION']}"


def hub_of(running: RunningManager) -> Hub:
    assert running.app is not None
    return running.app._live.hub


def until(holds: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.long
def test_a_change_reaches_hundreds_of_clients_and_those_that_go_are_forgotten(running: RunningManager) -> None:
    with listeners(running.base_url, cookie_of(running), MANY) as clients:
        crowd = Crowd(clients)
        crowd.until_all_saw(b"event: ready")
        assert len(hub_of(running)) == MANY
        made = httpx.post(
            f"{running.base_url}/admin/groups", json={"name": "g", "priority": 1}, auth=ADMIN, verify=NO_TLS
        )
        revision = made.json()["revision"]
        crowd.until_all_saw(b'event: systemConfig\nid: %d\ndata: {"revision":%d}\n\n' % (revision, revision))
    until(lambda: len(hub_of(running)) == 0)


@pytest.mark.long
def test_clients_that_do_not_read_are_cut_off_and_the_others_go_on(running: RunningManager) -> None:
    cookie = cookie_of(running)
    with (
        listeners(running.base_url, cookie, READING) as reading,
        listeners(running.base_url, cookie, DEAF, buffer=4096) as deaf,
    ):
        crowd = Crowd(reading)
        crowd.until_all_saw(b"event: ready")
        hub = hub_of(running)
        until(lambda: len(hub) == READING + DEAF)
        last = _flood(running, crowd)
        crowd.until_all_saw(b"id: %d\n" % last)
        # Their streams are over, and so are their connections: what was still to be sent does not keep them open.
        assert all(_is_cut(client) for client in deaf)
        made = httpx.post(
            f"{running.base_url}/admin/groups", json={"name": "g", "priority": 1}, auth=ADMIN, verify=NO_TLS
        )
        assert made.status_code == 201


def _flood(running: RunningManager, crowd: Crowd) -> int:
    """Let changes come until who does not read is gone; what waits for anyone stays small all the time."""
    hub = hub_of(running)
    numbers = count(10**6)
    assert running.loop is not None

    async def some() -> int:
        for number in islice(numbers, 500):
            hub.on_change(number, [Announcement(kind=kind, revision=number) for kind in KINDS])
            assert max(len(listener._waiting) for listener in hub._listeners) <= len(KINDS)
            # Each stream that is read takes what waits for it, or one change would be all that is sent.
            while sum(bool(listener._waiting) for listener in hub._listeners) > len(hub) - READING:  # noqa: ASYNC110
                await asyncio.sleep(0)
        return number

    deadline = time.monotonic() + PATIENCE
    while True:
        last = asyncio.run_coroutine_threadsafe(some(), running.loop).result(PATIENCE)
        crowd.until_all_saw(b"id: %d\n" % last)
        # More changes have no effect while some wait for clients that do not read.
        until(lambda: len(hub) == READING or not any(listener._waiting for listener in tuple(hub._listeners)))
        if len(hub) == READING:
            return last
        assert time.monotonic() < deadline


def _is_cut(client: socket.socket) -> bool:
    client.settimeout(PATIENCE)
    try:
        while client.recv(65536):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.long
def test_users_who_are_signed_in_are_served_while_all_others_sign_in(
    running: RunningManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    users, polls = 30, 50
    _add_users(running, users)
    cookie = cookie_of(running)
    verify: Callable[..., Any] = PasswordHasher.verify
    may_go_on = threading.Event()

    def held(self: PasswordHasher, stored: str, password: str) -> Any:
        """Check a password, once those who are signed in have been served."""
        assert may_go_on.wait(PATIENCE)
        return verify(self, stored, password)

    monkeypatch.setattr(PasswordHasher, "verify", held)

    async def come_back() -> tuple[list[int], list[int]]:
        async with httpx.AsyncClient(base_url=running.base_url, timeout=PATIENCE, verify=NO_TLS) as client:
            log_ins = [
                asyncio.create_task(client.get("/me", auth=(f"user {number}", "password"))) for number in range(users)
            ]
            try:
                served = [(await client.get("/apps", headers={"Cookie": cookie})).status_code for _ in range(polls)]
                assert not any(log_in.done() for log_in in log_ins)
            finally:
                may_go_on.set()
            return [(await log_in).status_code for log_in in log_ins], served

    log_ins, served = asyncio.run(come_back())

    assert served == [200] * polls
    assert log_ins == [200] * users


def _add_users(running: RunningManager, count: int) -> None:
    """Make users with one and the same password: a hash for each would take as long as the test."""
    assert running.loop is not None
    assert running.app is not None
    manager = running.app._manager

    async def add() -> None:
        hashed = await manager.passwords.hash("password")
        async with manager.storage.write("test") as work:
            for number in range(count):
                await work.of(Users).add(User(id=f"user {number}", password_hash=hashed, stamp=work.stamp()))

    asyncio.run_coroutine_threadsafe(add(), running.loop).result(PATIENCE)
