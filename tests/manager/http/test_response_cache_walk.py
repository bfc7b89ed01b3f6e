"""The response cache and the framework answer alike, whatever was written, revoked or waited for in between."""

import random
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.contracts.browser_platform import TOKEN_HEADER
from rostrum.manager.web import cached_reads
from tests.conftest import ORIGIN, Api, manager_config, running_api

USERS = ("ann", "bob", "cleo")
GROUPS = ("Trading", "Sales", "PLATFORM_MANAGER:SYSTEM_CONFIGS:READ")
ASKED = ("/apps?odd=1", "/prefs?app=blotter", "/systemConfig/get?version=10.1", "/systemConfig/get?user=bob")
ODD = ("/%61pps", "/v2%2Fapps", "/apps/", "/systemConfig%2fget", "/systemConfig/get?version=%ff")
PATHS = (*cached_reads(), *ASKED, *ODD)
BODIES: tuple[Any, ...] = (
    None,
    {},
    {"version": "10.1"},
    {"user": "bob"},
    {"impersonation": {"user": "ann"}},
    {"group": "Sales"},
    [1],
)
POLLS: tuple[Any, ...] = ({}, {"latestDataInfo": {"applications": {"last": 1, "checksum": "x"}}}, [1])
OPENING = {"machine": {"name": "DESK"}, "version": "10", "env": "UAT", "region": "EMEA", "product": "desktop"}


class Pair:
    """One manager that keeps answers ready and one that never does, on the same database and at the same time."""

    def __init__(self, quick: Api, slow: Api, clock: SettableClock, seed: int) -> None:
        self.quick, self.slow, self.clock = quick, slow, clock
        self.luck = random.Random(seed)
        self.credentials: list[dict[str, str]] = [{}, {"Authorization": "Bearer nonsense"}]
        self.sessions: list[str] = []
        self.tags = ['"nonsense"']
        self.passwords = {user: f"{user}-password" for user in USERS}
        self.log: list[str] = []

    def one_of(self, choices: Any) -> Any:
        return self.luck.choice(list(choices))

    async def write(self, method: str, path: str, body: Any = None) -> httpx.Response:
        # Either one writes: the other has to notice.
        api: Api = self.one_of([self.quick, self.slow])
        answer = await api.admin.request(method, path, json=body)
        self.log.append(f"{method} {path} {body} -> {answer.status_code}")
        return answer

    async def log_in(self, user: str) -> None:
        """Get every kind of credentials that this user can have."""
        basic = b64encode(f"{user}:{self.passwords[user]}".encode()).decode()
        self.credentials.append({"Authorization": f"Basic {basic}"})
        answer = await self.quick.client((user, self.passwords[user])).get("/me")
        if "set-cookie" in answer.headers:
            self.credentials.append({"Cookie": answer.headers["set-cookie"].partition(";")[0]})
        opened = await self.slow.client((user, self.passwords[user])).post("/sessions", json=OPENING)
        if opened.status_code == 201:
            self.sessions.append(opened.json()["id"])
            token = opened.json()["token"]
            self.credentials.append({"Authorization": f"Bearer {token}"})
            self.credentials.append({TOKEN_HEADER: token} | self.one_of([{}, {"Authorization": f"Basic {basic}"}]))
        self.credentials = self.credentials[:2] + self.credentials[2:][-24:]

    async def change(self) -> None:
        await self.one_of(CHANGES)(self)

    def some_request(self) -> tuple[str, str, dict[str, str], Any]:
        path, credentials = self.one_of(PATHS), self.one_of(self.credentials)
        headers = {**credentials, "Accept-Encoding": self.one_of(["identity", "gzip", "br, gzip;q=0.5", "gzip;q=0, *"])}
        headers |= self.one_of([{}, {}, {"Origin": ORIGIN}, {"Origin": "http://other.example.com"}])
        headers |= self.one_of([{}, {}, {}, {}, {"Content-Encoding": "br"}, {"X-Request-Id": "mine"}])
        tag = self.one_of(self.tags)
        wanted = self.one_of([None, None, tag, f"W/{tag}", f'"a", {tag}', "*", f'{tag[:-1]}-gzip"', "rubbish"])
        if wanted is not None:
            headers["If-None-Match"] = wanted
        if path == "/user":
            return "POST", path, headers, self.one_of(POLLS)
        if path.startswith("/systemConfig") and self.luck.random() < 0.5:
            return "POST", path, headers, self.one_of(BODIES)
        return self.one_of(["GET", "GET", "GET", "HEAD"]), path, headers, None

    async def compare(self, request: tuple[str, str, dict[str, str], Any]) -> None:
        answers = [await self.ask(api, *request) for api in (self.quick, self.slow)]
        assert answers[0] == answers[1], "\n".join([*self.log[-12:], str(request)])
        self.log.append(f"{request} -> {answers[0][0]}")
        self.tags = [*self.tags[-8:], *(value for name, value in answers[0][1] if name == "etag")]

    async def ask(self, api: Api, method: str, path: str, headers: dict[str, str], content: Any) -> Any:
        async with api.client().stream(method, path, headers=headers, json=content) as answer:
            body = b"".join([piece async for piece in answer.aiter_raw()])
        kept = [(name, _without_token(value)) for name, value in answer.headers.multi_items() if name != "x-request-id"]
        return answer.status_code, sorted(kept), body


def _without_token(value: str) -> str:
    """Hide what differs between two signatures of the same: the token's random id."""
    return re.sub(r"PLATFORM_SESSION=[^;]+", "PLATFORM_SESSION=token", value)


async def change_app(pair: Pair) -> None:
    name = pair.one_of(["blotter", "chart", "news"])
    definition = {"name": name, "type": "window", "title": pair.one_of("xyz") * 900, "details": {"url": "http://a"}}
    access = {"public": pair.one_of([True, False]), "accessList": [pair.one_of(GROUPS[:2])]}
    body = {"definition": definition, "disabled": pair.luck.random() < 0.2, **access}
    if (await pair.write("PUT", f"/admin/apps/{name}", body)).status_code == 404:
        await pair.write("POST", "/admin/apps", body)
    elif pair.luck.random() < 0.2:
        await pair.write("DELETE", f"/admin/apps/{name}")


async def change_user(pair: Pair) -> None:
    members = [
        {"groups": pair.luck.sample(GROUPS, pair.luck.randrange(3))},
        {"apps": pair.luck.sample(["blotter", "chart"], pair.luck.randrange(3))},
        {"disabled": True},
        {"disabled": False},
        {"email": pair.one_of(["a@example.com", "b@example.com"])},
    ]
    await pair.write("PATCH", f"/admin/users/{pair.one_of(USERS)}", pair.one_of(members))


async def change_password(pair: Pair) -> None:
    user = pair.one_of(USERS)
    pair.passwords[user] = f"{user}-{pair.luck.randrange(1000)}"
    await pair.write("PATCH", f"/admin/users/{user}", {"password": pair.passwords[user], "disabled": False})
    await pair.log_in(user)


async def log_in(pair: Pair) -> None:
    await pair.log_in(pair.one_of(USERS))


async def remake_user(pair: Pair) -> None:
    user = pair.one_of(USERS)
    await pair.write("DELETE", f"/admin/users/{user}")
    await pair.write("POST", "/admin/users", {"id": user, "password": pair.passwords[user], "groups": ["Trading"]})
    await pair.log_in(user)


async def change_group(pair: Pair) -> None:
    body = {"expandsTo": pair.luck.sample(GROUPS[:2], pair.luck.randrange(2)), "priority": pair.luck.randrange(3)}
    await pair.write("PATCH", f"/admin/groups/{pair.one_of(GROUPS[:2])}", body)


async def change_config(pair: Pair) -> None:
    scope = pair.one_of([{}, {"version": "10"}, {"group": "Sales"}, {"user": "ann"}, {"user": "bob"}])
    body = {"file": "system.json", "contents": {pair.one_of("ab"): pair.luck.randrange(9)}, **scope}
    made = await pair.write("POST", "/admin/configs", body)
    if made.status_code == 409:
        place = re.search(r"its ID is (\S+)$", made.json()["error"]["message"])
        assert place is not None
        await pair.write("PUT", f"/admin/configs/{place[1]}", body)
        if pair.luck.random() < 0.3:
            await pair.write("DELETE", f"/admin/configs/{place[1]}")


async def change_own(pair: Pair) -> None:
    """Somebody saves a layout or a preference, or chooses a default."""
    client = pair.one_of([pair.quick, pair.slow]).client(headers=pair.one_of(pair.credentials) | {"Origin": ORIGIN})
    name = pair.one_of(["Morning", "Evening"])
    layout = {"name": name, "type": "Global", "components": [], "metadata": {"n": pair.luck.randrange(9)}}
    method, path, body = pair.one_of(
        [
            ("POST", "/layouts", {"layout": layout}),
            ("DELETE", "/layouts", {"name": name, "type": "Global"}),
            ("POST", "/layouts/default", {"name": name, "type": "Global"}),
            ("POST", "/prefs", {"app": "blotter", "data": {"n": pair.luck.randrange(9)}}),
            ("DELETE", "/prefs", {"app": "blotter"}),
        ]
    )
    answer = await client.request(method, path, json=body)
    pair.log.append(f"{method} {path} -> {answer.status_code}")


async def share_layout(pair: Pair) -> None:
    layout = {"name": pair.one_of(["Morning", "Common"]), "type": "Global", "components": []}
    body = {"layouts": [layout], "owner": "*", "public": True, "overwrite": True}
    await pair.write("POST", "/admin/imports/layouts", body)


async def log_out(pair: Pair) -> None:
    credentials = pair.one_of(pair.credentials)
    client = pair.one_of([pair.quick, pair.slow]).client(headers=credentials | {"Origin": ORIGIN})
    pair.log.append(f"logout {credentials} -> {(await client.post('/logout')).status_code}")


async def end_session(pair: Pair) -> None:
    if pair.sessions:
        await pair.write("DELETE", f"/admin/sessions/{pair.one_of(pair.sessions)}")


async def let_time_pass(pair: Pair) -> None:
    pair.clock.advance(pair.one_of([10, 299, 301, 4000]))
    pair.log.append("time passes")


CHANGES: list[Callable[[Pair], Any]] = [
    change_app, change_app, change_user, change_user, change_password, log_in, remake_user, change_group,
    change_config, change_config, change_own, change_own, change_own, share_layout, log_out, end_session,
    let_time_pass,
]  # fmt: skip


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as opened:
        yield opened


async def pair_on(store: str, clock: SettableClock, stack: AsyncExitStack, seed: int, **auth: Any) -> Pair:
    settings = {"auth_basic": {"predefinedUsers": ["admin:admin-password"], **auth}}
    quick = await stack.enter_async_context(running_api(manager_config(store, **settings), clock))
    slow = await stack.enter_async_context(running_api(manager_config(store, readyBytes=0, **settings), clock))
    for name in GROUPS[:2]:
        await quick.admin.post("/admin/groups", json={"name": name})
    pair = Pair(quick, slow, clock, seed)
    for user in USERS:
        await quick.add_user(user, "Trading")
        await pair.log_in(user)
    await change_app(pair)
    return pair


async def walk(pair: Pair, steps: int) -> None:
    for _ in range(steps):
        # The same requests before a change and after it: whatever is kept ready then is out of date.
        requests = [pair.some_request() for _ in range(3)]
        for request in requests:
            await pair.compare(request)
        await pair.change()
        for request in requests:
            await pair.compare(request)


@pytest.mark.long
async def test_both_ways_give_the_same_answer(sqlite: str, clock: SettableClock, stack: AsyncExitStack) -> None:
    await walk(await pair_on(sqlite, clock, stack, seed=1), 80)


@pytest.mark.long
async def test_both_ways_give_the_same_answer_without_cookies(
    sqlite: str, clock: SettableClock, stack: AsyncExitStack
) -> None:
    await walk(await pair_on(sqlite, clock, stack, seed=2, useSessionCookie=False), 12)


@pytest.mark.long
async def test_both_ways_give_the_same_answer_on_a_server_that_others_write_to(
    postgresql: str, clock: SettableClock, stack: AsyncExitStack
) -> None:
    await walk(await pair_on(postgresql, clock, stack, seed=3), 15)
