"""A gateway that signs users in at a manager: two real processes, attacked over real sockets."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.gateway.authentication import CannotCheck
from rostrum.gateway.manager_check import ManagerCheck
from tests.conftest import ADMIN
from tests.end_to_end.processes import Running, serving
from tests.gateway.sockets import PATIENCE, Talker, quick, running, talking, until
from tests.ports import free_port
from tests.real_manager import USER, Manager, manager

SHARED = "a secret that the manager and its gateways share"
QUICK_EVENTS = {"events": {"retry": 100}}


@contextmanager
def gateway_at(address: str, folder: Path, **environment: str) -> Iterator[Running]:
    runtime = {"XDG_RUNTIME_DIR": str(folder), "XDG_DATA_HOME": str(folder), **environment}
    with serving("gateway", "--port", "0", "--manager", address, environment=runtime) as process:
        yield process


async def with_token(talker: Talker, method: str, token: str) -> dict[str, Any]:
    return await talker.ask(type="hello", authentication={"method": method, "token": token})


REVOCATIONS = {
    "disabled": lambda server: server.admin("PATCH", f"/admin/users/{USER[0]}", {"disabled": True}),
    "another password": lambda server: server.admin(
        "PATCH", f"/admin/users/{USER[0]}", {"password": "another good password"}
    ),
    "deleted": lambda server: server.admin("DELETE", f"/admin/users/{USER[0]}", None, 204),
}


@pytest.mark.long
@pytest.mark.parametrize("revoke", REVOCATIONS.values(), ids=REVOCATIONS)
def test_a_revoked_user_is_disconnected_and_no_token_lets_the_user_back(tmp_path: Path, revoke: Any) -> None:
    async def attack(server: Manager, address: str) -> None:
        async with talking(address) as first, talking(address) as second, talking(address) as admin:
            welcome = await first.hello(*USER)
            assert welcome["type"] == "welcome", welcome
            access = welcome["options"]["access_token"]
            made = (await first.ask(type="create-token"))["token"]
            second.peer_id = (await with_token(second, "gateway-token", made))["peer_id"]
            renewed = (await second.ask(type="create-token"))["token"]
            assert (await admin.hello(*ADMIN))["type"] == "welcome"

            await asyncio.to_thread(revoke, server)

            assert (await first.closed())[0] == 1008
            assert (await second.closed())[0] == 1008
            assert (await admin.ask(type="create-token"))["type"] == "token"
        async with talking(address) as back:
            for method, token in (("access-token", access), ("gateway-token", made), ("gateway-token", renewed)):
                assert (await with_token(back, method, token))["type"] == "error"
            assert (await back.hello(*USER))["type"] == "error"

    with manager(tmp_path, **QUICK_EVENTS) as server, gateway_at(server.address, tmp_path) as gateway:
        asyncio.run(attack(server, gateway.address))
        assert gateway.stop() == 0
    assert USER[1] not in "".join([*gateway.lines, *gateway.messages])


@pytest.mark.long
def test_a_restart_of_the_manager_disconnects_no_peers_and_a_revocation_during_it_is_detected(tmp_path: Path) -> None:
    async def play(address: str, first: Manager, port: int) -> None:
        async with talking(address) as ann, talking(address) as admin:
            assert (await ann.hello(*USER))["type"] == "welcome"
            assert (await admin.hello(*ADMIN))["type"] == "welcome"
            token = (await ann.ask(type="create-token"))["token"]

            await asyncio.to_thread(first.process.stop)
            async with talking(address) as other:
                # Nobody can say whether the account is still good.
                assert "cannot be reached" in (await with_token(other, "gateway-token", token))["reason"]
            assert (await ann.ask(type="create-token"))["type"] == "token"
            with closing(sqlite3.connect(tmp_path / "rostrum.db")) as database, database:
                database.execute("UPDATE users SET disabled = 1 WHERE id = ?", (USER[0],))

            with manager(tmp_path, port=port, **QUICK_EVENTS):
                assert (await ann.closed())[0] == 1008
                assert (await admin.ask(type="create-token"))["type"] == "token"

    # While the manager is down, no other server may get its port.
    port = free_port()
    with manager(tmp_path, port=port, **QUICK_EVENTS) as first, gateway_at(first.address, tmp_path) as gateway:
        asyncio.run(play(gateway.address, first, port))


@pytest.mark.long
async def test_a_manager_that_stays_away_ends_the_sessions_after_a_bounded_time(tmp_path: Path) -> None:
    with manager(tmp_path, **QUICK_EVENTS) as server:
        check = ManagerCheck(server.address, longest_doubt=0.5)
        async with running(quick(), secrets=check) as gateway, talking(gateway) as talker:
            assert (await talker.hello(*USER))["type"] == "welcome"

            await asyncio.to_thread(server.process.stop)

            assert (await talker.closed())[0] == 1008
        await check.close()


@pytest.mark.long
async def test_one_stream_serves_all_programs_of_a_user_and_ends_with_the_last_one(tmp_path: Path) -> None:
    with manager(tmp_path, events={"retry": 100, "perUser": 1}) as server:
        check = ManagerCheck(server.address)
        async with running(quick(), secrets=check) as gateway:
            async with talking(gateway) as first, talking(gateway) as second:
                answers = await asyncio.gather(first.hello(*USER), second.hello(*USER))
                assert [answer["type"] for answer in answers] == ["welcome", "welcome"]
                [session] = check._sessions.values()
                await until(lambda: session._is_heard)
                assert session.peers == 2
            await until(lambda: session._watching is None)
            assert not session.is_ended
        await check.close()


@pytest.mark.long
def test_users_whose_ids_differ_in_letter_case_do_not_see_each_other(tmp_path: Path) -> None:
    with manager(tmp_path, **QUICK_EVENTS) as server:
        server.admin("POST", "/admin/users", {"id": "zelda", "password": "a third password"}, 201)
    # Such accounts cannot be created any more; those of earlier versions stay.
    with closing(sqlite3.connect(tmp_path / "rostrum.db")) as database, database:
        database.execute("UPDATE users SET id = 'ANN' WHERE id = 'zelda'")

    async def attack(address: str) -> None:
        async with talking(address) as ann, talking(address) as other:
            assert (await ann.hello(*USER))["resolved_identity"]["user"] == "ann"
            await ann.ask(type="join", destination="agm")
            await ann.ask(domain="agm", type="register", methods=[{"id": "0", "name": "Private"}])
            created = await ann.ask(type="create-context", name="secret", data={"x": 1}, lifetime="retained")

            assert (await other.hello("ANN", "a third password"))["resolved_identity"]["user"] == "ANN"
            await other.send(type="join", destination="agm", request_id="join")
            frames = [await other.get()]
            while frames[-1].get("request_id") != "join":
                frames.append(await other.get())
            # The agents of the gateway are there, and nothing of the other user.
            assert "Private" not in str(frames)
            assert {frame["identity"]["user"] for frame in frames if "identity" in frame} <= {"ANN", "/gateway"}
            stolen = await other.ask(type="subscribe-context", context_id=created["context_id"])
            assert stolen["type"] == "error"

    with manager(tmp_path, **QUICK_EVENTS) as server, gateway_at(server.address, tmp_path) as gateway:
        asyncio.run(attack(gateway.address))


@pytest.mark.long
@pytest.mark.parametrize("is_forwarded", [True, False])
async def test_guesses_are_counted_for_the_clients_address_and_not_for_the_gateways(
    tmp_path: Path, is_forwarded: bool
) -> None:
    with manager(tmp_path, gateway={"secret": SHARED}) as server:
        check = ManagerCheck(server.address, address_secret=SHARED if is_forwarded else None)
        guesses = (check.check(USER[0], f"wrong password {number}", "192.0.2.1") for number in range(40))
        answers = await asyncio.gather(*guesses, return_exceptions=True)
        assert [answer for answer in answers if answer is not None and not isinstance(answer, CannotCheck)] == []
        with pytest.raises(CannotCheck, match="Too many"):
            await check.check(*USER, "192.0.2.1")

        if is_forwarded:
            account = await check.check(*USER, "198.51.100.7")
            assert account is not None
        else:
            with pytest.raises(CannotCheck, match="Too many"):
                await check.check(*USER, "198.51.100.7")
        await check.close()


@pytest.mark.long
def test_a_gateway_forwards_the_addresses_of_its_clients_and_a_short_secret_is_refused(tmp_path: Path) -> None:
    async def attack(address: str) -> None:
        async with talking(address) as talker:
            assert (await talker.hello(USER[0], "a wrong password"))["type"] == "error"
            assert (await talker.hello(*USER))["type"] == "welcome"

    secret = tmp_path / "secret"
    secret.write_text(SHARED + "\n")
    with manager(tmp_path, gateway={"secret": SHARED}) as server:
        with gateway_at(server.address, tmp_path, API_GATEWAY_SECRET="short") as gateway:
            assert gateway.process.wait(PATIENCE) == 2
        assert "at least 32 bytes" in "".join(gateway.messages)
        runtime = {"XDG_RUNTIME_DIR": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        arguments = ("gateway", "--port", "0", "--manager", server.address, "--manager-secret-file", str(secret))
        with serving(*arguments, environment=runtime) as gateway:
            asyncio.run(attack(gateway.address))
            assert gateway.stop() == 0
    assert "is ignored" not in "".join(server.process.messages)
    assert SHARED not in "".join([*gateway.messages, *server.process.messages])


@pytest.mark.long
def test_contexts_are_limited_and_a_new_user_with_the_id_of_a_deleted_user_sees_none(tmp_path: Path) -> None:
    megabytes = 8 * 1024 * 1024
    old, new = "the password of the first", "the password of the second"

    async def fill(address: str, name: str) -> list[str]:
        async with talking(address) as talker:
            await talker.hello("bob", old, application=name)
            kinds = []
            for number in range(8):
                message = {"name": f"{name} {number}", "data": {"a": "x" * megabytes}, "lifetime": "retained"}
                kinds.append((await talker.ask(type="create-context", **message))["type"])
            return kinds

    async def attack(server: Manager, address: str) -> None:
        body = {"id": "bob", "password": old}
        await asyncio.to_thread(server.admin, "POST", "/admin/users", body, 201)
        kinds = [kind for each in range(5) for kind in await fill(address, f"app {each}")]
        assert kinds.count("context-created") == 3
        assert kinds.count("error") == 37
        async with talking(address) as first:
            await first.hello("bob", old, application="grows")
            made = await first.ask(type="create-context", name="grows", data={}, lifetime="retained")
            context_id = made["context_id"]
            delta = [{"updated": {f"part {number}": "x" * 1024 * 1024}} for number in range(20)]
            answers = [
                (await first.ask(type="update-context", context_id=context_id, delta=each))["type"] for each in delta
            ]
            assert 5 <= answers.count("success") <= 8
            await asyncio.to_thread(server.admin, "DELETE", "/admin/users/bob", None, 204)
            assert (await first.closed())[0] == 1008
        await asyncio.to_thread(server.admin, "POST", "/admin/users", {**body, "password": new}, 201)
        async with talking(address) as second:
            assert (await second.hello("bob", new))["type"] == "welcome"
            for name in ("app 0 0", "grows"):
                answer = await second.ask(type="create-context", name=name, data={}, lifetime="retained")
                assert answer["type"] == "context-created"

    with manager(tmp_path, **QUICK_EVENTS) as server, gateway_at(server.address, tmp_path) as gateway:
        asyncio.run(attack(server, gateway.address))
        assert gateway.stop() == 0
