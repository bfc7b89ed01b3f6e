"""rostrum gateway as a process: killed peers, restarts, who may look."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.end_to_end.processes import clean_environment, run, serving
from tests.gateway.sockets import PATIENCE, Talker, talking

CALLEE = """
import asyncio, json, sys
from websockets.asyncio.client import connect

async def main(address):
    async with connect(address) as socket:
        login = {"method": "secret", "login": "ada", "secret": "s"}
        await socket.send(json.dumps({"type": "hello", "request_id": "h", "authentication": login}))
        peer = json.loads(await socket.recv())["peer_id"]
        await socket.send(json.dumps({"type": "join", "destination": "agm", "request_id": "j", "peer_id": peer}))
        method = {"id": "0", "name": "Never"}
        message = {"domain": "agm", "type": "register", "methods": [method], "request_id": "r", "peer_id": peer}
        await socket.send(json.dumps(message))
        async for text in socket:
            if json.loads(text)["type"] == "invoke":
                print("called", flush=True)

asyncio.run(main(sys.argv[1]))
"""


def start_callee(address: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CALLEE, address], stdout=subprocess.PIPE, text=True, env=clean_environment()
    )


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "run").mkdir()
    return {"XDG_RUNTIME_DIR": str(tmp_path / "run"), "XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.mark.long
def test_a_peer_killed_in_mid_call_fails_the_call(environment: dict[str, str]) -> None:
    async def play(address: str) -> None:
        async with talking(address, "ada", "agm") as caller:
            callee = await asyncio.to_thread(start_callee, address)
            try:
                added = await caller.get_of("methods-added")
                message = {"server_id": added["server_id"], "method_id": "0", "request_id": "c"}
                await caller.send(domain="agm", type="call", **message)
                assert callee.stdout is not None
                assert await asyncio.to_thread(callee.stdout.readline) == "called\n"

                os.kill(callee.pid, signal.SIGKILL)

                error = await caller.get_of("error")
                assert (error["request_id"], error["reason_uri"]) == ("c", "agm.errors.invocation.failure")
                assert (await caller.get_of("peer-removed"))["removed_id"] == added["server_id"]
            finally:
                callee.kill()
                callee.communicate()

    with serving("gateway", "--port", "0", environment=environment) as gateway:
        asyncio.run(play(gateway.address))
        assert gateway.stop() == 0


@pytest.mark.long
def test_top_and_the_log_see_what_happens(environment: dict[str, str], tmp_path: Path) -> None:
    config = tmp_path / "system.json"
    limits = {"large_msg_threshold": 100, "max_connections": 2}
    memory = {"memory_limit": 1, "report_interval": 200, "dump_location": "dumps", "max_backups": 1}
    document = {"gw": {"configuration": {"port": 0, "limits": limits, "memory": memory}}}
    config.write_text(json.dumps(document))

    async def play(address: str) -> dict[str, Any]:
        async with talking(address, "ada", "agm") as talker:
            await talker.ask(domain="agm", type="register", methods=[{"id": 1, "name": "Demo"}])
            await talker.ask(type="create-context", name="c", data={"x": "y" * 200}, lifetime="retained")
            async with talking(address), talking(address) as third:
                refused = await third.hello("ada")
                assert refused["reason_uri"] == "global.errors.limits_exceeded"
            port = address.rpartition(":")[2]
            answer = await asyncio.to_thread(run, "gateway", "top", "--json", "--port", port, **environment)
            shown = await asyncio.to_thread(run, "gateway", "top", "--once", **environment)
            assert "Demo" in shown.stdout
            status: dict[str, Any] = json.loads(answer.stdout)
            return status

    with serving("gateway", "--config", str(config), environment=environment) as gateway:
        status = asyncio.run(play(gateway.address))
        snapshot = tmp_path / "dumps" / "gw.1.heapsnapshot"
        _wait_for(snapshot.exists)
        assert gateway.stop() == 0
    assert [peer["application"] for peer in status["peers"]] == ["test"]
    assert [method["name"] for method in status["methods"]] == ["Demo"]
    log = "".join(gateway.messages)
    assert "large message: global create-context from test (p-" in log
    assert "heap size" in log
    assert json.loads(snapshot.read_text())["limit"] == 1
    assert list((tmp_path / "run" / "rostrum").iterdir()) == []


def _wait_for(condition: Any) -> None:
    async def wait() -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():  # noqa: ASYNC110 - another process does it
                await asyncio.sleep(0.02)

    asyncio.run(wait())


@pytest.mark.rule("R-2.11-5")
def test_log_ins_are_checked_with_a_file_and_a_taken_port_is_named(environment: dict[str, str], tmp_path: Path) -> None:
    users = tmp_path / "users.json"
    secret = run("gateway", "add-user", str(users), "Ada", "--generate").stdout.strip()

    async def play(address: str) -> None:
        async with talking(address) as talker:
            assert (await talker.hello("ada", "wrong"))["type"] == "error"
            welcome = await talker.hello("ada", secret)
            assert welcome["resolved_identity"]["user"] == "Ada"

    with serving("gateway", "--port", "0", "--users", str(users), environment=environment) as gateway:
        address = gateway.address
        asyncio.run(play(address))
        taken = run("gateway", "--port", address.rpartition(":")[2], **environment)
        assert taken.returncode == 1
        assert "address already in use" in taken.stderr
        assert "Traceback" not in taken.stderr
    assert secret not in "".join([*gateway.lines, *gateway.messages])


@pytest.mark.long
def test_after_a_restart_everyone_comes_back(environment: dict[str, str]) -> None:
    """Each client does what the npm clients do: connect again, sign in with the same instance, register anew."""

    async def client(number: int, address: str, again: asyncio.Event, welcomed: asyncio.Semaphore) -> None:
        for attempt in range(2):
            while True:
                try:
                    async with talking(address) as talker:
                        await life(talker, number)
                        welcomed.release()
                        if attempt:
                            await again.wait()
                            return
                        await talker.socket.wait_closed()
                    break
                except (OSError, ConnectionClosed, WebSocketException):
                    await asyncio.sleep(0.25)

    async def life(talker: Talker, number: int) -> None:
        welcome = await talker.hello(f"user{number % 5}", instance=f"window-{number}")
        assert welcome["type"] == "welcome", welcome
        await talker.ask(type="join", destination="agm")
        await talker.ask(domain="agm", type="register", methods=[{"id": "0", "name": f"m{number}"}])

    async def play() -> None:
        done, welcomed = asyncio.Event(), asyncio.Semaphore(0)
        async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE * 2):
            with serving("gateway", "--port", "0", environment=environment) as first:
                address = await asyncio.to_thread(lambda: first.address)
                clients = [asyncio.create_task(client(number, address, done, welcomed)) for number in range(20)]
                stack.callback(lambda: [task.cancel() for task in clients])
                for _ in clients:
                    await welcomed.acquire()
                first.process.send_signal(signal.SIGKILL)
                await asyncio.to_thread(first.process.wait)
            with serving("gateway", "--port", address.rpartition(":")[2], environment=environment) as second:
                await asyncio.to_thread(lambda: second.address)
                for _ in clients:
                    await welcomed.acquire()
                done.set()
                await asyncio.gather(*clients)

    asyncio.run(play())
