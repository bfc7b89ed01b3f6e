"""A new account with the ID of a deleted user inherits nothing at the gateway, and the old account reaches nothing."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedError

from rostrum.agents import AgentService, peer_of_platforms
from rostrum.agents.manager_profiles import ManagerProfiles
from rostrum.base.clock import SettableClock
from rostrum.gateway import Gateway, GatewayOptions
from rostrum.gateway.manager_check import ManagerCheck
from rostrum.gateway.users_file import UsersFile, add_user
from tests.agents.agents import Page
from tests.conftest import Api
from tests.fdc3.platform import ORIGIN
from tests.gateway.sockets import Talker, quick, running, talking

BASE = "http://manager.example.com/api"
OLD, NEW = "the old password of bob", "the new password of bob"
CHART = {"name": "chart", "title": "Chart", "type": "window", "details": {"url": f"{ORIGIN}/chart/"}}


class Users:
    """Bob, who is deleted and created again."""

    def __init__(self, api: Api, clock: SettableClock) -> None:
        self.api = api
        self.clock = clock

    async def create(self, password: str = OLD, user: str = "bob") -> None:
        self.clock.advance(0.001)
        answer = await self.api.admin.post("/admin/users", json={"id": user, "password": password})
        assert answer.status_code == 201, answer.text

    async def delete(self) -> None:
        answer = await self.api.admin.delete("/admin/users/bob")
        assert answer.status_code == 204, answer.text


class Check(ManagerCheck):
    """The event stream of a manager in this process does not come in parts, so it ends at once."""

    async def listen(self, *_: Any) -> None:
        await asyncio.sleep(0)


@pytest.fixture
async def users(api: Api, clock: SettableClock) -> Users:
    made = Users(api, clock)
    await made.create()
    return made


@asynccontextmanager
async def central(api: Api) -> AsyncIterator[tuple[Gateway, ManagerCheck]]:
    """A gateway beside the manager, with FDC3 agents, as `rostrum gateway --manager` runs it."""
    check = Check(BASE, api.client())
    options = GatewayOptions(port=0, case_sensitive_users=True, limits=quick().limits)
    async with running(options, secrets=check) as gateway:
        agents = AgentService(gateway, ManagerProfiles(check), peer_of_platforms(gateway), version="1.2.3")
        await agents.start(await gateway.local_peer("Rostrum", "/gateway", is_service=True))
        try:
            yield gateway, check
        finally:
            await agents.stop()
            await check.close()


async def fill(talker: Talker) -> None:
    """Store everything that a client can store at the gateway."""
    context = {"name": "orders", "data": {"secret": "of the first bob"}, "lifetime": "retained"}
    assert (await talker.ask(type="create-context", **context))["type"] == "context-created"
    await talker.ask(type="join", destination="activity")
    kind = {"name": "trade", "owner_type": {"type": "w"}, "default_context": {"secret": 1}}
    assert (await talker.ask(type="add-types", domain="activity", types=[kind]))["type"] == "success"


async def closing(talker: Talker) -> AsyncIterator[str | bytes]:
    """Read on until the other side closes."""
    with suppress(ConnectionClosedError):
        async for frame in talker.socket:
            yield frame


async def left_behind(gateway: Gateway, password: str) -> list[dict[str, Any]]:
    """Sign in, read everything that can be read, and return the answers that show something."""
    async with talking(gateway) as talker:
        talker.peer_id = (await talker.hello("bob", password, application="test"))["peer_id"]
        seen = []
        await talker.send(type="join", destination="activity", request_id="join")
        while (frame := await talker.get()).get("request_id") != "join":
            seen.append(frame)
        shown = [frame for frame in seen if frame["type"] in ("context-added", "types-added", "peer-added")]
        for context in gateway.status()["contexts"]:
            answer = await talker.ask(type="subscribe-context", context_id=context["id"])
            shown += [answer] if answer["type"] != "error" else []
        answer = await talker.ask(type="create-context", name="orders", data={}, lifetime="retained")
        shown += [answer] if answer["type"] != "context-created" else []
        return [frame for frame in shown if frame.get("name") is None or "channel" not in frame["name"]]


@pytest.mark.long
async def test_a_new_account_with_the_id_of_a_deleted_user_sees_nothing_of_the_first(users: Users) -> None:
    async with central(users.api) as (gateway, _):
        async with talking(gateway) as first:
            await first.hello("bob", OLD, application="test")
            await fill(first)
        assert await left_behind(gateway, OLD) != [], "the user finds the own contexts again"

        await users.delete()
        await users.create(NEW)

        assert await left_behind(gateway, NEW) == []


async def test_an_open_connection_of_the_first_account_sees_nothing_of_the_second(users: Users) -> None:
    async with central(users.api) as (gateway, _), talking(gateway) as first, talking(gateway) as second:
        await first.hello("bob", OLD, application="test")
        token = (await first.ask(type="create-token"))["token"]
        await users.delete()
        await users.create(NEW)

        await second.hello("bob", NEW, application="test")
        await fill(second)

        async with talking(gateway) as third:
            hello = {"method": "gateway-token", "token": token}
            assert (await third.ask(type="hello", authentication=hello))["type"] == "error"
        seen = [json.loads(frame)["type"] async for frame in closing(first)]
        assert "context-added" not in seen
        assert first.socket.close_code == 1008
        assert [peer["user"] for peer in gateway.status()["peers"]].count("bob") == 1


async def test_the_fdc3_agent_of_a_new_account_knows_no_context_of_the_first(users: Users) -> None:
    await users.api.admin.post("/admin/apps", json={"definition": CHART, "public": True})

    async def channel_context(gateway: Gateway, password: str, context: dict[str, Any] | None = None) -> Any:
        async with talking(gateway) as talker:
            await talker.hello("bob", password, application="page")
            page = Page(talker)
            await page.open()
            await page.start("chart", "1")
            channel = page.channels[0]["id"]
            await page.ask("1", "joinUserChannelRequest", channelId=channel)
            if context is not None:
                await page.ask("1", "broadcastRequest", channelId=channel, context=context)
            asked = {"channelId": channel, "contextType": None}
            return (await page.ask("1", "getCurrentContextRequest", **asked))["context"]

    async with central(users.api) as (gateway, _):
        secret = {"type": "test.order", "id": {"secret": "of the first bob"}}
        assert await channel_context(gateway, OLD, secret) == secret
        assert await channel_context(gateway, OLD) == secret, "the user finds the channel as it was"

        await users.delete()
        await users.create(NEW)

        assert await channel_context(gateway, NEW) is None
        assert {peer["user"] for peer in gateway.status()["peers"]} == {"bob", "/gateway"}


async def test_a_deleted_user_who_is_restored_is_another_account(users: Users) -> None:
    admin = users.api.admin
    before = (await admin.get("/admin/users/bob")).json()["revision"]
    async with central(users.api) as (gateway, _):
        async with talking(gateway) as first:
            await first.hello("bob", OLD, application="test")
            await fill(first)
        await users.delete()
        users.clock.advance(0.001)
        restored = await admin.post("/admin/users/bob/rollback", json={"revision": before})
        assert restored.status_code == 200, restored.text
        assert (await admin.patch("/admin/users/bob", json={"password": NEW})).status_code == 200

        assert await left_behind(gateway, NEW) == []


async def test_a_new_password_leaves_the_account_and_its_contexts(users: Users) -> None:
    async with central(users.api) as (gateway, _):
        async with talking(gateway) as first:
            await first.hello("bob", OLD, application="test")
            await fill(first)

        assert (await users.api.admin.patch("/admin/users/bob", json={"password": NEW})).status_code == 200

        assert "orders" in [frame.get("name") for frame in await left_behind(gateway, NEW)]


async def test_ids_that_differ_in_case_are_no_way_to_the_contexts_of_a_user(users: Users) -> None:
    async with central(users.api) as (gateway, _), talking(gateway) as first, talking(gateway) as other:
        await first.hello("bob", OLD, application="test")
        await fill(first)

        assert (await other.hello("Bob", OLD))["type"] == "error"
        assert (await users.api.admin.post("/admin/users", json={"id": "Bob", "password": NEW})).status_code == 409
        await users.delete()
        await users.create(NEW, "Bob")
        assert (await other.hello("bob", NEW))["type"] == "error"
        await other.hello("Bob", NEW, application="test")

        answer = await other.ask(type="create-context", name="orders", data={}, lifetime="retained")
        assert answer["type"] == "context-created"


async def test_a_user_who_is_removed_from_a_users_file_and_added_again_is_another_account(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    add_user(path, "bob", OLD)
    check = UsersFile(path)
    async with running(secrets=check) as gateway:
        async with talking(gateway) as first:
            await first.hello("bob", OLD, application="test")
            await fill(first)
        assert await left_behind(gateway, OLD) != []
        add_user(path, "bob", NEW)
        assert await left_behind(gateway, NEW) != [], "only the secret is another one"

        path.write_text('{"users": {}}')
        async with talking(gateway) as nobody:
            assert (await nobody.hello("bob", NEW))["type"] == "error"
        add_user(path, "bob", OLD)

        assert await left_behind(gateway, OLD) == []
    await check.close()
