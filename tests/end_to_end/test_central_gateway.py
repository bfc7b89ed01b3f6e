"""The central gateway: a process beside a manager, where pages sign in with the session and use the FDC3 agent."""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.agents.agents import Page
from tests.end_to_end.processes import run, serving
from tests.fdc3.platform import ORIGIN
from tests.gateway.sockets import Talker, talking
from tests.plain_http import NO_TLS
from tests.ports import free_port
from tests.real_manager import USER, Manager, manager

PLATFORM = "https://platform.example.com"
CHART = {"name": "chart", "title": "Chart", "type": "window", "details": {"url": f"{ORIGIN}/chart/"}}


async def signed_in(talker: Talker, **authentication: str) -> dict[str, Any]:
    answer = await talker.ask(type="hello", identity={"application": "page"}, authentication=authentication)
    talker.peer_id = answer.get("peer_id")
    return answer


def as_page(server: Manager, cookie: str) -> dict[str, str]:
    """The headers of a page of the manager."""
    address = httpx.URL(server.address)
    return {"Cookie": cookie, "Origin": f"{address.scheme}://{address.netloc.decode()}"}


def client_token(server: Manager, cookie: str) -> str:
    answer = httpx.post(
        f"{server.address}/token/refresh", headers=as_page(server, cookie), trust_env=False, verify=NO_TLS
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


def session_cookie(server: Manager) -> str:
    answer = httpx.get(f"{server.address}/me", auth=USER, trust_env=False, verify=NO_TLS)
    return answer.headers["set-cookie"].partition(";")[0]


async def opened(talker: Talker) -> Page:
    page = Page(talker)
    await page.open()
    return page


async def check_sign_in(server: Manager, address: str, cookie: str) -> None:
    async with talking(address) as stranger:
        refused = await signed_in(stranger, method="secret", login=USER[0], secret=USER[1])
        assert refused["reason"].endswith("Sign in with a token or the session of the manager")
        refused = await signed_in(stranger, method="access-token", token=cookie.partition("=")[2])
        assert "The token is invalid" in refused["reason"], "the value of the cookie is no client token"
        refused = await signed_in(stranger, method="access-token", token="no.such.token")
        assert "The token is invalid" in refused["reason"]
        assert "no session cookie" in (await signed_in(stranger, method="session"))["reason"]
    # A page of this machine may connect, but the session of the browser is not for it.
    headers = {"Cookie": cookie}
    async with talking(address, origin="http://localhost:9999", additional_headers=headers) as app:
        assert "no session cookie" in (await signed_in(app, method="session"))["reason"]
    async with talking(address, origin=PLATFORM, additional_headers={"Cookie": "PLATFORM_SESSION=a.b.c"}) as page:
        assert "session has ended" in (await signed_in(page, method="session"))["reason"]


async def play(server: Manager, address: str) -> None:
    cookie = await asyncio.to_thread(session_cookie, server)
    await check_sign_in(server, address, cookie)
    token = await asyncio.to_thread(client_token, server, cookie)
    async with (
        talking(address, origin=PLATFORM, additional_headers={"Cookie": f"other=1; {cookie}"}) as first,
        talking(address) as second,
    ):
        welcome = await signed_in(first, method="session")
        assert welcome["resolved_identity"]["user"] == USER[0]
        assert (await signed_in(second, method="access-token", token=token))["type"] == "welcome"
        one, two = await opened(first), await opened(second)
        # Nobody has defined channels, so there are those that FDC3 recommends.
        assert [channel["id"] for channel in one.channels][:2] == ["fdc3.channel.1", "fdc3.channel.2"]

        await asyncio.to_thread(server.admin, "POST", "/admin/apps", {"definition": CHART, "public": True}, 201)
        await until_app(one)
        started = await one.start("chart", "1")
        found = await two.start("chart", "1")
        instances = (await two.ask("1", "findInstancesRequest", app={"appId": "chart"}))["appIdentifiers"]
        assert {one["instanceId"] for one in instances} == {started["instanceId"], found["instanceId"]}

        logout = f"{server.address}/logout"
        answer = await asyncio.to_thread(httpx.post, logout, headers=as_page(server, cookie), trust_env=False)
        assert answer.status_code == 204, answer.text

        # The token was made from the session that has ended.
        assert (await first.closed())[0] == 1008
        assert (await second.closed())[0] == 1008


async def until_app(page: Page) -> None:
    """Wait until the agent knows the new app: the manager announces it, and the gateway reads it."""
    for attempt in range(200):
        url = f"{ORIGIN}/chart/"
        connection = f"try-{attempt}"
        await page.send(
            {"kind": "Connect", "connection": connection, "place": connection, "origin": ORIGIN, "appId": "chart"}
        )
        meta = {"connectionAttemptUuid": "a", "timestamp": "2026-11-16T10:00:00.000Z"}
        payload = {"identityUrl": url, "actualUrl": url}
        await page.tell(connection, {"type": "WCP4ValidateAppIdentity", "payload": payload, "meta": meta})
        event = await page.event("message", connection=connection)
        await page.send({"kind": "Disconnect", "connection": connection})
        if event["payload"]["type"] == "WCP5ValidateAppIdentityResponse":
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the agent has not got the new app")


@pytest.mark.long
def test_pages_sign_in_with_their_session_and_share_one_agent_until_they_sign_out(tmp_path: Path) -> None:
    with manager(tmp_path, events={"retry": 100}) as server:
        runtime = {"XDG_RUNTIME_DIR": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        options = ("--port", "0", "--manager", server.address, "--no-passwords", "--origin", PLATFORM)
        with serving("gateway", *options, environment=runtime) as gateway:
            asyncio.run(play(server, gateway.address))
            assert gateway.stop() == 0
    assert USER[1] not in "".join([*gateway.lines, *gateway.messages])


async def use_two_nodes(server: Manager, addresses: list[str]) -> None:
    cookie = await asyncio.to_thread(session_cookie, server)
    token = await asyncio.to_thread(client_token, server, cookie)
    headers = {"Authorization": f"Bearer {token}"}
    info = await asyncio.to_thread(httpx.get, f"{server.address}/v2/server/info", headers=headers, trust_env=False)
    own = info.json()["gatewayUrl"]
    (other,) = set(addresses) - {own}
    root = server.address.removesuffix("/api")
    page = await asyncio.to_thread(httpx.get, f"{root}/platform", headers={"Cookie": cookie}, trust_env=False)
    assert own in page.text
    assert f"connect-src 'self' {own};" in page.headers["Content-Security-Policy"]
    assert other not in page.text + page.headers["Content-Security-Policy"]

    async with talking(other) as stranger:
        refused = await signed_in(stranger, method="access-token", token=token)
        assert f"This gateway does not serve you. Connect to {own}" in refused["reason"]
    async with talking(other, origin=PLATFORM, additional_headers={"Cookie": cookie}) as stranger:
        assert "does not serve you" in (await signed_in(stranger, method="session"))["reason"]
    # A page with the session and a program with a token meet at the one gateway.
    async with (
        talking(own, origin=PLATFORM, additional_headers={"Cookie": cookie}) as first,
        talking(own) as second,
    ):
        assert (await signed_in(first, method="session"))["type"] == "welcome"
        assert (await signed_in(second, method="access-token", token=token))["type"] == "welcome"
        one, two = await opened(first), await opened(second)
        await until_app(one)
        started = await one.start("chart", "1")
        found = await two.start("chart", "1")
        instances = (await two.ask("1", "findInstancesRequest", app={"appId": "chart"}))["appIdentifiers"]
        assert {one["instanceId"] for one in instances} == {started["instanceId"], found["instanceId"]}


@pytest.mark.long
def test_with_two_gateways_all_connections_of_a_user_reach_the_same_one(tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    addresses = [f"ws://127.0.0.1:{port}" for port in ports]
    with manager(tmp_path, events={"retry": 100}, gateway={"nodes": addresses}) as server, ExitStack() as gateways:
        server.admin("POST", "/admin/apps", {"definition": CHART, "public": True}, 201)
        for port, address in zip(ports, addresses, strict=True):
            runtime = {"XDG_RUNTIME_DIR": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
            options = ("--port", str(port), "--manager", server.address, "--no-passwords", "--origin", PLATFORM)
            running = gateways.enter_context(serving("gateway", *options, "--node", address, environment=runtime))
            assert running.address == address
        asyncio.run(use_two_nodes(server, addresses))


def test_a_node_needs_a_manager_that_assigns_users() -> None:
    answer = run("gateway", "--node", "/gw/1")

    assert answer.returncode == 2
    assert "--node needs --manager" in answer.stderr


def test_tokens_alone_need_a_manager_that_issues_them() -> None:
    answer = run("gateway", "--no-passwords")

    assert answer.returncode == 2
    assert "--no-passwords requires --manager" in answer.stderr
